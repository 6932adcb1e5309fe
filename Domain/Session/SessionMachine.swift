package import Foundation

/// The rules of a session as a pure value: events in by one door, ``handle(_:)``, effects out. No I/O, no clock, no
/// actor.
///
/// Perform the effects of an event in their order before the next event. Dates are the wall clock (UTC).
///
/// Every sign-in and every sign-out starts a new generation; a response that belongs to an older one is discarded and
/// its tokens are revoked. A session ends only because the user or the app ends it, because a store is certainly empty,
/// or because a provider refuses it.
///
/// Two machines are equal if each later event has the same effects in both.
package struct SessionMachine: Sendable, Equatable {
  /// The record that the store holds, or is to hold.
  package private(set) var record = SessionRecord()
  package private(set) var store = StoredCopy()
  private(set) var refresh: RefreshInProgress?
  /// The provider's refusal of the current session while the store cannot say whether there is a newer one: the token
  /// is not sent again.
  private var heldRejection: HeldRejection?
  private var freshness = ActiveSession.Freshness.fresh
  private var signOutReason = SignOutReason.absent
  package private(set) var challenge: Challenge?
  /// Of the session's own access token (nil), and of those of further resources.
  private var tokens: [ProtectedResource?: AccessTokenState] = [:]
  /// Increased with each session that begins, ends or comes from another process; a refresh by this process keeps it.
  package private(set) var generation = 0
  /// Counts the attempts to sign in; only the latest may become the session.
  package private(set) var attempt = 0
  private var ids: RecordIDSource
  package let policy: RefreshPolicy

  /// A revocation that has waited for 30 days (in seconds) is sent a last time, then dropped.
  static let longestQueueTime = 30 * 86_400.0

  /// A machine that knows nothing yet: its first event is the read of the store.
  package init(
    policy: RefreshPolicy = .standard, makeID: @escaping @Sendable () -> RecordID = { RecordID.random() }
  ) {
    self.policy = policy
    ids = RecordIDSource(make: makeID)
  }

  /// The identifiers that the latest event has taken.
  package var latestIDs: [RecordID] { ids.latest }

  /// A refresh that is being waited for.
  struct RefreshInProgress: Sendable, Equatable {
    let generation: Int
    /// Whose access token it gets; nil for the session's own.
    let resource: ProtectedResource?
    let cause: AuthenticationEvent.Cause
    /// How long the new token should last at least, if a caller said so.
    let wanted: Duration?
    /// The token was sent; until then the refresh waits for the lock.
    var hasBegun = false
    /// Whether the send before had a response, which could not be used.
    var followsAnswer = false
  }

  private struct HeldRejection: Sendable, Equatable {
    let generation: Int
    let error: AuthenticationError
  }

  /// The state to publish.
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

  /// The access token that may be returned for a resource (nil: the session's own): it is not refused. That of a
  /// resource may have expired.
  package func usableToken(for resource: ProtectedResource? = nil) -> AccessToken? {
    let token = token(for: resource)
    return resource == nil && freshness == .expired ? nil : tokens[resource, default: .init()].usable(token)
  }

  /// The access token of a resource (nil: the session's own), refused or not.
  package func token(for resource: ProtectedResource?) -> AccessToken? {
    resource.map { record.resourceTokens[$0.key] } ?? record.session?.accessToken
  }

  /// Whether the access token of a resource (nil: the session's own) is refused by a resource server.
  package func isRejected(for resource: ProtectedResource? = nil) -> Bool {
    token(for: resource).map { tokens[resource, default: .init()].usable($0) == nil } ?? false
  }

  /// Whether a refresh has shown that no token lasts as long as a caller wanted.
  func isLifetimeCapped(for resource: ProtectedResource? = nil) -> Bool { tokens[resource]?.isLifetimeCapped ?? false }

  /// Whether a refresh of the current session is in progress.
  package var isRefreshing: Bool { refresh?.generation == generation }

  /// Whether another process, or this one before a crash, sent the refresh token, and the outcome is not known.
  var hasUnresolvedRefresh: Bool {
    guard let entry = record.refreshJournal, !entry.isAnswered else { return false }
    return !(isRefreshing && refresh?.hasBegun == true)
  }

  /// The refusal of an earlier refresh of this session, which takes effect once the store can be read.
  var currentHeldRejection: AuthenticationError? {
    heldRejection.flatMap { $0.generation == generation ? $0.error : nil }
  }
}

