package import Foundation
import Synchronization

/// One access token and its callers: a snapshot that is read without waiting, the callers that wait for its refresh, and
/// when that is due.
///
/// The session's own access token is in one, that of each resource is in one, and that of a service is in one. The slot
/// refreshes nothing itself: its owner starts a refresh when the slot asks for it, then calls
/// ``follow(_:generation:isRejected:canRefresh:isUnresolved:)``, ``publish(_:isLifetimeCapped:)`` or
/// ``noteFailure(_:of:)``, and ``resume(_:failure:)``, one after the other. All else may be called concurrently. No
/// foreign code is called while its lock is held.
package final class TokenSlot: Sendable {
  /// The result for all callers of one refresh. One object, since otherwise each of thousands would hold a whole result
  /// in several frames.
  package final class Outcome: Sendable {
    private let session: AuthSession?
    private let failure: AuthenticationError?
    private let sufficiency: Sufficiency?

    fileprivate init(_ session: AuthSession?, failure: AuthenticationError?, _ sufficiency: Sufficiency? = nil) {
      self.session = session
      self.failure = failure
      self.sufficiency = sufficiency
    }

    /// Whether the provider was not asked for it.
    fileprivate var isHeldOff: Bool { failure?.isHeldOff ?? false }

    /// - Throws: the failure, also if there is a session whose token does not last for as long as the caller wants.
    @inline(never)
    package func get(lasting wanted: Duration?, at uptime: Duration) throws(AuthenticationError) -> AuthSession {
      guard let session else { throw failure ?? .notSignedIn }
      if let failure, sufficiency?.lasts(session.accessToken, for: wanted, at: uptime) == false { throw failure }
      return session
    }
  }

  /// How long a token must last for a caller.
  fileprivate struct Sufficiency: Sendable {
    let endsAt: Duration?
    let isLifetimeCapped: Bool
    let policy: RefreshPolicy

    /// - Parameter wanted: nil asks only that it is valid now.
    func lasts(_ token: AccessToken, for wanted: Duration?, at uptime: Duration) -> Bool {
      guard let endsAt else { return true }
      let enough = wanted.map { policy.enough(of: token, for: $0, isCapped: isLifetimeCapped) }
      return endsAt - uptime > enough ?? .zero
    }
  }

  fileprivate struct Contents {
    var timing: RefreshTiming
    var usable: AuthSession?
    /// Until this uptime the usable session is returned, and nothing else is to be done. Kept, so that a read compares
    /// one time.
    var isUndisturbedUntil = Duration.zero
    /// From here on the token is refreshed in the background; the first caller after it sets this to nil and starts that.
    var refreshEarlyAt: Duration?
    /// From here on callers wait for a refresh.
    var refreshAt: Duration?
    var canRefresh = false
    var isLifetimeCapped = false
    /// Counts the refreshes that were waited for; the current one has a deadline.
    var round = 0
    var isAwaited = false
    var deadline: Task<Void, Never>?
    /// The waiting callers, in the order they came; nil for one that has left. A queue is resumed as a whole.
    var waiters: [CheckedContinuation<Outcome, Never>?] = []
    var queue = 0
  }

  private let contents: Mutex<Contents>
  private let policy: RefreshPolicy
  private let clock: any AuthenticationClock
  private let backoff: Backoff
  private let executor: (any TaskExecutor)?

  /// A slot without a token.
  ///
  /// - Parameters:
  ///   - backoff: how long callers are refused after failures.
  ///   - executor: where deadlines run; by default the system's pool.
  package init(
    policy: RefreshPolicy, clock: any AuthenticationClock, backoff: Backoff, executor: (any TaskExecutor)? = nil
  ) {
    self.policy = policy
    self.clock = clock
    self.backoff = backoff
    self.executor = executor
    contents = Mutex(Contents(timing: RefreshTiming(policy: policy)))
  }

  // MARK: - Reading, without waiting

  /// A session that can be used as it is; `refreshEarly` is called once, for the first caller after its early point.
  package func usable(refreshEarly: () -> Void) -> AuthSession? {
    let uptime = clock.uptime
    let (session, isFirst) = contents.withLock { contents in
      uptime < contents.isUndisturbedUntil ? (contents.usable, false) : contents.usableLater(at: uptime)
    }
    if isFirst { refreshEarly() }
    return session
  }

  /// A session that can be used as it is.
  package func usable(rejecting rejected: AccessToken?, lasting wanted: Duration?) -> AuthSession? {
    let uptime = clock.uptime
    return contents.withLock { usable($0, at: uptime, rejecting: rejected, lasting: wanted) }
  }

  private func usable(
    _ contents: Contents, at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?
  ) -> AuthSession? {
    guard let usable = contents.usable, usable.accessToken != rejected else { return nil }
    if let wanted { return sufficiency(contents).lasts(usable.accessToken, for: wanted, at: uptime) ? usable : nil }
    return contents.refreshAt.map { uptime < $0 } ?? true ? usable : nil
  }

  private func sufficiency(_ contents: Contents) -> Sufficiency {
    Sufficiency(endsAt: contents.timing.endsAt, isLifetimeCapped: contents.isLifetimeCapped, policy: policy)
  }

  /// Whether a server's date would correct the token's expiry.
  package var wantsServerDate: Bool { contents.withLock { $0.timing.wantsServerDate } }

  /// Whether callers that would wait are refused.
  package var isHeldOff: Bool { heldOffError != nil }

  /// Why the provider must not be asked now, even for a caller that waits; nil if it may be.
  package var heldOffError: AuthenticationError? {
    let uptime = clock.uptime
    return contents.withLock { $0.timing.heldOffError(at: uptime) }
  }

  /// Whether the last refresh failed.
  package var hasFailed: Bool { contents.withLock { $0.timing.hasFailed } }

  /// The uptime at which the token expires; nil if unknown.
  package var endsAt: Duration? { contents.withLock { $0.timing.endsAt } }

  /// The time left of the token; nil if unknown.
  package var remaining: Duration? { endsAt.map { $0 - clock.uptime } }

  /// Whether a caller waits for a refresh.
  package var isAwaited: Bool { contents.withLock { $0.isAwaited } }

  /// The uptime from which the token is refreshed, in the background if that is possible; nil if there is none.
  package var refreshesAt: Duration? {
    contents.withLock { $0.timing.refreshEarlyAt(canRefresh: true) ?? $0.refreshAt }
  }

  /// Whether the early point of the token has come, and no caller waits yet.
  package var isEarlyRefreshDue: Bool {
    let uptime = clock.uptime
    return contents.withLock { contents in
      contents.timing.refreshEarlyAt(canRefresh: contents.canRefresh).map { uptime >= $0 } ?? false
    }
  }

  // MARK: - Waiting for a refresh

  /// For whom a refresh is asked.
  package enum Urgency: Sendable {
    case usual
    /// The user asks by hand: whatever failed before, the provider is asked at once.
    case byHand
    /// The same, although the token may be valid.
    case inAnyCase
  }

  /// A session that is enough for a caller, after a refresh if necessary, which `start` begins once for all callers.
  ///
  /// Inlined: each of thousands of waiting callers would hold a frame of it.
  ///
  /// - Parameters:
  ///   - rejected: an access token that a resource has just refused.
  ///   - wanted: how much of the lifetime must be left; nil asks for more than the leeway.
  ///   - reject: called if the refresh that this caller has joined brings the token that it rejects.
  @inline(__always)
  package func session(
    rejecting rejected: AccessToken?, lasting wanted: Duration?, _ urgency: Urgency = .usual,
    reject: (AccessToken) async -> Void, start: @Sendable () -> Void
  ) async throws(AuthenticationError) -> AuthSession {
    if urgency != .inAnyCase, let session = usable(rejecting: rejected, lasting: wanted) { return session }
    var outcome = await refreshed(rejecting: rejected, lasting: wanted, urgency, start: start)
    if !isEnough(outcome, rejecting: rejected, lasting: wanted, urgency) {
      // The refresh that this caller waited for was started for another caller.
      if let rejected { await reject(rejected) }
      outcome = await refreshed(rejecting: rejected, lasting: wanted, urgency, start: start)
    }
    return try outcome.get(lasting: wanted, at: clock.uptime)
  }

  private func isEnough(
    _ outcome: Outcome, rejecting rejected: AccessToken?, lasting wanted: Duration?, _ urgency: Urgency
  ) -> Bool {
    guard let session = try? outcome.get(lasting: wanted, at: clock.uptime) else {
      return urgency == .usual || !outcome.isHeldOff
    }
    if session.accessToken == rejected { return false }
    guard wanted != nil, session.tokens.refresh != nil else { return true }
    return usable(rejecting: nil, lasting: wanted) != nil
  }

  /// Throws while a refresh after a resource's refusal of this token would not help.
  package func checkCooldown(of token: AccessToken?) throws(AuthenticationError) {
    guard let token else { return }
    let uptime = clock.uptime
    let isCoolingDown = contents.withLock { contents in
      guard let end = contents.timing.cooldownEndsAt, uptime < end else { return false }
      return contents.usable?.accessToken == token
    }
    if isCoolingDown { throw .accessTokenRefused }
  }

  /// Waits for the end of one refresh, which the first caller starts. A cancelled caller leaves; the refresh continues.
  private func refreshed(
    rejecting rejected: AccessToken?, lasting wanted: Duration?, _ urgency: Urgency, start: @Sendable () -> Void
  ) async -> Outcome {
    let position = Position()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(continuation, at: position, rejecting: rejected, lasting: wanted, urgency, start: start)
      }
    } onCancel: {
      contents.withLock { $0.leave(position) }?.resume(returning: Outcome(nil, failure: .cancelled))
    }
  }

  // Not inlined: its temporaries would stay in the frame of each of thousands of waiting callers.
  @inline(never)
  private func enter(
    _ caller: CheckedContinuation<Outcome, Never>, at position: Position, rejecting rejected: AccessToken?,
    lasting wanted: Duration?, _ urgency: Urgency, start: () -> Void
  ) {
    let uptime = clock.uptime
    let (outcome, round): (Outcome?, Int?) = contents.withLock { contents in
      if urgency != .inAnyCase, let session = usable(contents, at: uptime, rejecting: rejected, lasting: wanted) {
        return (Outcome(session, failure: nil), nil)
      }
      if Task.isCancelled { return (Outcome(nil, failure: .cancelled), nil) }
      contents.join(caller, at: position)
      if contents.isAwaited { return (nil, nil) }
      contents.isAwaited = true
      contents.round += 1
      return (nil, contents.round)
    }
    if let outcome { caller.resume(returning: outcome) }
    if let round {
      limit(round)
      start()
    }
  }

  /// Ends the waiting for this round after a timeout, with the current token if it is still usable, as during an early
  /// refresh; the refresh continues, and its outcome is published later.
  private func limit(_ round: Int) {
    let deadline = Task.detached(executorPreference: executor) { [weak self, clock, policy] in
      guard (try? await clock.sleep(for: policy.callerTimeout)) != nil else { return }
      self?.endRound { contents, sufficiency in
        guard contents.isAwaited, contents.round == round else { return nil }
        return Outcome(contents.usable, failure: .timedOut, sufficiency)
      }
    }
    let isOver = contents.withLock { contents in
      guard contents.isAwaited, contents.round == round else { return true }
      contents.deadline = deadline
      return false
    }
    if isOver { deadline.cancel() }
  }

  /// - Parameter outcome: the outcome for all waiting callers; nil to leave them waiting.
  private func endRound(with outcome: (Contents, Sufficiency) -> Outcome?) {
    let ended: (Outcome, [CheckedContinuation<Outcome, Never>?], Task<Void, Never>?)? = contents.withLock { contents in
      guard let outcome = outcome(contents, sufficiency(contents)) else { return nil }
      defer {
        contents.isAwaited = false
        contents.waiters = []
        contents.queue += 1
        contents.deadline = nil
      }
      return (outcome, contents.waiters, contents.deadline)
    }
    guard let (outcome, waiters, deadline) = ended else { return }
    deadline?.cancel()
    // In the order they came: a task group of 10,000 needs 0.2 seconds more if its children end out of order.
    for waiter in waiters { waiter?.resume(returning: outcome) }
  }

  // MARK: - Changes that the owner of the token reports

  /// Takes note of the token in use.
  ///
  /// - Parameters:
  ///   - generation: of the session; a token of another one has no history.
  ///   - isRejected: whether a resource has refused it.
  ///   - canRefresh: whether another one can be had.
  ///   - isUnresolved: whether the outcome of an earlier refresh is not known: then another one is due.
  package func follow(
    _ session: AuthSession?, generation: Int, isRejected: Bool = false, canRefresh: Bool, isUnresolved: Bool = false
  ) {
    let uptime = clock.uptime
    contents.withLock { contents in
      contents.timing.follow(
        session?.accessToken, canRefresh: canRefresh, refreshesItself: session?.tokens.refreshThemselves == true,
        generation: generation, isRejected: isRejected, by: clock, random: backoff.random)
      if isUnresolved { contents.timing.makeDue(at: uptime) }
      contents.canRefresh = canRefresh
      contents.update()
    }
  }

  /// Lets callers have this session until the token is to be refreshed; nil lets them wait.
  package func publish(_ usable: AuthSession?, isLifetimeCapped: Bool = false) {
    contents.withLock { contents in
      contents.usable = usable
      contents.isLifetimeCapped = isLifetimeCapped
      contents.update()
    }
  }

  /// Resumes all waiting callers, and lets the next caller start another refresh.
  ///
  /// - Parameter failure: with a session, for callers that want its token to last longer than it does.
  package func resume(_ session: AuthSession?, failure: AuthenticationError?) {
    endRound { Outcome(session, failure: failure, $1) }
  }

  /// After a failure a token that is still valid stays in use, and callers that would wait are refused for a while.
  package func noteFailure(_ error: AuthenticationError, of token: AccessToken?) {
    change { $0.noteFailure(error, of: token, at: $1, backoff: backoff) }
  }

  /// The refresh token was accepted, even if it got another token than this one.
  package func noteSuccess() { change { timing, _ in timing.noteSuccess() } }

  /// Lets the next caller that waits ask the provider, unless the provider itself has asked for more time.
  ///
  /// - Parameter reachedAt: when the provider was reached: the wait after a failure since then stays. Nil if the user
  ///   asks by hand.
  package func endHoldOff(reachedAt: Duration? = nil) {
    change { timing, _ in timing.endHoldOff(reachedAt: reachedAt) }
  }

  /// Corrects the token's expiry by a server's clock, which showed `date` (UTC) at `uptime`.
  package func correct(by date: Date, at uptime: Duration) {
    change { timing, _ in timing.correct(by: date, at: uptime) }
  }

  private func change(_ body: (inout RefreshTiming, _ uptime: Duration) -> Void) {
    let uptime = clock.uptime
    contents.withLock { contents in
      body(&contents.timing, uptime)
      contents.update()
    }
  }
}

