package import Foundation

/// The rules of a session as a pure value: each event is a method that returns effects. No I/O, no clock, no actor.
///
/// Perform the effects of an event in their order before the next event. Dates are the wall clock (UTC).
///
/// Every sign-in and every sign-out starts a new generation; a response that belongs to an older one is discarded and
/// its tokens are revoked. Only two things sign out: a store that is certainly empty, and a provider's refusal.
package struct SessionMachine: Sendable {
  private var record = SessionRecord()
  private var store = StoreView()
  private var refresh: RefreshInProgress?
  /// The provider's refusal of the current session while the store cannot say whether there is a newer one: the token
  /// is not sent again.
  private var heldRejection: (generation: Int, error: AuthenticationError)?
  private var freshness = ActiveSession.Freshness.fresh
  private var signOutReason = SignOutReason.absent
  private var challenge: Challenge?
  /// A resource refused the current access token: it is not returned again.
  private var accessTokenIsRejected = false
  /// The same of the access tokens of further resources, by their keys.
  private var rejectedTokens: [String: AccessToken] = [:]
  /// The resources of which a refresh has returned a token that cannot last as long as a caller wanted, by their keys.
  private var cappedResources: Set<String> = []
  /// A refresh has returned a token that cannot last as long as a caller wanted: no other one will.
  private var lifetimeRequestIsCapped = false
  private var generation = 0
  private var attempt = 0
  private let policy: RefreshPolicy
  /// Names writes and sign-ins.
  private let makeID: @Sendable () -> RecordID

  /// What the store holds, or is to hold.
  package var currentRecord: SessionRecord { record }
  /// Increased with each session that begins, ends or comes from another process; a refresh by this process keeps it.
  package var currentGeneration: Int { generation }
  /// Counts the attempts to sign in; only the latest may become the session.
  package var currentAttempt: Int { attempt }
  package var currentChallenge: Challenge? { challenge }
  package var storeView: StoreView { store }
  var refreshInProgress: RefreshInProgress? { refresh }
  var isLifetimeRequestCapped: Bool { lifetimeRequestIsCapped }
  package var isAccessTokenRejected: Bool { accessTokenIsRejected }

  /// A revocation that has waited for 30 days (in seconds) is sent a last time, then dropped.
  static let longestQueueTime = 30 * 86_400.0

  /// A machine that knows nothing yet: its first event is the read of the store.
  package init(
    policy: RefreshPolicy = .standard, makeID: @escaping @Sendable () -> RecordID = { RecordID.random() }
  ) {
    self.policy = policy
    self.makeID = makeID
  }

  /// A refresh that is being waited for.
  struct RefreshInProgress: Sendable, Equatable {
    let generation: Int
    /// Whose access token it gets; nil for the session's own.
    var resource: ProtectedResource?
    let cause: AuthenticationEvent.Cause
    /// How long the new token should last at least, if a caller said so.
    let wanted: Duration?
    /// The token was sent; until then the refresh waits for the lock.
    var hasBegun = false
    /// Whether the send before had a response, which could not be used.
    var followsAnswer = false
  }

  /// What to publish.
  package var state: AuthenticationState {
    switch store.reading {
    case .unread: return .unknown
    case .unavailable(let error): return .unavailable(error)
    case .read: break
    }
    if let session = record.session {
      return .signedIn(
        ActiveSession(
          session: session, freshness: freshness, unsaved: store.failure, needsInteraction: record.needsInteraction))
    }
    if let challenge { return .challenged(challenge) }
    return .signedOut(signOutReason)
  }

  /// Whether the current access token may be returned: it has not been refused by a resource, and is not expired.
  package var accessTokenIsUsable: Bool {
    record.session != nil && !accessTokenIsRejected && freshness != .expired
  }

  /// Whether a refresh of the current session is in progress.
  package var isRefreshing: Bool { refresh?.generation == generation }

  /// Whether another process, or this one before a crash, sent the refresh token, and the outcome is not known.
  var hasUnresolvedRefresh: Bool {
    guard let entry = record.refreshJournal, !entry.isAnswered else { return false }
    return !(isRefreshing && refresh?.hasBegun == true)
  }
}

extension SessionMachine {
  /// What must be done, in this order: remote, then store, then runtime.
  package enum Effect: Sendable, Equatable {
    /// Store this; then call ``saved()`` or ``saveFailed(_:found:)``.
    case save(SessionRecord)
    /// Make ``SessionMachine/state`` the runtime's.
    case publish
    /// Start a refresh of this session.
    case refresh(AuthSession, generation: Int)
    /// Get an access token for this resource with the refresh token of this session.
    case refreshResource(ProtectedResource, AuthSession, generation: Int)
    /// Wait before the next attempt after this failure.
    case backOff(AuthenticationError)
    /// The same for the access token of this resource.
    case backOffResource(ProtectedResource, AuthenticationError)
    /// Resume all callers that wait for a token, with the current session (nil) or a failure. If the token is still
    /// valid, only callers that want it to last longer than it does get the failure. Without a session, or with that
    /// of another user, this includes the callers that wait for a token of any resource.
    case resumeWaiters(AuthenticationError?, tokenIsGood: Bool = false)
    /// The same for the callers that wait for a token of this resource.
    case resumeResourceWaiters(ProtectedResource, AuthenticationError?, tokenIsGood: Bool = false)
    /// Send the queued revocations; then call ``revocationCompleted(_:_:)``.
    case deliverRevocations
    /// Try to save again later.
    case retrySave
    /// Send this event to the listeners of ``AuthManager/events()``.
    case report(AuthenticationEvent)

    /// Its name, with the code of a failure.
    package var summary: String {
      switch self {
      case .save: "save"
      case .publish: "publish"
      case .refresh: "refresh"
      case .refreshResource: "refresh_resource"
      case .backOff(let error): "back_off \(error.code)"
      case .backOffResource(_, let error): "back_off_resource \(error.code)"
      case .resumeWaiters(let failure, _): "resume \(failure?.code ?? "all")"
      case .resumeResourceWaiters(_, let failure, _): "resume_resource \(failure?.code ?? "all")"
      case .deliverRevocations: "deliver_revocations"
      case .retrySave: "retry_save"
      case .report(let event): "report \(event.name.rawValue)"
      }
    }
  }

