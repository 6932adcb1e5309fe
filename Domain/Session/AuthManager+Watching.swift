/// The point at which a session that ends with its access token needs attention, although no caller asks for it.
struct SessionWatch {
  /// An uptime; nil for a session that can be refreshed later.
  var point: Duration?
  /// The latest one that has come: each causes one action.
  var reached: Duration?
  var task: Task<Void, Never>?
}

/// A session that ends with its access token: it is refreshed before that where the token can refresh itself, and its
/// end is published.
extension AuthManager {
  /// Watches the session that is published. Nothing is watched in a process that refreshes nothing in the background.
  func watchSession() {
    let point = nextPoint
    guard point != watch.point else { return }
    watch.task?.cancel()
    watch.point = point
    watch.task = point.map { point in
      Task.detached(executorPreference: taskExecutor) { [weak self, clock] in
        let wait = point - clock.uptime
        if wait > .zero, (try? await clock.sleep(for: wait)) == nil { return }
        await self?.reach(point)
      }
    }
  }

  private var nextPoint: Duration? {
    guard policy.earlyWindow != nil, let tokens = machine.record.session?.tokens, !tokens.outliveAccess,
      let endsAt = timing.endsAt, watch.reached != endsAt
    else { return nil }
    guard tokens.refreshThemselves else { return endsAt }
    let point = timing.renewEarlyAt(canRenew: true) ?? timing.renewAt(canRenew: true) ?? endsAt
    return point != watch.reached ? min(point, endsAt) : endsAt
  }

  private func reach(_ point: Duration) {
    guard watch.point == point else { return }
    watch.reached = point
    readIfDue()
    guard let remaining, machine.record.session?.tokens.outliveAccess == false else { return }
    if remaining > .zero {
      request(.early, rejecting: nil, lasting: nil, asEnding: true)
    } else {
      handle(.refreshRequested(.expiry, rejected: nil, remaining: remaining, wanted: nil))
    }
    watchSession()
  }
}