extension SessionMachine {
  /// A change or a request that the machine handles. The wall clock's times are UTC.
  package enum Event: Sendable {
    /// A new attempt to sign in begins; it replaces the one in progress.
    case signInStarted
    /// The provider responded to that attempt.
    case signInCompleted(attempt: Int, Result<SignInOutcome, AuthenticationError>, at: Date)
    /// The user has given up the attempt that this challenge belongs to.
    case challengeDropped(Challenge)
    /// The provider told more about the user, and gave the same user other tokens if there are any.
    case userChanged(User, tokens: SessionTokens?, at: Date)
    /// The user of the session has signed in again.
    case userProved(AuthSession, at: Date)
    /// A caller needs an access token of the resource (nil: the session's own) other than `rejected`, with more than
    /// `wanted` left (nil: more than the leeway). `remaining` is the time left of the token; nil if unknown.
    case refreshRequested(
      resource: ProtectedResource? = nil, cause: AuthenticationEvent.Cause = .expiry, rejected: AccessToken?,
      remaining: Duration?, wanted: Duration? = nil)
    /// A resource refused its access token (nil: the session's own): it is not returned again.
    case accessTokenRefused(AccessToken, resource: ProtectedResource?)
    /// The refresh in progress was not sent: another process has stored a new token.
    case refreshOvertaken(generation: Int)
    /// The refresh token of that generation is about to be sent.
    case refreshBegan(generation: Int, at: Date)
    /// The refresh token of that generation could not be sent now, or no response came in time.
    case refreshFailed(generation: Int, AuthenticationError, remaining: Duration?)
    /// The provider responded to a refresh, or failed.
    case refreshCompleted(generation: Int, RefreshResponse, remaining: Duration?, at: Date)
    /// The refusal that was held takes effect now.
    case heldRejectionTaken
    /// The store was read: for the first time, or again. A failure counts only before the first success.
    case storeRead(Result<SessionRecord?, AuthenticationError>, at: Date)
    /// From here on nothing can be saved, for this reason; nil ends that.
    case storeBlocked(AuthenticationError?)
    /// The last ``Effect/save(_:)`` succeeded.
    case saved
    /// It is time to save again the changes that could not be saved.
    case saveRetried
    /// The last ``Effect/save(_:)`` failed; `found` is the record in the store now, nil if it cannot be read.
    case saveFailed(AuthenticationError, found: SessionRecord?)
    /// A server's clock says how much is left of the session's own access token.
    case lifetimeCorrected(remaining: Duration?)
    /// Tokens came that will not be used here, such as for a caller who had left; nil if it is not known whose.
    case tokensOrphaned(SessionTokens, userID: String?, at: Date)
    /// The user or the app signs out, or the basis of the sign-in is gone. If this session is not to be revoked and the
    /// sign-out was requested, nothing is.
    case signOutRequested(revoking: Bool, reason: SignOutReason = .requested, at: Date)
    /// A revocation is about to be sent that was queued too long ago, or by a clock that was ahead.
    case revocationStarted(PendingRevocation, at: Date)
    /// The provider revoked these tokens (nil), or failed to.
    case revocationCompleted(PendingRevocation, AuthenticationError?)
  }

