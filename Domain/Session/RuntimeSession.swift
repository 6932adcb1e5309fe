import Synchronization

/// The session as requests see it: a snapshot behind a lock, and those who wait for it to be renewed.
///
/// Only ``AuthManager`` publishes into it. Nothing is called out of it while the lock is held.
final class RuntimeSession: Sendable {
  /// One for all who wait: thousands of them would each make room for a whole result in several frames.
  final class Answer: Sendable {
    private let result: Result<AuthSession, AuthenticationError>
    init(_ result: Result<AuthSession, AuthenticationError>) { self.result = result }

    @inline(never)
    func get() throws(AuthenticationError) -> AuthSession { try result.get() }
  }

  struct Contents {
    var state = AuthenticationState.unknown
    var usable: AuthSession?
    /// The uptime from which ``usable`` is to be renewed, and that at which it ends; `nil` where unknown.
    var renewAt: Duration?
    var endsAt: Duration?
    /// Counts the renewals that were waited for; the current one has a deadline.
    var round = 0
    var isRenewing = false
    var deadline: Task<Void, Never>?
    /// Those who wait, in the order they came; nil where one has left. Each queue is answered as one.
    var waiters: [CheckedContinuation<Answer, Never>?] = []
    var queue = 0
    var lastListener = 0
    var listeners: [Int: AsyncStream<AuthenticationState>.Continuation] = [:]

    func session(at uptime: Duration) -> AuthSession? {
      if let renewAt, uptime >= renewAt { return nil }
      return usable
    }

    func session(at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?) -> AuthSession? {
      guard let usable = wanted == nil ? session(at: uptime) : usable else { return nil }
      if let wanted, let endsAt, uptime + wanted >= endsAt { return nil }
      if let rejected, rejected == usable.accessToken { return nil }
      return usable
    }
  }

  let contents = Mutex(Contents())

  var state: AuthenticationState { contents.withLock { $0.state } }

  func session(at uptime: Duration) -> AuthSession? {
    contents.withLock { $0.session(at: uptime) }
  }

  /// A session that can be used as it is, without waiting.
  func session(at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?) -> AuthSession? {
    contents.withLock { $0.session(at: uptime, rejecting: rejected, lasting: wanted) }
  }

  func publish(_ state: AuthenticationState, usable: AuthSession?, renewAt: Duration?, endsAt: Duration?) {
    let listeners = contents.withLock { contents in
      contents.usable = usable
      contents.renewAt = renewAt
      contents.endsAt = endsAt
      guard contents.state != state else { return [AsyncStream<AuthenticationState>.Continuation]() }
      contents.state = state
      return Array(contents.listeners.values)
    }
    for listener in listeners { listener.yield(state) }
  }
}