  // MARK: - Signing in: only the latest attempt becomes the session

  /// A new attempt begins; it replaces the one in progress.
  package mutating func signInStarted() { attempt += 1 }

  /// The provider responded to that attempt.
  package mutating func signInCompleted(
    attempt completed: Int, _ result: Result<SignInOutcome, AuthenticationError>, at now: Date
  ) -> [Effect] {
    switch result {
    case .success(.session(let session)):
      guard completed == attempt else { return tokensOrphaned(session.tokens, of: session.user.id, at: now) }
      return adopt(signedIn: session, now)
    case .success(.challenge(let asked)):
      guard completed == attempt, record.session == nil else { return [] }
      challenge = asked
      return [.publish]
    case .failure(let error):
      guard completed == attempt, error == .signInExpired, challenge != nil else { return [] }
      challenge = nil
      return [.publish]
    }
  }

  /// The user has given up the attempt that this challenge belongs to.
  package mutating func challengeDropped(_ dropped: Challenge) -> [Effect] {
    guard challenge == dropped else { return [] }
    challenge = nil
    return [.publish]
  }

  /// The provider told more about the user, and gave the same user other tokens if there are any.
  ///
  /// Tokens that were refreshed meanwhile stay; those of an upgrade count as refreshed, and are revoked if the user is
  /// no longer signed in.
  package mutating func userChanged(_ user: User, _ tokens: SessionTokens?, at now: Date) -> [Effect] {
    guard let session = record.session, session.user.isSame(as: user) else {
      return tokens.map { tokensOrphaned($0, of: user.id, at: now) } ?? []
    }
    let changed = AuthSession(user: user, tokens: tokens ?? session.tokens)
    guard changed != session else { return [] }
    guard changed.tokens != session.tokens else {
      record.session = changed
      return save() + [.publish]
    }
    generation += 1
    record.refreshes += 1
    record.dropResourceTokens()
    use(changed)
    return save() + [.publish, .resumeWaiters(nil)]
  }

  /// The user of the session has signed in again.
  ///
  /// The new session replaces the one of the same user in one write, as a sign-in does; without one its tokens are
  /// revoked. An attempt in progress goes on.
  package mutating func userProved(_ session: AuthSession, at now: Date) -> [Effect] {
    guard session.user.isSame(as: record.session?.user) else {
      return tokensOrphaned(session.tokens, of: session.user.id, at: now)
    }
    let attempt = attempt
    defer { self.attempt = attempt }
    return adopt(signedIn: session, now)
  }

  private mutating func adopt(signedIn session: AuthSession, _ now: Date) -> [Effect] {
    let replaced = record.session
    if !store.isRead { (store.reading, store.replacedUnreadAt) = (.read, now) }
    generation += 1
    attempt += 1
    record.endSignIn()
    record.dropResourceTokens()
    use(session)
    (record.signInID, record.refreshes, record.signedInAt) = (makeID(), 0, now)
    record.formerUser = nil
    lifetimeRequestIsCapped = false
    challenge = nil
    record.queue(replaced, now)
    let isSuperseded = replaced.map { !$0.user.isSame(as: session.user) } ?? false
    return save() + [.publish, .resumeWaiters(isSuperseded ? .superseded : nil)] + deliverIfPending
  }

  // MARK: - Refreshing: when one starts, and what becomes of the session after its response, or without one

  /// A caller needs a token other than `rejected`, with more than `wanted` left (nil: more than the leeway).
  package mutating func refreshRequested(
    _ cause: AuthenticationEvent.Cause = .expiry, rejected: AccessToken?, remaining: Duration?, wanted: Duration?
  ) -> [Effect] {
    if case .unavailable(let error) = store.reading { return [.resumeWaiters(error)] }
    guard let session = record.session else { return [.resumeWaiters(signOutReason.error)] }
    let refusal = rejected.map { accessTokenRefused($0) } ?? []
    if isRefreshing { return refusal }
    let token = session.accessToken
    let enough =
      wanted.map { policy.enough(of: token, for: $0, isCapped: lifetimeRequestIsCapped) } ?? policy.leeway(of: token)
    let isLasting = remaining.map { $0 > enough } ?? true
    if accessTokenIsUsable, isLasting { return [.resumeWaiters(nil)] }
    guard session.tokens.refresh != nil else {
      if accessTokenIsUsable, remaining.map({ $0 > .zero }) ?? true { return [.resumeWaiters(nil)] }
      freshness = .expired
      return [.publish, .resumeWaiters(.sessionExpired)]
    }
    refresh = RefreshInProgress(generation: generation, cause: cause, wanted: wanted)
    return (accessTokenIsRejected ? [.publish] : []) + [.refresh(session, generation: generation)]
  }

