/// The rules of a session as a pure value: events in, effects out. No I/O, no clock, no actor.
///
/// Every sign-in and every sign-out starts a new generation; a response that belongs to an older one is discarded and
/// its tokens are revoked. Only two things sign out: a store that is certainly empty, and a provider's refusal.
package struct SessionMachine: Sendable {
  /// What the store holds, or is to hold.
  package var record = SessionRecord()
  var store = StoreView()
  var refresh: RefreshInProgress?
  /// The provider's refusal of the current session while the store cannot say whether there is a newer one: the token
  /// is not sent again.
  var heldRejection: (generation: Int, error: AuthenticationError)?

  var freshness = ActiveSession.Freshness.fresh
  var signOutReason = SignOutReason.absent
  var challenge: Challenge?
  /// A resource refused the current access token: it is not returned again.
  var accessTokenIsRejected = false
  /// A refresh has returned a token that cannot last as long as a caller wanted: no other one will.
  var wishesAreCapped = false
  /// Increased with each session that begins, ends or comes from another process; a refresh by this process keeps it.
  package var generation = 0
  /// Counts the attempts to sign in; only the latest may become the session.
  package var attempt = 0

  let policy: RenewalPolicy
  /// Names writes and sign-ins.
  let makeID: @Sendable () -> RecordID

  /// A revocation that has waited for 30 days (in seconds) is sent a last time, then dropped.
  static let longestQueueTime = 30 * 86_400.0

  /// A machine that knows nothing yet: its first event is the read of the store.
  package init(
    policy: RenewalPolicy = .standard, makeID: @escaping @Sendable () -> RecordID = { RecordID.random() }
  ) {
    self.policy = policy
    self.makeID = makeID
  }

  /// A refresh that is being waited for.
  struct RefreshInProgress: Sendable {
    let generation: Int
    let cause: AuthenticationEvent.Cause
    /// How long the new token should last at least, if a caller said so.
    let wanted: Duration?
    /// The token was sent; until then the refresh waits for the lock.
    var hasBegun = false
  }

  /// What to publish.
  package var state: AuthenticationState {
    switch store.reading {
    case .unread: return .unknown
    case .unavailable(let error): return .unavailable(error)
    case .read: break
    }
    if let session = record.session {
      return .signedIn(ActiveSession(session: session, freshness: freshness, unsaved: store.failure))
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
  var isLeftUnsettled: Bool { record.unsettledRenewal != nil && !(isRefreshing && refresh?.hasBegun == true) }

  /// Applies one event; perform the effects in their order before the next one.
  package mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .storeRead(let result, let now): storeRead(result, now)
    case .storeBlocked(let error): storeBlocked(error)
    case .saved: saved()
    case .saveFailed(let error, let found): saveFailed(error, found)
    case .saveRetried: store.failure == nil ? [] : save()
    case .signInStarted: signInStarted()
    case .userChanged(let user, let tokens, let now): userChanged(user, tokens, now)
    case .userProved(let session, let now): userProved(session, now)
    case .challengeDropped(let dropped): challengeDropped(dropped)
    case .signInAnswered(let attempt, let result, let now): signInAnswered(attempt, result, now)
    case .tokensOrphaned(let tokens, let userID, let now): orphan(tokens, of: userID, now)
    case .refreshRequested(let cause, let rejected, let remaining, let wanted):
      refreshRequested(cause, rejected, remaining, wanted)
    case .accessTokenRefused(let token): accessTokenRefused(token)
    case .lifetimeCorrected(let remaining): lifetimeCorrected(remaining)
    case .refreshBegan(let generation, let now): refreshBegan(generation, now)
    case .refreshFailed(let generation, let error, let remaining): refreshFailed(generation, error, remaining)
    case .refreshAnswered(let answer, let remaining, let now): refreshAnswered(answer, remaining, now)
    case .signOutRequested(let revoking, let reason, let now): signOutRequested(revoking, reason, now)
    case .revocationStarted(let revocation, let now): revocationStarted(revocation, now)
    case .revocationAnswered(let revocation, let failure): revocationAnswered(revocation, failure)
    }
  }
}
