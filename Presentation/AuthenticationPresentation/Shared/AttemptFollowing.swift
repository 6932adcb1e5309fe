public import AuthenticationDomain
import Synchronization

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

/// Follows who is signed in, until it is released.
@MainActor
final class StateFollowing {
  private var task: Task<Void, Never>?

  deinit { task?.cancel() }

  /// Shows the state now, then each later one. An element only signals that there is one: it may be outdated by now.
  func follow(_ control: any SessionControl, _ show: @escaping @MainActor (AuthenticationState) -> Void) {
    let states = control.states()
    task = Task {
      for await _ in states { show(control.state) }
    }
  }
}

/// One call at a time. What comes of a call that was cancelled or replaced reaches nobody.
@MainActor
package final class CurrentCall {
  private var task: Task<Void, Never>?
  /// Names the call in progress.
  package private(set) var id = 0

  package init() {}

  package var isRunning: Bool { task != nil }

  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value,
    then show: @escaping @MainActor (Result<Value, AuthenticationError>) -> Void
  ) {
    task?.cancel()
    id += 1
    let id = id
    task = Task { [weak self] in
      let result = await Self.result(of: work)
      guard let self, self.id == id else { return }
      self.task = nil
      show(result)
    }
  }

  package func cancel() {
    id += 1
    task?.cancel()
    task = nil
  }

  /// Returns when no call is in progress.
  package func finished() async {
    while let task { await task.value }
  }

  nonisolated private static func result<Value: Sendable>(
    of work: @escaping @Sendable () async throws(AuthenticationError) -> Value
  ) async -> Result<Value, AuthenticationError> {
    do throws(AuthenticationError) {
      return .success(try await AbandonableCall.run(work))
    } catch {
      return .failure(error)
    }
  }
}

/// A moment of the injected clock. It is kept as uptime: setting the wall clock does not move it.
public struct Deadline: Sendable, Hashable {
  /// When it is, by ``AuthenticationClock/uptime``.
  public let uptime: Duration

  /// So long from now.
  public init(in duration: Duration, by clock: any AuthenticationClock) { uptime = clock.uptime + duration }

  /// How long it is until then; zero once it has passed.
  public func timeLeft(by clock: any AuthenticationClock) -> Duration { max(.zero, uptime - clock.uptime) }

  /// Whether it has passed.
  public func isOver(by clock: any AuthenticationClock) -> Bool { clock.uptime >= uptime }

  /// The whole seconds until then, rounded up: 1 until it has passed.
  public func secondsLeft(by clock: any AuthenticationClock) -> Int {
    timeLeft(by: clock).roundedUpSeconds
  }
}

/// Counts the failures of an environment, so that the same failure again is another one to focus and to announce.
final class FailureCount: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

extension FlowEnvironment {
  package func failure(_ error: AuthenticationError) -> FlowFailure {
    FlowFailure(error, turn: failures.next(), by: clock)
  }
}

/// What an attempt came to: the session that it made. It closes no screen; that is the host's.
public struct SignInCompletion: Sendable, Equatable {
  /// The id of the attempt.
  public let attempt: String
  /// What it made.
  public let session: AuthSession
  /// Who has signed in.
  public var user: User { session.user }

  /// Nil if somebody else has signed in, or out, since.
  init?(_ user: User, of attempt: SignInAttempt, by control: any SessionControl) {
    guard let current = control.state.session, current.user.id == user.id else { return nil }
    self.attempt = attempt.id
    // A use case of the app's own tells no more than the user.
    session = attempt.session ?? current
  }

  /// For a preview.
  package init(attempt: String, session: AuthSession) {
    self.attempt = attempt
    self.session = session
  }
}