  /// A caller needs a token of another resource than the session's own, other than `rejected`, with more than `wanted`
  /// left (nil: more than the leeway).
  ///
  /// While another refresh is in progress nothing begins, since a refresh token that is replaced at each use must not be
  /// sent twice: ask again after its end.
  ///
  /// - Parameter remaining: the time left of the resource's token; nil if unknown.
  package mutating func resourceRequested(
    _ resource: ProtectedResource, _ cause: AuthenticationEvent.Cause = .expiry, rejected: AccessToken?,
    remaining: Duration?, wanted: Duration? = nil
  ) -> [Effect] {
    if case .unavailable(let error) = store.reading { return [.resumeResourceWaiters(resource, error)] }
    guard let session = record.session else { return [.resumeResourceWaiters(resource, signOutReason.error)] }
    let refusal = rejected.map { accessTokenRefused($0, by: resource) } ?? []
    guard !isRefreshing else { return refusal }
    if let token = token(for: resource) {
      let isCapped = isLifetimeRequestCapped(for: resource)
      let enough = wanted.map { policy.enough(of: token, for: $0, isCapped: isCapped) } ?? policy.leeway(of: token)
      if remaining.map({ $0 > enough }) ?? true { return [.resumeResourceWaiters(resource, nil)] }
    }
    guard session.tokens.outliveAccess else { return refusal + [.resumeResourceWaiters(resource, .noRefreshToken)] }
    refresh = RefreshInProgress(generation: generation, resource: resource, cause: cause, wanted: wanted)
    return refusal + [.refreshResource(resource, session, generation: generation)]
  }

  /// A resource refused its own access token: it is not returned again.
  package mutating func accessTokenRefused(_ token: AccessToken, by resource: ProtectedResource) -> [Effect] {
    let key = resource.key
    guard token == record.resourceTokens[key], token != rejectedTokens[key] else { return [] }
    rejectedTokens[key] = token
    return [.publish]
  }

  func isLifetimeRequestCapped(for resource: ProtectedResource) -> Bool { cappedResources.contains(resource.key) }

  /// The access token of a resource that is not known to be refused; it may have expired.
  package func token(for resource: ProtectedResource) -> AccessToken? {
    let token = record.resourceTokens[resource.key]
    return token == rejectedTokens[resource.key] ? nil : token
  }

  /// The refresh in progress was not sent: what it was to get has come from another process.
  package mutating func refreshOvertaken(generation began: Int) {
    if refresh?.generation == began, refresh?.hasBegun == false { refresh = nil }
  }

  /// A resource refused this access token: it is not returned again.
  package mutating func accessTokenRefused(_ token: AccessToken) -> [Effect] {
    guard token == record.session?.accessToken, !accessTokenIsRejected else { return [] }
    accessTokenIsRejected = true
    return [.publish]
  }

  /// The refresh token of that generation is about to be sent.
  ///
  /// Writes the journal: if the process dies from here on, the store says that the token may be spent.
  package mutating func refreshBegan(generation began: Int, at now: Date) -> [Effect] {
    guard began == generation, record.session != nil else { return [] }
    refresh?.hasBegun = true
    let earlier = record.refreshJournal
    refresh?.followsAnswer = earlier?.isAnswered ?? false
    record.refreshJournal = RefreshJournalEntry(begunAt: earlier?.begunAt ?? now, sends: (earlier?.sends ?? 0) + 1)
    return save()
  }

  /// The refresh token of that generation could not be sent now, or no response came in time.
  package mutating func refreshFailed(
    generation began: Int, _ error: AuthenticationError, remaining: Duration?
  ) -> [Effect] {
    let resource = refresh?.resource
    if refresh?.generation == began { refresh = nil }
    guard began == generation, record.session != nil else { return [] }
    return keep(after: error, of: resource, remaining: remaining)
  }

  /// The provider responded to a refresh, or failed.
  ///
  /// After a lost response the token is sent again immediately, up to `RefreshPolicy.resends` times: the refresh
  /// stays in progress.
  ///
  /// - Parameters:
  ///   - session: the session whose refresh token was sent, in the sign-in `signInID`.
  ///   - resource: whose access token was asked for; nil for the session's own.
  ///   - refusal: why the new access token is not one for the resource.
  ///   - remaining: the time left of the access token that was to be replaced; nil if unknown.
  package mutating func refreshCompleted(
    generation began: Int, of session: AuthSession, for resource: ProtectedResource? = nil,
    refusal: AuthenticationError? = nil, signInID: RecordID?,
    _ result: Result<SessionTokens, AuthenticationError>, remaining: Duration?, at now: Date
  ) -> [Effect] {
    // What is known of the user may have changed meanwhile.
    let isCurrent = began == generation && session.tokens == record.session?.tokens
    if isCurrent, isRefreshing, case .failure(let error) = result, error.isLostResponse,
      let sends = record.refreshJournal?.sends, sends <= policy.resends
    {
      return [.report(.init(.retry, failure: error))]
    }
    guard isCurrent else {
      // Tokens of an ended sign-in are revoked. Those of the current one share its grant: to revoke them could end it.
      guard case .success(let tokens) = result else { return [] }
      if record.session != nil, signInID == record.signInID { return [] }
      return tokensOrphaned(tokens, of: session.user.id, at: now)
    }
    let (wanted, followsAnswer) = (refresh?.wanted, refresh?.followsAnswer ?? false)
    refresh = nil
    if case .failure(let error) = result, let wait = error.retryAfter {
      record.retryAt = now.addingTimeInterval(min(wait, policy.longestHoldOff) / .seconds(1))
    }
    switch result {
    case .success(let tokens) where resource != nil:
      guard let resource else { return [] }
      record.refreshes += 1
      keep((record.session ?? session).kept(by: tokens))
      if freshness == .expired { freshness = .stale }
      if refusal == nil { record.keep(tokens.access, for: resource.key) }
      if let wanted, !policy.canLast(tokens.access, for: wanted) { cappedResources.insert(resource.key) }
      let backingOff = refusal.map { [Effect.backOffResource(resource, $0)] } ?? []
      return save() + backingOff + [.publish, .resumeResourceWaiters(resource, refusal)] + deliverIfPending
    case .success(let tokens):
      if let wanted, !policy.canLast(tokens.access, for: wanted) { lifetimeRequestIsCapped = true }
      record.refreshes += 1
      use((record.session ?? session).refreshed(with: tokens))
      return save() + [.publish, .resumeWaiters(nil)] + deliverIfPending
    case .failure(let error) where error.disposition == .endsSession:
      guard let blocked = store.blocked else { return end(session, with: error) }
      // Until the store can be read, the token counts as not sent.
      heldRejection = (generation, error)
      return clearJournal(followsAnswer: followsAnswer) + keep(after: blocked, of: resource, remaining: remaining)
    case .failure(let error) where error.leavesTokenUnused:
      if resource == nil {
        if error.isUnexplainedRefusal {
          // Without an earlier success the request itself may be wrong.
          let needed =
            error.blamesRequest && record.refreshes > 0 ? RefusedRefresh.ofWorkingRequest : RefusedRefresh.usual
          record.refusedRefresh =
            record.refusedRefresh?.again(at: now, of: needed) ?? RefusedRefresh(latestAt: now)
        }
        if error == .insufficientUserAuthentication { record.needsInteraction = true }
      }
      return clearJournal(followsAnswer: followsAnswer) + keep(after: error, of: resource, remaining: remaining)
    case .failure(let error) where error.isUnusableResponse:
      record.refreshJournal?.isAnswered = true
      return save() + keep(after: error, of: resource, remaining: remaining)
    // The token may be spent: the provider failed after it got the token, or its response is not known.
    case .failure(let error):
      return (error.retryAfter == nil ? [] : save()) + keep(after: error, of: resource, remaining: remaining)
    }
  }

