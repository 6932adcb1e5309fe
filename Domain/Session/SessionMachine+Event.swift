#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension SessionMachine {
  /// What has happened. Dates are the wall clock (UTC); `remaining` is the access token's time left, nil if unknown.
  package enum Event: Sendable {
    /// The store was read: for the first time, or again. A failure counts only before the first success.
    case storeRead(Result<SessionRecord?, AuthenticationError>, at: Date)
    /// From here on nothing can be saved, for this reason; nil ends that.
    case storeBlocked(AuthenticationError?)
    /// The last ``Effect/save(_:)`` succeeded.
    case saved
    /// The last ``Effect/save(_:)`` failed; `found` is what the store holds now, nil if it cannot be read.
    case saveFailed(AuthenticationError, found: SessionRecord?)
    /// It is time to try again what could not be saved.
    case saveRetried
    /// A new attempt begins; it replaces the one in progress.
    case signInStarted
    /// The provider's response to that attempt.
    case signInAnswered(attempt: Int, Result<SignInOutcome, AuthenticationError>, at: Date)
    /// The provider told more about the person, and gave the same person other tokens if there are any.
    case userChanged(User, SessionTokens?, at: Date)
    /// The user of the session has signed in again.
    case userProved(AuthSession, at: Date)
    /// The person has given up the attempt that this challenge belongs to.
    case challengeDropped(Challenge)
    /// Tokens came for a caller who had left; the user's id is nil if not known.
    case tokensOrphaned(SessionTokens, of: String? = nil, at: Date)
    /// A caller needs a token other than `rejected`, with more than `wanted` left (nil: more than the leeway).
    case refreshRequested(
      AuthenticationEvent.Cause = .expiry, rejected: AccessToken?, remaining: Duration?, wanted: Duration?)
    /// A resource refused this access token: it is not returned again.
    case accessTokenRefused(AccessToken)
    /// A server's clock says how much is left of the access token.
    case lifetimeCorrected(remaining: Duration?)
    /// The refresh token of that generation is about to be sent: the journal is written first.
    case refreshBegan(generation: Int, at: Date)
    /// The refresh token of that generation could not be sent now, or no response came in time.
    case refreshFailed(generation: Int, AuthenticationError, remaining: Duration?)
    /// The provider responded to a refresh, or failed.
    case refreshAnswered(RefreshAnswer, remaining: Duration?, at: Date)
    /// The person or the app signs out, or what stood behind the sign-in is gone; `revoking` is false if no revocation
    /// is to be sent.
    case signOutRequested(revoking: Bool, because: SignOutReason = .requested, at: Date)
    /// A revocation is about to be sent that was queued too long ago, or by a clock that was ahead.
    case revocationStarted(PendingRevocation, at: Date)
    /// The provider revoked these tokens (nil), or failed to.
    case revocationAnswered(PendingRevocation, AuthenticationError?)
  }

  /// What came of one refresh token that was sent.
  package struct RefreshAnswer: Sendable {
    let generation: Int
    /// The session whose refresh token was sent, and its sign-in.
    let session: AuthSession
    let signInID: RecordID?
    let result: Result<SessionTokens, AuthenticationError>

    package init(
      generation: Int, session: AuthSession, signInID: RecordID?, result: Result<SessionTokens, AuthenticationError>
    ) {
      self.generation = generation
      self.session = session
      self.signInID = signInID
      self.result = result
    }
  }

  /// What must be done, in this order: remote, then store, then runtime.
  package enum Effect: Sendable, Equatable {
    /// Store this; then handle ``Event/saved`` or ``Event/saveFailed(_:found:)``.
    case save(SessionRecord)
    /// Make ``SessionMachine/state`` the runtime's.
    case publish
    /// Start a refresh of this session.
    case refresh(AuthSession, generation: Int)
    /// Wait before the next attempt after this failure.
    case backOff(AuthenticationError)
    /// Resume all callers that wait for a token, with the current session (nil) or a failure. If the token is still
    /// valid, only callers that want it to last longer than it does get the failure.
    case settle(AuthenticationError?, tokenIsGood: Bool = false)
    /// Send the queued revocations; then handle ``Event/revocationAnswered(_:_:)``.
    case deliverRevocations
    /// Try to save again later.
    case retrySave
    /// Send this event to the listeners of ``AuthManager/events()``.
    case report(AuthenticationEvent)
  }
}