  /// An action that must be performed, in this order: remote, then store, then runtime.
  package enum Effect: Sendable, Equatable {
    /// Store this; the next event is ``Event/saved`` or ``Event/saveFailed(_:found:)``.
    case save(SessionRecord)
    /// Make ``SessionMachine/state`` the runtime's.
    case publish
    /// Start a refresh of this session, or get an access token for the resource with its refresh token.
    case refresh(AuthSession, for: ProtectedResource? = nil, generation: Int)
    /// Wait before the next attempt after this failure, for the access token of the resource (nil: the session's own).
    case backOff(AuthenticationError, of: ProtectedResource? = nil)
    /// Resume all callers that wait for an access token of the resource (nil: the session's own), with the current
    /// session (nil) or a failure. If the token is still valid, only callers that want it to last longer than it does
    /// get the failure. Without a session, or with that of another user, this includes the callers that wait for a
    /// token of any resource.
    case resumeWaiters(AuthenticationError?, of: ProtectedResource? = nil, tokenIsGood: Bool = false)
    /// Send the queued revocations, each of which ends with ``Event/revocationCompleted(_:_:)``.
    case deliverRevocations
    /// Try to save again later.
    case retrySave
    /// Send this event to the listeners of ``AuthManager/events()``.
    case report(AuthenticationEvent)
  }

  /// Takes an event: the one way to change a machine.
  ///
  /// - Returns: the effects to perform, in this order, before the next event.
  package mutating func handle(_ event: Event) -> [Effect] {
    ids.beginEvent()
    switch event {
    case .signInStarted: attempt += 1
    case .signInCompleted(let attempt, let result, let now): return signInCompleted(attempt, result, now)
    case .challengeDropped(let dropped):
      guard challenge == dropped else { break }
      challenge = nil
      return [.publish]
    case .userChanged(let user, let tokens, let now): return userChanged(user, tokens, now)
    case .userProved(let session, let now): return userProved(session, now)
    case .refreshRequested(let resource, let cause, let rejected, let remaining, let wanted):
      return refreshRequested(resource, cause, rejected, remaining, wanted)
    case .accessTokenRefused(let token, let resource): return reject(token, of: resource)
    case .refreshOvertaken(let began):
      if refresh?.generation == began, refresh?.hasBegun == false { refresh = nil }
    case .refreshBegan(let began, let now): return refreshBegan(began, now)
    case .refreshFailed(let began, let error, let remaining):
      let resource = refresh?.resource
      if refresh?.generation == began { refresh = nil }
      guard began == generation, record.session != nil else { break }
      return keep(after: error, of: resource, remaining)
    case .refreshCompleted(let began, let response, let remaining, let now):
      return refreshCompleted(began, response, remaining, now)
    case .heldRejectionTaken: heldRejection = nil
    case .storeRead(let result, let now): return storeRead(result, now)
    case .storeBlocked(let failure): store.block(failure)
    case .saved: return store.noteSaved(record)
    case .saveRetried: return store.failure == nil ? [] : save()
    case .saveFailed(let failure, let found): return store.noteFailedSave(of: record, failure, found: found)
    case .lifetimeCorrected(let remaining):
      // A token that only looked expired, by a wrong clock, is valid.
      if !isRejected(), !isForgotten, remaining.map({ $0 > .zero }) ?? true { freshness = .fresh }
      return [.publish]
    case .tokensOrphaned(let tokens, let userID, let now): return revoke(tokens, of: userID, now)
    case .signOutRequested(let revoking, let reason, let now): return signOutRequested(revoking, reason, now)
    case .revocationStarted(let revocation, let now): return revocationStarted(revocation, now)
    case .revocationCompleted(let revocation, let failure): return revocationCompleted(revocation, failure)
    }
    return []
  }

  // MARK: - Signing in: only the latest attempt becomes the session