  /// The refusal of an earlier refresh of this session, which takes effect once the store can be read.
  var currentHeldRejection: AuthenticationError? {
    heldRejection.flatMap { $0.generation == generation ? $0.error : nil }
  }

  /// That refusal takes effect now.
  mutating func heldRejectionTaken() { heldRejection = nil }

  /// Makes this session, whose tokens have just come, the one in use.
  private mutating func use(_ session: AuthSession) {
    keep(session)
    record.needsInteraction = false
    freshness = .fresh
    accessTokenIsRejected = false
  }

  /// Makes this session the one in use; its refresh token has not been sent.
  private mutating func keep(_ session: AuthSession) {
    record.session = session
    (record.refreshJournal, record.refusedRefresh, record.retryAt) = (nil, nil, nil)
  }

  /// Whether the provider seems to have forgotten the session; a later refresh may show that it has not.
  private var isForgotten: Bool { record.refusedRefresh?.isConfirmed ?? false }

  /// A token that is still valid stays in use; without one the session is stale, and the user stays signed in.
  private mutating func keep(
    after error: AuthenticationError, of resource: ProtectedResource?, remaining: Duration?
  ) -> [Effect] {
    if let resource {
      let isGood = token(for: resource) != nil && (remaining.map { $0 > .zero } ?? true)
      return [
        .backOffResource(resource, error), .publish, .resumeResourceWaiters(resource, error, tokenIsGood: isGood),
      ]
    }
    if isForgotten {
      freshness = .expired
      return [.backOff(error), .publish, .resumeWaiters(.forgotten(providerCode: error.providerCode))]
    }
    let isStillGood = !accessTokenIsRejected && (remaining.map { $0 > .zero } ?? true)
    let hasEnded = remaining.map { $0 <= .zero } ?? false
    if !isStillGood { freshness = hasEnded && record.session?.tokens.outliveAccess == false ? .expired : .stale }
    return [.backOff(error), .publish, .resumeWaiters(error, tokenIsGood: isStillGood)]
  }

  /// If the refused token was sent before without a response, this is an ambiguous loss, not a rejection.
  private mutating func end(_ session: AuthSession, with error: AuthenticationError) -> [Effect] {
    let wasSentBefore = record.refreshJournal.map { $0.sends > 1 } ?? false
    generation += 1
    record.refuseSignIn()
    record.session = nil
    record.refreshJournal = nil
    record.formerUser = wasSentBefore ? session.user : nil
    signOutReason = (wasSentBefore ? SignOutReason.ambiguousLoss : .rejected).given(by: error)
    record.endReason = signOutReason
    return save() + [
      .publish, .resumeWaiters(wasSentBefore ? .ambiguousLoss : error),
      .report(.init(.signOut, detail: signOutReason.description)),
    ]
  }

  /// A request that the provider did not process does not count as a send.
  private mutating func clearJournal(followsAnswer: Bool) -> [Effect] {
    guard let entry = record.refreshJournal else { return [] }
    record.refreshJournal =
      entry.sends > 1
      ? RefreshJournalEntry(begunAt: entry.begunAt, sends: entry.sends - 1, isAnswered: followsAnswer) : nil
    return save()
  }
}

