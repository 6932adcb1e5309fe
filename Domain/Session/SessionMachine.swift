#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of a session as a pure value: events in, effects out. No I/O, no clock, no actor.
///
/// Every sign-in and every sign-out starts a new generation; an answer that belongs to an older one is discarded and
/// its tokens are revoked. Only two things sign out: a store that is certainly empty, and a provider's refusal.
public struct SessionMachine: Sendable {
  enum Store: Sendable {
    case unread
    case unavailable(AuthenticationError)
    case read
  }

  var store = Store.unread
  var freshness = ActiveSession.Freshness.fresh
  var signOutReason = SignOutReason.absent
  var challenge: Challenge?
  /// Why the store does not hold ``record``; nil when it does.
  public internal(set) var unsaved: AuthenticationError?
  /// What the store does not hold is a sign-in or a sign-out, which somebody asked for.
  var isDeliberate = false
  /// Which session was to be stored when nobody could tell whether it was.
  var doubtfulGeneration: Int?
  /// A resource refused the current access token: it is not handed out again.
  var accessTokenIsRejected = false
  var refreshingGeneration: Int?
  /// How long the token that is being renewed had to last at least, where a caller said so.
  var wantedLifetime: Duration?
  /// A refresh has brought a token that cannot last for as long as was wanted: no other will.
  var wishesAreCapped = false

  /// What the store holds, or is to hold.
  public internal(set) var record = SessionRecord()
  /// Counts the sessions that came and went.
  public internal(set) var generation = 0
  /// Counts the attempts to sign in; only the latest may become the session.
  public internal(set) var attempt = 0

  /// A revocation that has waited for 30 days (in seconds) is sent a last time, and given up.
  static let longestQueueTime = 30 * 86_400.0

  /// Knows nothing yet: the first event is the store's.
  public init() {}

  /// What to publish.
  public var state: AuthenticationState {
    switch store {
    case .unread: return .unknown
    case .unavailable(let error): return .unavailable(error)
    case .read: break
    }
    if let session = record.session {
      return .signedIn(ActiveSession(session: session, freshness: freshness, unsaved: unsaved))
    }
    if let challenge { return .challenged(challenge) }
    return .signedOut(signOutReason)
  }

  /// Whether the store has answered; before that nothing is written.
  public var hasReadStore: Bool {
    if case .read = store { true } else { false }
  }

  /// Whether the store still refuses ``record``.
  public var isUnsaved: Bool { unsaved != nil }

  /// Whether the current access token may be handed out, as far as resources have said.
  public var accessTokenIsUsable: Bool {
    record.session != nil && !accessTokenIsRejected && freshness != .expired
  }

  /// Whether somebody sent the refresh token, and nobody here waits for what comes of it.
  var isLeftUnsettled: Bool { record.unsettledRenewal != nil && refreshingGeneration != generation }

  /// Applies one event; perform the effects in their order before the next one.
  public mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .storeRead(let result, let now): storeRead(result, now)
    case .storeReadAgain(let stored, let now): storeReadAgain(stored, now)
    case .storeOvertook(let stored, let known, let doubtful, let now): storeOvertook(stored, known, doubtful, now)
    case .saved(let failure): saved(failure)
    case .saveDoubted: saveDoubted()
    case .signInStarted: signInStarted()
    case .signInAnswered(let attempt, let result, let now): signInAnswered(attempt, result, now)
    case .tokensOrphaned(let tokens, let userID, let now): orphan(tokens, of: userID, now)
    case .renewalRequested(let rejected, let remaining, let wanted): renewalRequested(rejected, remaining, wanted)
    case .accessTokenRefused(let token): accessTokenRefused(token)
    case .lifetimeCorrected(let remaining): lifetimeCorrected(remaining)
    case .refreshBegan(let generation, let now): refreshBegan(generation, now)
    case .refreshNotSent(let generation, let error, let remaining): refreshNotSent(generation, error, remaining)
    case .refreshAnswered(let generation, let result, let userID, let remaining, let now):
      refreshAnswered(generation, result, userID, remaining, now)
    case .signOutRequested(let revoking, let now): signOutRequested(revoking, now)
    case .revocationStarted(let revocation, let now): revocationStarted(revocation, now)
    case .revocationAnswered(let revocation, let failure): revocationAnswered(revocation, failure)
    }
  }
}