  private mutating func signInCompleted(
    _ completed: Int, _ result: Result<SignInOutcome, AuthenticationError>, _ now: Date
  ) -> [Effect] {
    switch result {
    case .success(.session(let session)):
      guard completed == attempt else { return revoke(session.tokens, of: session.user.id, now) }
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

  /// Tokens that were refreshed meanwhile stay; those of an upgrade count as refreshed, and are revoked if the user is
  /// no longer signed in.
  private mutating func userChanged(_ user: User, _ tokens: SessionTokens?, _ now: Date) -> [Effect] {
    guard let session = record.session, session.user.isSame(as: user) else {
      return tokens.map { revoke($0, of: user.id, now) } ?? []
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

  /// The new session replaces the one of the same user in one write, as a sign-in does; without one its tokens are
  /// revoked. An attempt in progress continues.
  private mutating func userProved(_ session: AuthSession, _ now: Date) -> [Effect] {
    guard session.user.isSame(as: record.session?.user) else {
      return revoke(session.tokens, of: session.user.id, now)
    }
    let attempt = attempt
    defer { self.attempt = attempt }
    return adopt(signedIn: session, now)
  }

  private mutating func adopt(signedIn session: AuthSession, _ now: Date) -> [Effect] {
    let replaced = record.session
    store.replace(at: now)
    generation += 1
    attempt += 1
    record.endSignIn()
    record.dropResourceTokens()
    use(session)
    (record.signInID, record.refreshes, record.signedInAt) = (ids.next(), 0, now)
    record.formerUser = nil
    tokens[nil, default: .init()].beginSignIn()
    challenge = nil
    record.queue(replaced, now)
    let isSuperseded = replaced.map { !$0.user.isSame(as: session.user) } ?? false
    return save() + [.publish, .resumeWaiters(isSuperseded ? .superseded : nil)] + deliverIfPending
  }

  // MARK: - Refreshing: when a refresh starts, and the session after its response, or without one

  /// While a refresh is in progress none begins, since a refresh token that is replaced at each use must not be sent
  /// twice: ask again after its end.
  private mutating func refreshRequested(
    _ resource: ProtectedResource?, _ cause: AuthenticationEvent.Cause, _ rejected: AccessToken?,
    _ remaining: Duration?, _ wanted: Duration?
  ) -> [Effect] {
    if case .unavailable(let error) = store.reading { return [.resumeWaiters(error, of: resource)] }
    guard let session = record.session else { return [.resumeWaiters(signOutReason.error, of: resource)] }
    let refusal = rejected.map { reject($0, of: resource) } ?? []
    if isRefreshing { return refusal }
    let usable = usableToken(for: resource)
    if let usable, tokens[resource, default: .init()].isEnough(usable, remaining: remaining, wanted: wanted, policy) {
      return [.resumeWaiters(nil, of: resource)]
    }
    if let resource {
      guard session.tokens.outliveAccess else { return refusal + [.resumeWaiters(.noRefreshToken, of: resource)] }
    } else if session.tokens.refresh == nil {
      if usable != nil, remaining.map({ $0 > .zero }) ?? true { return [.resumeWaiters(nil)] }
      freshness = .expired
      return [.publish, .resumeWaiters(.sessionExpired)]
    }
    refresh = RefreshInProgress(generation: generation, resource: resource, cause: cause, wanted: wanted)
    return refusal + [.refresh(session, for: resource, generation: generation)]
  }

  private mutating func reject(_ token: AccessToken, of resource: ProtectedResource?) -> [Effect] {
    guard token == self.token(for: resource), tokens[resource, default: .init()].reject(token) else { return [] }
    return [.publish]
  }

  /// Writes the journal: if the process dies from here on, the store says that the token may be spent.
  private mutating func refreshBegan(_ began: Int, _ now: Date) -> [Effect] {
    guard began == generation, record.session != nil else { return [] }
    refresh?.hasBegun = true
    let earlier = record.refreshJournal
    refresh?.followsAnswer = earlier?.isAnswered ?? false
    record.refreshJournal = RefreshJournalEntry(begunAt: earlier?.begunAt ?? now, sends: (earlier?.sends ?? 0) + 1)
    return save()
  }

  /// After a lost response the token is sent again immediately, up to `RefreshPolicy.resends` times: the refresh
  /// stays in progress.
  private mutating func refreshCompleted(
    _ began: Int, _ response: RefreshResponse, _ remaining: Duration?, _ now: Date
  ) -> [Effect] {
    let session = response.session
    // The description of the user may have changed meanwhile.
    let isCurrent = began == generation && session.tokens == record.session?.tokens
    guard isCurrent else {
      // Tokens of an ended sign-in are revoked. Those of the current one share its grant: to revoke them could end it.
      guard case .success(let tokens) = response.result else { return [] }
      if record.session != nil, response.signInID == record.signInID { return [] }
      return revoke(tokens, of: session.user.id, now)
    }
    switch response.result {
    case .success(let tokens):
      let wanted = refresh?.wanted
      refresh = nil
      return take(tokens, response, wanted: wanted)
    case .failure(let error): return refreshFailed(error, response, remaining, now)
    }
  }

  private mutating func take(_ tokens: SessionTokens, _ response: RefreshResponse, wanted: Duration?) -> [Effect] {
    let session = record.session ?? response.session
    record.refreshes += 1
    self.tokens[response.resource, default: .init()].noteNew(tokens.access, wanted: wanted, policy)
    guard let resource = response.resource else {
      use(session.refreshed(with: tokens))
      return save() + [.publish, .resumeWaiters(nil)] + deliverIfPending
    }
    keep(session.kept(by: tokens))
    if freshness == .expired { freshness = .stale }
    if response.refusal == nil { record.keep(tokens.access, for: resource.key) }
    let backingOff = response.refusal.map { [Effect.backOff($0, of: resource)] } ?? []
    return save() + backingOff + [.publish, .resumeWaiters(response.refusal, of: resource)] + deliverIfPending
  }

  private mutating func refreshFailed(
    _ error: AuthenticationError, _ response: RefreshResponse, _ remaining: Duration?, _ now: Date
  ) -> [Effect] {
    let failure = RefreshFailure(error)
    if failure == .lostResponse, isRefreshing, let sends = record.refreshJournal?.sends, sends <= policy.resends {
      return [.report(.init(.retry, failure: error))]
    }
    let (resource, followsAnswer) = (response.resource, refresh?.followsAnswer ?? false)
    refresh = nil
    if let wait = error.retryAfter {
      record.retryAt = now.addingTimeInterval(min(wait, policy.longestHoldOff) / .seconds(1))
    }
    switch failure {
    case .endsSession:
      guard let blocked = store.blocked else { return end(response.session, with: error) }
      // Until the store can be read, the token counts as not sent.
      heldRejection = HeldRejection(generation: generation, error: error)
      return clearJournal(followsAnswer: followsAnswer) + keep(after: blocked, of: resource, remaining)
    case .unused:
      if resource == nil {
        let refused = RefusedRefresh(error, after: record.refusedRefresh, hasWorked: record.refreshes > 0, at: now)
        if let refused { record.refusedRefresh = refused }
        if error == .insufficientUserAuthentication { record.needsInteraction = true }
      }
      return clearJournal(followsAnswer: followsAnswer) + keep(after: error, of: resource, remaining)
    case .unusableResponse:
      record.refreshJournal?.isAnswered = true
      return save() + keep(after: error, of: resource, remaining)
    case .lostResponse, .unknown:
      return (error.retryAfter == nil ? [] : save()) + keep(after: error, of: resource, remaining)
    }
  }

  /// Makes this session, whose tokens have just come, the one in use.
  private mutating func use(_ session: AuthSession) {
    keep(session)
    record.needsInteraction = false
    freshness = .fresh
    tokens[nil, default: .init()].acceptAll()
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
    after error: AuthenticationError, of resource: ProtectedResource?, _ remaining: Duration?
  ) -> [Effect] {
    let isValid = remaining.map { $0 > .zero } ?? true
    if let resource {
      let isGood = isValid && usableToken(for: resource) != nil
      return [
        .backOff(error, of: resource), .publish, .resumeWaiters(error, of: resource, tokenIsGood: isGood),
      ]
    }
    if isForgotten {
      freshness = .expired
      return [.backOff(error), .publish, .resumeWaiters(.forgotten(providerCode: error.providerCode))]
    }
    let isStillGood = isValid && !isRejected()
    if !isStillGood { freshness = !isValid && record.session?.tokens.outliveAccess == false ? .expired : .stale }
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

  // MARK: - The store: a record of another process is taken over, or merged with changes that are not saved yet here

  private mutating func save() -> [Effect] { store.save(&record, &ids) }

  private mutating func storeRead(_ result: Result<SessionRecord?, AuthenticationError>, _ now: Date) -> [Effect] {
    switch store.read(result, for: &record, &ids) {
    case .nothingNew: []
    case .unavailable(let error): [.publish, .report(.init(.storage, failure: error))]
    case .first(let stored): begin(with: stored, now)
    case .newer(let stored): [.publish] + adopt(stored, now)
    case .conflicting(let stored, let base): merge(stored, since: base, now)
    }
  }

  private mutating func begin(with stored: SessionRecord, _ now: Date) -> [Effect] {
    let orphaned = record.pendingRevocations
    record = stored
    record.pendingRevocations += orphaned
    freshness = storedFreshness(now)
    if record.session != nil { challenge = nil }
    if let reason = record.endReason ?? (record.formerUser != nil ? .ambiguousLoss : nil) { signOutReason = reason }
    return (orphaned.isEmpty ? [] : save()) + [.publish] + deliverIfPending
  }

  /// Takes over the record that another process has stored, which is newer than the current one here.
  private mutating func adopt(_ stored: SessionRecord, _ now: Date) -> [Effect] {
    let (replaced, signInID, endReason) = (record.session, record.signInID, record.endReason)
    // The refresh of another process, for which one here waits, shows as well as its own would that no token lasts as
    // long as a caller wants: the caller takes that process's token.
    if signInID == stored.signInID, isRefreshing, refresh?.resource == nil, let token = stored.session?.accessToken,
      token != replaced?.accessToken
    {
      tokens[nil, default: .init()].noteNew(token, wanted: refresh?.wanted, policy)
    }
    record = stored
    if isForgotten { freshness = .expired }
    guard stored.session != replaced else {
      let lossIsForgotten = stored.formerUser == nil && signOutReason == .ambiguousLoss
      if stored.session == nil, stored.endReason != endReason || lossIsForgotten { noteEnd(of: replaced) }
      return []
    }
    // Only the description of the user has changed: a refresh in progress continues.
    let isSame = stored.signInID == signInID && stored.session?.tokens == replaced?.tokens
    if isSame, stored.session?.user.isSame(as: replaced?.user) ?? (replaced == nil) { return [] }
    generation += 1
    challenge = nil
    freshness = storedFreshness(now)
    guard let session = stored.session else {
      noteEnd(of: replaced)
      return [.report(.init(.signOut, detail: signOutReason.description))]
    }
    guard let replaced, !replaced.user.isSame(as: session.user) else { return [] }
    return [.resumeWaiters(.superseded), .report(.init(.conflict, failure: .superseded))]
  }

  /// Another process ended the session, and its record says why unless the store was erased.
  private mutating func noteEnd(of session: AuthSession?) {
    let isLost = record.formerUser.map { $0.isSame(as: session?.user ?? $0) } ?? false
    let reason = record.endReason ?? (isLost ? .ambiguousLoss : .elsewhere)
    signOutReason = reason == .requested || reason == .ambiguousLoss && !isLost ? .elsewhere : reason
  }

  private mutating func merge(_ stored: SessionRecord, since base: SessionRecord, _ now: Date) -> [Effect] {
    let merged = record.merged(with: stored, since: base, at: now)
    var isStored = merged
    isStored.writeID = stored.writeID
    let effects = adopt(merged, now)
    let saving = isStored == stored ? [] : save()
    return saving + [.publish, .report(.init(.conflict))] + effects + deliverIfPending
  }

  private func storedFreshness(_ now: Date) -> ActiveSession.Freshness {
    if isForgotten { return .expired }
    guard let session = record.session, let expiresAt = session.accessToken.expiresAt, expiresAt <= now else {
      return .fresh
    }
    return session.tokens.outliveAccess ? .stale : .expired
  }

  // MARK: - Signing out, and the tokens that the provider has yet to revoke

  private mutating func revoke(_ tokens: SessionTokens, of userID: String?, _ now: Date) -> [Effect] {
    record.pendingRevocations.append(.init(tokens: tokens.withoutIdentity, queuedAt: now, userID: userID))
    return save() + [.deliverRevocations]
  }

  private var deliverIfPending: [Effect] { record.pendingRevocations.isEmpty ? [] : [.deliverRevocations] }

  private mutating func signOutRequested(_ revoking: Bool, _ reason: SignOutReason, _ now: Date) -> [Effect] {
    guard store.isRead else { return [] }
    attempt += 1
    challenge = nil
    // Asked again because the store refused: the reason is still the first one's, unless that reason told of a
    // former user, who is forgotten now.
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

  /// A revocation that has waited for too long leaves the queue before it is sent: each is sent at least once, even if
  /// a wrong clock makes it look too old, and none stays queued for ever without a response. The time of one that was
  /// queued by a clock that was ahead starts anew.
  private mutating func revocationStarted(_ revocation: PendingRevocation, _ now: Date) -> [Effect] {
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

  /// Only a success, or a failure that no later attempt can change, takes a revocation out of the queue.
  private mutating func revocationCompleted(
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

extension SessionMachine {
  /// The state of a machine while nothing is in progress: another machine begins with it.
  package struct Checkpoint: Sendable {
    package var record: SessionRecord
    package var freshness: ActiveSession.Freshness
    package var reason: SignOutReason
    package var isCapped: Bool
    package var generation: Int
    package var attempt: Int

    package init(
      record: SessionRecord, freshness: ActiveSession.Freshness, reason: SignOutReason, isCapped: Bool, generation: Int,
      attempt: Int
    ) {
      (self.record, self.freshness, self.reason) = (record, freshness, reason)
      (self.isCapped, self.generation, self.attempt) = (isCapped, generation, attempt)
    }
  }

  /// A machine that begins with the checkpoint of another one.
  package init(
    policy: RefreshPolicy = .standard, from checkpoint: Checkpoint,
    makeID: @escaping @Sendable () -> RecordID = { RecordID.random() }
  ) {
    self.init(policy: policy, makeID: makeID)
    (record, store) = (checkpoint.record, StoredCopy(of: checkpoint.record))
    (freshness, signOutReason) = (checkpoint.freshness, checkpoint.reason)
    if checkpoint.isCapped { tokens[nil] = AccessTokenState(isLifetimeCapped: true) }
    (generation, attempt) = (checkpoint.generation, checkpoint.attempt)
  }

  /// The checkpoint with which another machine may begin; nil while something is in progress.
  package var checkpoint: Checkpoint? {
    let checkpoint = Checkpoint(
      record: record, freshness: freshness, reason: signOutReason, isCapped: isLifetimeCapped(), generation: generation,
      attempt: attempt)
    var idle = self
    // State of another session, or of a token that is no longer stored, has no effect.
    if !isRefreshing { idle.refresh = nil }
    if currentHeldRejection == nil { idle.heldRejection = nil }
    idle.tokens = [:]
    for (resource, state) in tokens {
      let state = state.concerning(token(for: resource))
      if state != AccessTokenState() { idle.tokens[resource] = state }
    }
    return idle == Self(policy: policy, from: checkpoint) ? checkpoint : nil
  }
}

extension PendingRevocation {
  /// Whether it was queued neither too long ago nor by a clock that was ahead: then nothing is written before it is
  /// sent.
  func isTimely(at now: Date) -> Bool {
    (0...SessionMachine.longestQueueTime).contains(now.timeIntervalSince(queuedAt))
  }
}

extension AuthenticationError {
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
}