/// The inputs of the machine as values, so that they can be recorded and replayed.
extension SessionMachine {
  /// An input of the machine; each is one of its methods.
  package enum Event: Sendable, Codable {
    /// A machine begins: with nothing, or where another one is while nothing is in progress.
    case began(leeway: Noted<Duration>, resends: Int, from: Noted<Checkpoint>?)
    case signInStarted
    case signInCompleted(
      attempt: Int, outcome: Noted<SignInOutcome>?, failure: Noted<AuthenticationError>?, at: Date)
    case challengeDropped(challenge: Noted<Challenge>)
    case userChanged(user: Noted<User>, tokens: Noted<SessionTokens>?, at: Date)
    case userProved(session: Noted<AuthSession>, at: Date)
    case refreshRequested(
      cause: AuthenticationEvent.Cause, rejected: Noted<AccessToken>?, remaining: Noted<Duration>?,
      wanted: Noted<Duration>?)
    case resourceRequested(
      resource: Noted<ProtectedResource>, cause: AuthenticationEvent.Cause, rejected: Noted<AccessToken>?,
      remaining: Noted<Duration>?, wanted: Noted<Duration>?)
    case accessTokenRefused(token: Noted<AccessToken>, resource: Noted<ProtectedResource>?)
    case refreshOvertaken(generation: Int)
    case refreshBegan(generation: Int, at: Date)
    case refreshFailed(generation: Int, failure: Noted<AuthenticationError>, remaining: Noted<Duration>?)
    case refreshCompleted(
      generation: Int, response: Noted<RefreshResponse>, resource: Noted<ProtectedResource>?,
      refusal: Noted<AuthenticationError>?, signInID: RecordID?, remaining: Noted<Duration>?, at: Date)
    case heldRejectionTaken
    case storeRead(record: Noted<SessionRecord>?, failure: Noted<AuthenticationError>?, at: Date)
    case storeBlocked(failure: Noted<AuthenticationError>?)
    case saved
    case saveRetried
    case saveFailed(failure: Noted<AuthenticationError>, found: Noted<SessionRecord>?)
    case lifetimeCorrected(remaining: Noted<Duration>?)
    case tokensOrphaned(tokens: Noted<SessionTokens>, user: Noted<User>?, at: Date)
    case signOutRequested(revoking: Bool, reason: Noted<SignOutReason>, at: Date)
    case revocationStarted(revocation: Noted<PendingRevocation>, at: Date)
    case revocationCompleted(revocation: Noted<PendingRevocation>, failure: Noted<AuthenticationError>?)

    static func signInCompleted(
      attempt: Int, _ result: Result<SignInOutcome, AuthenticationError>, at now: Date
    ) -> Self {
      .signInCompleted(attempt: attempt, outcome: (try? result.get()).noted, failure: result.failure.noted, at: now)
    }
  }

  /// Takes an event.
  package mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .began(_, _, let from): if let from { resume(from.value) }
    case .signInStarted: signInStarted()
    case .signInCompleted(let attempt, let outcome, let failure, let now):
      return signInCompleted(attempt: attempt, Result(outcome, failure), at: now)
    case .challengeDropped(let challenge): return challengeDropped(challenge.value)
    case .userChanged(let user, let tokens, let now): return userChanged(user.value, tokens?.value, at: now)
    case .userProved(let session, let now): return userProved(session.value, at: now)
    case .refreshRequested(let cause, let rejected, let remaining, let wanted):
      return refreshRequested(cause, rejected: rejected?.value, remaining: remaining?.value, wanted: wanted?.value)
    case .resourceRequested(let resource, let cause, let rejected, let remaining, let wanted):
      return resourceRequested(
        resource.value, cause, rejected: rejected?.value, remaining: remaining?.value, wanted: wanted?.value)
    case .accessTokenRefused(let token, let resource):
      return resource.map { accessTokenRefused(token.value, by: $0.value) } ?? accessTokenRefused(token.value)
    case .refreshOvertaken(let generation): refreshOvertaken(generation: generation)
    case .refreshBegan(let generation, let now): return refreshBegan(generation: generation, at: now)
    case .refreshFailed(let generation, let failure, let remaining):
      return refreshFailed(generation: generation, failure.value, remaining: remaining?.value)
    case .refreshCompleted(let generation, let response, let resource, let refusal, let signIn, let remaining, let now):
      return refreshCompleted(
        generation: generation, of: response.value.session, for: resource?.value, refusal: refusal?.value,
        signInID: signIn, response.value.result, remaining: remaining?.value, at: now)
    case .heldRejectionTaken: heldRejectionTaken()
    case .storeRead(let record, let failure, let now):
      return storeRead(failure.map { .failure($0.value) } ?? .success(record?.value), at: now)
    case .storeBlocked(let failure): storeBlocked(failure?.value)
    case .saved: return saved()
    case .saveRetried: return saveRetried()
    case .saveFailed(let failure, let found): return saveFailed(failure.value, found: found?.value)
    case .lifetimeCorrected(let remaining): return lifetimeCorrected(remaining: remaining?.value)
    case .tokensOrphaned(let tokens, let user, let now):
      return tokensOrphaned(tokens.value, of: user?.value.id, at: now)
    case .signOutRequested(let revoking, let reason, let now):
      return signOutRequested(revoking: revoking, because: reason.value, at: now)
    case .revocationStarted(let revocation, let now): return revocationStarted(revocation.value, at: now)
    case .revocationCompleted(let revocation, let failure):
      return revocationCompleted(revocation.value, failure?.value)
    }
    return []
  }

  /// What a machine knows while nothing is in progress: another one goes on from it.
  package struct Checkpoint: Sendable {
    var record: SessionRecord
    var freshness: ActiveSession.Freshness
    var reason: SignOutReason
    var isCapped: Bool
    var generation: Int
    var attempt: Int
  }

  /// The event with which a machine in the state of this one begins; nil while something is in progress.
  ///
  /// - Parameter isNew: whether no event has come yet.
  func beginning(isNew: Bool) -> Event? {
    let isSettled =
      !isRefreshing && currentHeldRejection == nil && challenge == nil && !accessTokenIsRejected
      && rejectedTokens.allSatisfy { record.resourceTokens[$0.key] != $0.value } && store.isSettled(at: record)
      && cappedResources.isEmpty
    guard isNew || isSettled else { return nil }
    let checkpoint = Checkpoint(
      record: record, freshness: freshness, reason: signOutReason, isCapped: lifetimeRequestIsCapped,
      generation: generation, attempt: attempt)
    return .began(leeway: policy.leeway.noted, resends: policy.resends, from: isNew ? nil : checkpoint.noted)
  }

  private mutating func resume(_ checkpoint: Checkpoint) {
    self = SessionMachine(policy: policy, makeID: makeID)
    (record, store.known, store.reading) = (checkpoint.record, checkpoint.record, .read)
    (freshness, signOutReason, lifetimeRequestIsCapped) = (checkpoint.freshness, checkpoint.reason, checkpoint.isCapped)
    (generation, attempt) = (checkpoint.generation, checkpoint.attempt)
  }

  /// Whether each later event has the same effects here as there.
  func isSame(as other: SessionMachine) -> Bool {
    generation == other.generation && attempt == other.attempt && refresh == other.refresh
      && currentHeldRejection == other.currentHeldRejection && freshness == other.freshness
      && signOutReason == other.signOutReason && accessTokenIsRejected == other.accessTokenIsRejected
      && lifetimeRequestIsCapped == other.lifetimeRequestIsCapped && challenge == other.challenge
      && rejectedTokens == other.rejectedTokens && store == other.store && record == other.record
  }
}