/// Where a caller waits: which queue, and its index there. Written and read under the lock.
private final class Position: Sendable {
  let value = Atomic(-1)
}

extension TokenSlot.Contents {
  fileprivate mutating func join(_ caller: CheckedContinuation<TokenSlot.Outcome, Never>, at position: Position) {
    position.value.store(queue << 32 | waiters.count, ordering: .relaxed)
    waiters.append(caller)
  }

  /// Nil if the caller does not wait: not yet, or no longer.
  fileprivate mutating func leave(_ position: Position) -> CheckedContinuation<TokenSlot.Outcome, Never>? {
    let value = position.value.load(ordering: .relaxed)
    guard value >= 0, value >> 32 == queue else { return nil }
    let index = value & 0xFFFF_FFFF
    defer { waiters[index] = nil }
    return waiters[index]
  }

  /// Follows a change of the timing or of the session.
  fileprivate mutating func update() {
    refreshEarlyAt = timing.refreshEarlyAt(canRefresh: canRefresh)
    refreshAt = timing.refreshAt(canRefresh: canRefresh)
    let never = Duration.seconds(Int64.max)
    isUndisturbedUntil = usable == nil ? .zero : min(refreshEarlyAt ?? never, refreshAt ?? never)
  }

  /// A session that can be used after the time when something is to be done, and whether a refresh is to begin.
  fileprivate mutating func usableLater(at uptime: Duration) -> (AuthSession?, Bool) {
    guard usable != nil, refreshAt.map({ uptime < $0 }) ?? true else { return (nil, false) }
    guard let point = refreshEarlyAt, uptime >= point else { return (usable, false) }
    refreshEarlyAt = nil
    isUndisturbedUntil = refreshAt ?? .seconds(Int64.max)
    return (usable, true)
  }
}
