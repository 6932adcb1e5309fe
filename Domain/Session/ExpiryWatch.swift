import Synchronization

/// The point in time at which a session that ends with its access token needs attention, although no caller asks for it.
final class ExpiryWatch: Sendable {
  private struct Contents {
    /// An uptime; nil if nothing is watched.
    var point: Duration?
    /// The latest one that has come: each causes one action.
    var reached: Duration?
    var task: Task<Void, Never>?
  }

  private let contents = Mutex(Contents())
  private let clock: any AuthenticationClock
  private let executor: (any TaskExecutor)?

  init(clock: any AuthenticationClock, executor: (any TaskExecutor)?) {
    self.clock = clock
    self.executor = executor
  }

  deinit { contents.withLock { $0.task?.cancel() } }

  var isWatching: Bool { contents.withLock { $0.point != nil } }

  /// Watches the first of these points that has not come; none ends the watching.
  ///
  /// - Parameters:
  ///   - points: uptimes in ascending order.
  ///   - act: called when the point has come.
  func watch(_ points: [Duration], act: @escaping @Sendable () async -> Void) {
    contents.withLock { contents in
      let last = contents.reached.flatMap { points.lastIndex(of: $0) }
      let point = last.map { points.dropFirst($0 + 1).first } ?? points.first
      guard point != contents.point else { return }
      contents.task?.cancel()
      contents.point = point
      contents.task = point.map { point in
        Task.detached(executorPreference: executor) { [weak self, clock] in
          let wait = point - clock.uptime
          if wait > .zero, (try? await clock.sleep(for: wait)) == nil { return }
          if self?.reach(point) == true { await act() }
        }
      }
    }
  }

  private func reach(_ point: Duration) -> Bool {
    contents.withLock { contents in
      guard contents.point == point else { return false }
      contents.reached = point
      return true
    }
  }
}