extension Result where Success == SignInOutcome, Failure == AuthenticationError {
  fileprivate init(_ outcome: Noted<SignInOutcome>?, _ failure: Noted<AuthenticationError>?) {
    self = outcome.map { .success($0.value) } ?? .failure(failure?.value ?? .unexpectedResponse)
  }
}

extension StoreView {
  /// Whether the store holds this record, as far as is known.
  fileprivate func isSettled(at record: SessionRecord) -> Bool {
    isRead && known == record && tried == nil && blocked == nil && failure == nil && replacedUnreadAt == nil
  }
}

/// What this process knows of its store.
package struct StoreView: Sendable, Equatable {
  package enum Reading: Sendable, Equatable {
    case unread
    case unavailable(AuthenticationError)
    case read
  }

  package fileprivate(set) var reading = Reading.unread
  /// What the store held when it was last read or written.
  var known = SessionRecord()
  /// What was to be stored since, if it is not known whether it was.
  var tried: SessionRecord?
  /// Why nothing can be saved now: another process holds the store, or it cannot be read.
  var blocked: AuthenticationError?
  /// Why the store does not hold the machine's record; nil if it does.
  var failure: AuthenticationError?
  var failedSaves = 0
  /// When a user signed in here over what was never read (UTC): a session that it holds from before that is replaced.
  var replacedUnreadAt: Date?

  /// Whether what the store holds was read, or was replaced unread by a sign-in; until then nothing is to be saved.
  package var isRead: Bool {
    if case .read = reading { true } else { false }
  }
}

/// Reading and writing: what another process has stored is taken over, or merged with what is not saved yet here.
extension SessionMachine {
  /// The store was read: for the first time, or again. A failure counts only before the first success.
  package mutating func storeRead(
    _ result: Result<SessionRecord?, AuthenticationError>, at now: Date
  ) -> [Effect] {
    let read: SessionRecord?
    switch result {
    case .success(let success): read = success
    case .failure(let error):
      if store.isRead { return [] }
      store.reading = .unavailable(error)
      return [.publish, .report(.init(.storage, failure: error))]
    }
    var stored = (read ?? SessionRecord()).identified(after: store.known, by: makeID)
    // What deleted the session before the failed save also deleted what that save may have written.
    if stored.writeID == nil, stored.session == nil, store.known.session != nil, let id = store.tried?.signInID {
      stored.note(EndedSignIn(id: id))
    }
    let base = stored == store.tried ? stored : store.known
    (store.known, store.tried) = (stored, nil)
    if !store.isRead { return begin(with: stored, now) }
    endReplaced(stored)
    // What the failed save was to store is found there: the next save writes it again, since the store reported a
    // failure.
    if stored == record || store.failure != nil && stored == base { return [] }
    if store.failure != nil { return merge(stored, since: base, now) }
    return [.publish] + adopt(stored, now)
  }

  /// Ends the sign-in that one here has replaced before the store could be read.
  private mutating func endReplaced(_ stored: SessionRecord) {
    guard let replacedAt = store.replacedUnreadAt else { return }
    store.replacedUnreadAt = nil
    guard let id = stored.signInID, id != record.signInID else { return }
    if stored.signedInAt.map({ $0 <= replacedAt }) ?? true { record.note(EndedSignIn(id: id)) }
  }

  private mutating func begin(with stored: SessionRecord, _ now: Date) -> [Effect] {
    store.reading = .read
    let orphaned = record.pendingRevocations
    record = stored
    record.pendingRevocations += orphaned
    freshness = storedFreshness(now)
    if record.session != nil { challenge = nil }
    if let reason = record.endReason ?? (record.formerUser != nil ? .ambiguousLoss : nil) { signOutReason = reason }
    return (orphaned.isEmpty ? [] : save()) + [.publish] + deliverIfPending
  }

