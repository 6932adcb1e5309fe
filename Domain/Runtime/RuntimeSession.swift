import Synchronization

/// The session as requests see it: a snapshot behind a lock, and the callers that wait for it to be refreshed.
///
/// Only ``AuthManager`` publishes into it. No foreign code is called while the lock is held.
final class RuntimeSession: Sendable {
  /// One object for all waiting callers: otherwise each of thousands would hold a whole result in several frames.
  final class Answer: Sendable {
    private let session: AuthSession?
    private let failure: AuthenticationError?
    private let times: Times

    /// - Parameter failure: beside a session, for callers that want its token to last longer than it does.
    init(_ session: AuthSession?, failure: AuthenticationError?, times: Times = Times()) {
      self.session = session
      self.failure = failure
      self.times = times
    }

    /// Whether the provider was not asked for it.
    var isHeldOff: Bool { failure?.isHeldOff ?? false }

    @inline(never)
    func get(lasting wanted: Duration?, at uptime: Duration) throws(AuthenticationError) -> AuthSession {
      guard let session else { throw failure ?? .notSignedIn }
      if let failure, !times.suffice(session.accessToken, lasting: wanted, at: uptime) { throw failure }
      return session
    }
  }

  /// Uptimes in the lifetime of the usable access token; nil if unknown, or if there is no such time.
  struct Times {
    /// From here on it is refreshed in the background; the first caller after it sets this to nil and starts that.
    var renewEarlyAt: Duration?
    /// From here on callers wait for its refresh.
    var renewAt: Duration?
    var endsAt: Duration?
    /// Until then, a resource's refusal of it causes no refresh.
    var refusalsCountFrom: Duration?
    /// Until then, failed refreshes keep callers that would wait from asking the provider.
    var heldOffUntil: Duration?
    /// Whether a server's date would correct its expiry.
    var wantsServerDate = false
    /// Whether a refresh has shown that no token lasts as long as a caller wanted.
    var wishesAreCapped = false
    var policy = RenewalPolicy.standard

    /// Whether the token lasts for as long as a caller wants; nil asks only that it is valid now.
    func suffice(_ token: AccessToken, lasting wanted: Duration?, at uptime: Duration) -> Bool {
      guard let endsAt else { return true }
      return endsAt - uptime > wanted.map { policy.enough(of: token, for: $0, isCapped: wishesAreCapped) } ?? .zero
    }
  }

  struct Contents {
    var state = AuthenticationState.unknown
    var usable: AuthSession?
    var times = Times()
    /// Counts the refreshes that were waited for; the current one has a deadline.
    var round = 0
    var isRenewing = false
    var deadline: Task<Void, Never>?
    /// The waiting callers, in the order they came; nil for one that has left. A queue is resumed as a whole.
    var waiters: [CheckedContinuation<Answer, Never>?] = []
    var queue = 0
    var lastListener = 0
    var listeners: [Int: AsyncStream<AuthenticationState>.Continuation] = [:]

    func session(at uptime: Duration) -> AuthSession? {
      if let renewAt = times.renewAt, uptime >= renewAt { return nil }
      return usable
    }

    func session(at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?) -> AuthSession? {
      guard let usable = wanted == nil ? session(at: uptime) : usable else { return nil }
      if let wanted, !times.suffice(usable.accessToken, lasting: wanted, at: uptime) { return nil }
      if let rejected, rejected == usable.accessToken { return nil }
      return usable
    }
  }

  let contents = Mutex(Contents())

  deinit {
    for listener in contents.withLock({ $0.listeners.values }) { listener.finish() }
  }

  var state: AuthenticationState { contents.withLock { $0.state } }

  /// A session that can be used as it is; `renewEarly` is called once, for the first caller after its early point.
  func session(at uptime: Duration, renewEarly: () -> Void) -> AuthSession? {
    let (session, isFirst) = contents.withLock { contents in
      guard let session = contents.session(at: uptime) else { return (AuthSession?.none, false) }
      guard let point = contents.times.renewEarlyAt, uptime >= point else { return (session, false) }
      contents.times.renewEarlyAt = nil
      return (session, true)
    }
    if isFirst { renewEarly() }
    return session
  }

  /// A session that can be used as it is, without waiting.
  func session(at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?) -> AuthSession? {
    contents.withLock { $0.session(at: uptime, rejecting: rejected, lasting: wanted) }
  }

  var wantsServerDate: Bool { contents.withLock { $0.times.wantsServerDate } }

  /// Whether callers that would wait are refused.
  func isHeldOff(at uptime: Duration) -> Bool {
    contents.withLock { $0.times.heldOffUntil.map { uptime < $0 } ?? false }
  }

  /// Whether a refresh after a resource's refusal of this token would not help.
  func ignoresRefusal(of token: AccessToken, at uptime: Duration) -> Bool {
    contents.withLock { contents in
      guard let from = contents.times.refusalsCountFrom, uptime < from else { return false }
      return contents.usable?.accessToken == token
    }
  }

  func publish(_ state: AuthenticationState, usable: AuthSession?, times: Times) {
    let listeners = contents.withLock { contents in
      contents.usable = usable
      contents.times = times
      guard contents.state != state else { return [AsyncStream<AuthenticationState>.Continuation]() }
      contents.state = state
      return Array(contents.listeners.values)
    }
    for listener in listeners { listener.yield(state) }
  }
}
