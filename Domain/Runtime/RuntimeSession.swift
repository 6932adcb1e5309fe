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
    var refreshEarlyAt: Duration?
    /// From here on callers wait for its refresh.
    var refreshAt: Duration?
    var endsAt: Duration?
    /// Until then, a resource's refusal of it causes no refresh.
    var cooldownEndsAt: Duration?
    /// Until then, failed refreshes keep callers that would wait from asking the provider.
    var heldOffUntil: Duration?
    /// Whether a server's date would correct its expiry.
    var wantsServerDate = false
    /// Whether a refresh has shown that no token lasts as long as a caller wanted.
    var lifetimeRequestIsCapped = false
    var policy = RefreshPolicy.standard

    /// Whether the token lasts for as long as a caller wants; nil asks only that it is valid now.
    func suffice(_ token: AccessToken, lasting wanted: Duration?, at uptime: Duration) -> Bool {
      guard let endsAt else { return true }
      return endsAt - uptime > wanted.map { policy.enough(of: token, for: $0, isCapped: lifetimeRequestIsCapped) }
        ?? .zero
    }
  }

  fileprivate struct Contents {
    var state = AuthenticationState.unknown
    var usable: AuthSession?
    var times = Times()
    /// Counts the refreshes that were waited for; the current one has a deadline.
    var round = 0
    /// Callers wait for a refresh.
    var isAwaited = false
    var deadline: Task<Void, Never>?
    /// The waiting callers, in the order they came; nil for one that has left. A queue is resumed as a whole.
    var waiters: [CheckedContinuation<Answer, Never>?] = []
    var queue = 0

    func session(at uptime: Duration) -> AuthSession? {
      if let refreshAt = times.refreshAt, uptime >= refreshAt { return nil }
      return usable
    }

    func session(at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?) -> AuthSession? {
      guard let usable = wanted == nil ? session(at: uptime) : usable else { return nil }
      if let wanted, !times.suffice(usable.accessToken, lasting: wanted, at: uptime) { return nil }
      if let rejected, rejected == usable.accessToken { return nil }
      return usable
    }
  }

  private let contents = Mutex(Contents())
  private let listeners = Broadcast<AuthenticationState>()

  var state: AuthenticationState { contents.withLock { $0.state } }

  /// The state now, then each later one.
  func states() -> AsyncStream<AuthenticationState> {
    // Under the lock: a state that is published meanwhile is sent afterwards.
    contents.withLock { listeners.values(startingWith: $0.state, keeping: 1) }
  }

  /// A session that can be used as it is; `refreshEarly` is called once, for the first caller after its early point.
  func session(at uptime: Duration, refreshEarly: () -> Void) -> AuthSession? {
    let (session, isFirst) = contents.withLock { contents in
      guard let session = contents.session(at: uptime) else { return (AuthSession?.none, false) }
      guard let point = contents.times.refreshEarlyAt, uptime >= point else { return (session, false) }
      contents.times.refreshEarlyAt = nil
      return (session, true)
    }
    if isFirst { refreshEarly() }
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
  func isCoolingDown(_ token: AccessToken, at uptime: Duration) -> Bool {
    contents.withLock { contents in
      guard let from = contents.times.cooldownEndsAt, uptime < from else { return false }
      return contents.usable?.accessToken == token
    }
  }

  func publish(_ state: AuthenticationState, usable: AuthSession?, times: Times) {
    let isNew = contents.withLock { contents in
      contents.usable = usable
      contents.times = times
      defer { contents.state = state }
      return contents.state != state
    }
    if isNew { listeners.send(state) }
  }

  /// Waits for the end of one refresh, which the first caller starts. A cancelled caller leaves; the refresh continues.
  ///
  /// - Parameter inAnyCase: whether the caller waits although there is a usable session.
  func refreshed(
    at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?, inAnyCase: Bool = false,
    start: @Sendable (_ round: Int) -> Void
  ) async -> Answer {
    let place = Place()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(
          continuation, at: place, on: uptime, rejecting: rejected, lasting: wanted, inAnyCase: inAnyCase, start: start)
      }
    } onCancel: {
      contents.withLock { $0.leave(place) }?.resume(returning: Answer(nil, failure: .cancelled))
    }
  }

  // Not inlined: its temporaries would stay in the frame of each of thousands of waiting callers.
  @inline(never)
  private func enter(
    _ caller: CheckedContinuation<Answer, Never>, at place: Place, on uptime: Duration,
    rejecting rejected: AccessToken?, lasting wanted: Duration?, inAnyCase: Bool, start: (_ round: Int) -> Void
  ) {
    let (answer, round): (Answer?, Int?) = contents.withLock { contents in
      if !inAnyCase, let session = contents.session(at: uptime, rejecting: rejected, lasting: wanted) {
        return (Answer(session, failure: nil), nil)
      }
      if Task.isCancelled { return (Answer(nil, failure: .cancelled), nil) }
      contents.join(caller, at: place)
      if contents.isAwaited { return (nil, nil) }
      contents.isAwaited = true
      contents.round += 1
      return (nil, contents.round)
    }
    if let answer { caller.resume(returning: answer) }
    if let round { start(round) }
  }

  /// Whether a caller waits for a refresh.
  var isAwaited: Bool { contents.withLock { $0.isAwaited } }

  /// Resumes all waiting callers, and lets the next caller start another refresh.
  func resumeWaiters(_ session: AuthSession?, failure: AuthenticationError?) {
    endRound { Answer(session, failure: failure, times: $0.times) }
  }

  /// Ends the waiting for this round after a timeout, with the current token if it is still usable, as during an early
  /// refresh; the refresh continues, and its outcome is published later.
  func limit(
    round: Int, to timeout: Duration, by clock: any AuthenticationClock, on executor: (any TaskExecutor)? = nil
  ) {
    let deadline = Task.detached(executorPreference: executor) { [weak self] in
      guard (try? await clock.sleep(for: timeout)) != nil else { return }
      self?.endRound { contents in
        guard contents.isAwaited, contents.round == round else { return nil }
        return Answer(contents.usable, failure: .timedOut, times: contents.times)
      }
    }
    let isOver = contents.withLock { contents in
      guard contents.isAwaited, contents.round == round else { return true }
      contents.deadline = deadline
      return false
    }
    if isOver { deadline.cancel() }
  }

  /// - Parameter answer: what all waiting callers get; nil to leave them waiting.
  private func endRound(with answer: (Contents) -> Answer?) {
    let ended: (Answer, [CheckedContinuation<Answer, Never>?], Task<Void, Never>?)? = contents.withLock { contents in
      guard let answer = answer(contents) else { return nil }
      defer {
        contents.isAwaited = false
        contents.waiters = []
        contents.queue += 1
        contents.deadline = nil
      }
      return (answer, contents.waiters, contents.deadline)
    }
    guard let (answer, waiters, deadline) = ended else { return }
    deadline?.cancel()
    // In the order they came: a task group of 10,000 needs 0.2 seconds more if its children end out of order.
    for waiter in waiters { waiter?.resume(returning: answer) }
  }
}

/// Where a caller waits: which queue, and its index there. Written and read under the lock.
private final class Place: Sendable {
  let value = Atomic(-1)
}

extension RuntimeSession.Contents {
  fileprivate mutating func join(_ caller: CheckedContinuation<RuntimeSession.Answer, Never>, at place: Place) {
    place.value.store(queue << 32 | waiters.count, ordering: .relaxed)
    waiters.append(caller)
  }

  /// Nil if the caller does not wait: not yet, or no longer.
  fileprivate mutating func leave(_ place: Place) -> CheckedContinuation<RuntimeSession.Answer, Never>? {
    let value = place.value.load(ordering: .relaxed)
    guard value >= 0, value >> 32 == queue else { return nil }
    let index = value & 0xFFFF_FFFF
    defer { waiters[index] = nil }
    return waiters[index]
  }
}