  /// Takes over what another process has stored, which is newer than what is current here.
  private mutating func adopt(_ stored: SessionRecord, _ now: Date) -> [Effect] {
    let (replaced, signInID, endReason) = (record.session, record.signInID, record.endReason)
    if signInID == stored.signInID, let token = stored.session?.accessToken { learn(from: token) }
    record = stored
    if isForgotten { freshness = .expired }
    guard stored.session != replaced else {
      let lossIsForgotten = stored.formerUser == nil && signOutReason == .ambiguousLoss
      if stored.session == nil, stored.endReason != endReason || lossIsForgotten { noteEnd(of: replaced) }
      return []
    }
    // Only what is known of the user: a refresh in progress goes on.
    let isSame = stored.signInID == signInID && stored.session?.tokens == replaced?.tokens
    if isSame, stored.session?.user.isSame(as: replaced?.user) ?? (replaced == nil) { return [] }
    generation += 1
    challenge = nil
    // Its refresh for a resource keeps the session's own access token.
    if stored.session?.accessToken != replaced?.accessToken { accessTokenIsRejected = false }
    freshness = storedFreshness(now)
    guard let session = stored.session else {
      noteEnd(of: replaced)
      return [.report(.init(.signOut, detail: signOutReason.description))]
    }
    guard let replaced, !replaced.user.isSame(as: session.user) else { return [] }
    return [.resumeWaiters(.superseded), .report(.init(.conflict, failure: .superseded))]
  }

  /// The refresh of another process, for which one here waits, shows as well as its own would that no token lasts as
  /// long as a caller wants: the caller takes that process's token.
  private mutating func learn(from token: AccessToken) {
    guard isRefreshing, refresh?.resource == nil, let wanted = refresh?.wanted, token != record.session?.accessToken
    else { return }
    if !policy.canLast(token, for: wanted) { lifetimeRequestIsCapped = true }
  }

  /// Another process ended the session, and its record says why unless the store was erased.
  private mutating func noteEnd(of session: AuthSession?) {
    let isLost = record.formerUser.map { $0.isSame(as: session?.user ?? $0) } ?? false
    let reason = record.endReason ?? (isLost ? .ambiguousLoss : .elsewhere)
    signOutReason = reason == .requested || reason == .ambiguousLoss && !isLost ? .elsewhere : reason
  }

  private mutating func merge(_ stored: SessionRecord, since base: SessionRecord, _ now: Date) -> [Effect] {
    let merged = record.merged(with: stored, since: base, at: now)
    store.failure = nil
    var isStored = merged
    isStored.writeID = stored.writeID
    let effects = adopt(merged, now)
    let saving = isStored == stored ? [] : save()
    return saving + [.publish, .report(.init(.conflict))] + effects + deliverIfPending
  }

  /// From here on nothing can be saved, for this reason; nil ends that.
  package mutating func storeBlocked(_ error: AuthenticationError?) { store.blocked = error }

  /// Writes the record to the store.
  private mutating func save() -> [Effect] {
    guard store.isRead else { return [] }
    record.writeID = makeID()
    if let blocked = store.blocked { return notSaved(blocked) }
    return [.save(record)]
  }

  /// The last ``Effect/save(_:)`` succeeded.
  package mutating func saved() -> [Effect] {
    let wasUnsaved = store.failure != nil
    (store.known, store.tried) = (record, nil)
    (store.failure, store.failedSaves, store.replacedUnreadAt) = (nil, 0, nil)
    return wasUnsaved ? [.publish] : []
  }

  /// It is time to try again what could not be saved.
  package mutating func saveRetried() -> [Effect] { store.failure == nil ? [] : save() }

  /// The last ``Effect/save(_:)`` failed; `found` is what the store holds now, nil if it cannot be read.
  package mutating func saveFailed(_ error: AuthenticationError, found: SessionRecord?) -> [Effect] {
    switch found {
    case record?, SessionRecord()?: (store.known, store.tried) = (found ?? SessionRecord(), nil)
    case store.known?: store.tried = nil
    default: store.tried = record
    }
    return notSaved(error)
  }

  private mutating func notSaved(_ error: AuthenticationError) -> [Effect] {
    store.failure = error
    store.failedSaves += 1
    // A store that the user did not unlock is tried again when they want to continue, so that it does not prompt
    // again and again.
    let retrying: [Effect] = error == .userPresenceRequired ? [] : [.retrySave]
    return [.publish] + retrying + [.report(.init(.storage, failure: error))]
  }

  /// A server's clock says how much is left of the access token.
  package mutating func lifetimeCorrected(remaining: Duration?) -> [Effect] {
    // A token that only looked expired, by a wrong clock, is valid.
    if !accessTokenIsRejected, !isForgotten, remaining.map({ $0 > .zero }) ?? true { freshness = .fresh }
    return [.publish]
  }

  private func storedFreshness(_ now: Date) -> ActiveSession.Freshness {
    if isForgotten { return .expired }
    guard let session = record.session, let expiresAt = session.accessToken.expiresAt, expiresAt <= now else {
      return .fresh
    }
    return session.tokens.outliveAccess ? .stale : .expired
  }

  // MARK: - Signing out, and what the provider has yet to revoke

  /// Tokens came that will not be used here, such as for a caller who had left: they are queued for revocation.
  ///
  /// - Parameter userID: whose they are; nil if not known.
  package mutating func tokensOrphaned(_ tokens: SessionTokens, of userID: String? = nil, at now: Date) -> [Effect] {
    record.pendingRevocations.append(.init(tokens: tokens.withoutIdentity, queuedAt: now, userID: userID))
    return save() + [.deliverRevocations]
  }

  private var deliverIfPending: [Effect] { record.pendingRevocations.isEmpty ? [] : [.deliverRevocations] }

