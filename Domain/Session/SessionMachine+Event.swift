#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension SessionMachine {
  /// What has happened. Dates are the wall clock (UTC); `remaining` is the access token's time left, nil if unknown.
  public enum Event: Sendable {
    /// The first read of the store, or another one after it was unavailable.
    case storeRead(Result<SessionRecord?, AuthenticationError>, at: Date)
    /// The store as it is now, read under the lock that guards a renewal.
    case storeReadAgain(SessionRecord?, at: Date)
    /// The store as it is now, and as it was `known` when the record that it does not hold yet was made; `doubtful` is
    /// what it may have held since then.
    case storeOvertook(SessionRecord, known: SessionRecord?, doubtful: SessionRecord? = nil, at: Date)
    /// The last ``Effect/save(_:)`` succeeded (nil) or failed.
    case saved(AuthenticationError?)
    /// The save under way failed, and may be done all the same.
    case saveDoubted
    /// A new attempt begins; it replaces the one under way.
    case signInStarted
    /// The provider's answer to that attempt.
    case signInAnswered(attempt: Int, Result<SignInOutcome, AuthenticationError>, at: Date)
    /// Tokens came for a caller who had given up; the user's id is nil where it is not known.
    case tokensOrphaned(SessionTokens, of: String? = nil, at: Date)
    /// A caller needs a token: not `rejected`, and with more than `wanted` left (nil: than its usual leeway).
    case renewalRequested(rejected: AccessToken?, remaining: Duration?, wanted: Duration?)
    /// A resource refused this access token: it is given to nobody any more.
    case accessTokenRefused(AccessToken)
    /// A server's clock says how much is left of the access token.
    case lifetimeCorrected(remaining: Duration?)
    /// The refresh token of that generation is about to be sent: the store hears of it first.
    case refreshBegan(generation: Int, at: Date)
    /// The refresh token of that generation could not be sent now.
    case refreshNotSent(generation: Int, AuthenticationError, remaining: Duration?)
    /// The provider's answer to the renewal of that generation, which belonged to this user; nil where not known.
    case refreshAnswered(
      generation: Int, Result<SessionTokens, AuthenticationError>, of: String? = nil, remaining: Duration?, at: Date)
    /// `revoking` is false where the provider is not to be told.
    case signOutRequested(revoking: Bool, at: Date)
    /// The provider is about to be told of a sign-out that was queued too long ago, or by a clock ahead.
    case revocationStarted(PendingRevocation, at: Date)
    /// The provider was told of a sign-out (nil), or could not be.
    case revocationAnswered(PendingRevocation, AuthenticationError?)
  }

  /// What must be done, in this order: remote, then store, then runtime.
  public enum Effect: Sendable, Equatable {
    /// Store this, or delete what is stored where it is empty; answer with ``Event/saved(_:)``.
    case save(SessionRecord)
    /// Make ``SessionMachine/state`` the runtime's.
    case publish
    /// Renew it at the provider, after ``Event/refreshBegan(generation:at:)``; answer with ``Event/refreshAnswered(generation:_:of:remaining:at:)``.
    case refresh(AuthSession, generation: Int)
    /// Answer everyone who waits for a token: with the current session (nil), or with a failure. Where the token is still
    /// good, the failure is for those alone who want it to last longer than it does.
    case settle(AuthenticationError?, tokenIsGood: Bool = false)
    /// Send what sign-outs owe the provider; answer with ``Event/revocationAnswered(_:_:)``.
    case deliverRevocations
    /// Try to save again later.
    case retrySave
  }
}
