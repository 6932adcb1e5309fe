import AuthenticationDomain

/// Follows one attempt; what an earlier one still says is dropped.
@MainActor
final class AttemptFollowing {
  private(set) var attempt: SignInAttempt?
  private var show: (@MainActor (SignInAttempt.State) -> Void)?
  private var task: Task<Void, Never>?

  deinit { task?.cancel() }

  /// Shows the state now, then each later one.
  func follow(_ attempt: SignInAttempt, _ show: @escaping @MainActor (SignInAttempt.State) -> Void) {
    stop()
    self.attempt = attempt
    self.show = show
    let states = attempt.states()
    task = Task { [weak self] in
      // An element only signals that there is a state: it may be outdated by now.
      for await _ in states {
        guard self?.attempt === attempt else { return }
        show(attempt.state)
      }
    }
    show(attempt.state)
  }

  /// Cancels the attempt, and shows nothing more of it; one that has signed in already is shown as it ended.
  ///
  /// - Returns: false if it has signed in.
  func cancel() -> Bool {
    if let attempt, !attempt.state.isEnded {
      attempt.cancel()
      if case .ended(.signedIn) = attempt.state {
        show?(attempt.state)
        return false
      }
    }
    stop()
    return true
  }

  func stop() {
    task?.cancel()
    task = nil
    attempt = nil
    show = nil
  }

  /// Returns when nothing of the attempt is on its way, and the state then is shown.
  func finished() async {
    while let attempt {
      let state = await attempt.settled()
      guard attempt === self.attempt else { continue }
      show?(state)
      if attempt === self.attempt { return }
    }
  }
}