  /// The user or the app signs out, or what the sign-in was based on is gone.
  ///
  /// - Parameter revoking: false if this session is not to be revoked; if the sign-out was requested, nothing is.
  package mutating func signOutRequested(
    revoking: Bool, because reason: SignOutReason = .requested, at now: Date
  ) -> [Effect] {
    guard store.isRead else { return [] }
    attempt += 1
    challenge = nil
    // Asked again because the store refused: the reason is still the first one's, unless what it told of is forgotten.
    let isFirst = record.session != nil || record.formerUser != nil || store.failure == nil
    if isFirst { signOutReason = reason }
    let before = record
    if !revoking, reason == .requested { record.pendingRevocations = [] }
    record.endSignIn()
    if isFirst, record.formerUser != nil || record.endReason != nil { record.endReason = reason }
    guard let session = record.session else {
      record.formerUser = nil
      return (record == before && store.failure == nil ? [] : save()) + [.publish]
    }
    generation += 1
    record.session = nil
    record.refreshJournal = nil
    record.endReason = reason
    if revoking {
      record.pendingRevocations.append(.init(tokens: session.tokens, queuedAt: now, userID: session.user.id))
    }
    return save() + [.publish, .resumeWaiters(reason.error), .report(.init(.signOut, detail: reason.description))]
      + deliverIfPending
  }

  /// A revocation is about to be sent that was queued too long ago, or by a clock that was ahead.
  ///
  /// A revocation that has waited for too long leaves the queue before it is sent: each is sent at least once, even if
  /// a wrong clock makes it look too old, and none stays queued for ever without a response. The time of one that was
  /// queued by a clock that was ahead starts anew.
  package mutating func revocationStarted(_ revocation: PendingRevocation, at now: Date) -> [Effect] {
    guard let index = indexOfRevocation(of: revocation.tokens) else { return [] }
    let age = now.timeIntervalSince(revocation.queuedAt)
    if age > Self.longestQueueTime {
      record.pendingRevocations.remove(at: index)
    } else if age < 0 {
      record.pendingRevocations[index] = .init(tokens: revocation.tokens, queuedAt: now, userID: revocation.userID)
    } else {
      return []
    }
    return save()
  }

  /// The provider revoked these tokens (nil), or failed to.
  ///
  /// Only a success, or a failure that no later attempt can change, takes a revocation out of the queue.
  package mutating func revocationCompleted(
    _ revocation: PendingRevocation, _ failure: AuthenticationError?
  ) -> [Effect] {
    let report = Effect.report(.init(.revocation, failure: failure))
    let final: Set<AuthenticationError> = [.sessionRejected, .invalidCredentials, .unsupportedMethod]
    if let failure, !final.contains(failure) { return [report] }
    guard let index = indexOfRevocation(of: revocation.tokens) else { return [report] }
    record.pendingRevocations.remove(at: index)
    return save() + [report]
  }

  private func indexOfRevocation(of tokens: SessionTokens) -> Int? {
    record.pendingRevocations.firstIndex { $0.tokens == tokens }
  }
}

extension PendingRevocation {
  /// Whether it was queued neither too long ago nor by a clock that was ahead: then nothing is written before it is
  /// sent.
  func isTimely(at now: Date) -> Bool {
    (0...SessionMachine.longestQueueTime).contains(now.timeIntervalSince(queuedAt))
  }
}

/// What a failed refresh says about the refresh token that was sent. Only an error that ends the session says that the
/// provider no longer accepts it.
extension AuthenticationError {
  /// Whether the provider has not used the refresh token.
  fileprivate var leavesTokenUnused: Bool {
    if self.response == .refused { return true }
    let unprocessed: Set<Self> = [
      .unreachable, .insecureConnection, .invalidRequest, .rateLimited, .endpointMissing, .clientRejected,
      .unsupportedMethod, .invalidConfiguration, .storageUnavailable, .userPresenceRequired,
      .insufficientUserAuthentication, .resourceRefused,
    ]
    return unprocessed.contains(self)
  }

  /// Whether the provider refuses a refresh, and says neither that the session has ended nor that a later one may work;
  /// see ``RefusedRefresh``.
  fileprivate var isUnexplainedRefusal: Bool {
    self == .clientRejected
      || self.response == .refused && disposition != .transient
        && ![.insufficientUserAuthentication, .clockSkewed].contains(self)
  }

  /// Whether the response came and can never be used: the token that was sent may be spent, and no response is lost.
  fileprivate var isUnusableResponse: Bool { self.response == .unusable || self == .security }

  /// Whether the provider calls a refresh request faulty, and not the refresh token (RFC 6749 §5.2).
  fileprivate var blamesRequest: Bool {
    self == .clientRejected && ["invalid_request", "invalid_client"].contains(self.providerCode)
  }

  /// Thrown while the provider refuses to refresh a session that it may have forgotten; the session stays stored.
  fileprivate static func forgotten(providerCode: String?) -> Self {
    Self(
      .sessionExpired,
      "The provider refuses to refresh the session, as it did some time ago, although it has refreshed it before.",
      suggestion: "Sign in again; what the app keeps for the user can stay."
    ).with(\.providerCode, providerCode)
  }

  /// Thrown where a token of a further resource is wanted from a session that cannot get one.
  fileprivate static let noRefreshToken = Self(
    .resourceRefused, "The session has no refresh token that could get an access token for another resource.",
    suggestion: "Ask for one at the sign-in, such as by the scope offline_access.")

  /// Whether the response was lost, so that sending the token again immediately may fall within the
  /// provider's grace period for a token it has just replaced. This includes a gateway that failed in front of a
  /// provider that did not. If a server says why it failed, or when to try again, no response was lost.
  fileprivate var isLostResponse: Bool {
    let lost: [Self] = [.connectionLost, .timedOut, .unexpectedResponse, .responseTooLarge, .serverFailed]
    return lost.contains(self) && self.providerCode == nil && self.retryAfter == nil && self.response == nil
  }
}
