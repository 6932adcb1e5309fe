import Foundation

/// The refresh of one session, or for one resource.
struct RefreshOperation: Sendable {
  typealias Response = Result<ResourceTokens, AuthenticationError>

  let session: AuthSession
  let generation: Int
  /// Whose access token is to come; nil for the session's own.
  var resource: ProtectedResource?
  /// The resource's access token that is to be replaced.
  var token: AccessToken?

  enum Outcome {
    case responded(Response, RecordID?)
    /// The token was not sent.
    case failed(AuthenticationError)
    /// Nothing is in flight for this operation: its response did not come in time, or nothing may be sent any more.
    case left(AuthenticationError)
    case lockLost
    /// The session is no longer the one that was to be refreshed.
    case overtaken
  }

  /// - Parameter signInID: of the session when the token was sent.
  func response(_ response: Response, signInID: RecordID?) -> RefreshResponse {
    RefreshResponse(
      of: session, signInID: signInID, for: resource, response.map(\.tokens), refusal: try? response.get().refusal)
  }
}

extension SessionMachine {
  /// Whether the session, or the resource's access token, is still the one that is to be refreshed. Tokens of an earlier
  /// refresh may have come late: then this one's token is spent, in the same generation.
  func isCurrent(_ operation: RefreshOperation) -> Bool {
    guard generation == operation.generation, record.session?.tokens == operation.session.tokens else { return false }
    // Another process may have got it with a refresh token that stays the same.
    return operation.resource.map { token(for: $0) == operation.token } ?? true
  }

  /// Why the provider is not asked now; nil if it may be.
  ///
  /// - Parameters:
  ///   - remaining: the time left of the session's own access token; nil if unknown.
  ///   - now: the wall clock (UTC).
  func obstacle(to operation: RefreshOperation, remaining: Duration?, at now: Date) -> AuthenticationError? {
    // After its end a token that refreshes itself would only be refused.
    if operation.session.tokens.refreshThemselves, let remaining, remaining <= .zero {
      return AuthenticationError.sessionExpired.with(\.isHeldOff, true)
    }
    // Another process may have been told, or this one before its last launch.
    return record.requestedWait(at: now, atMost: policy.longestHoldOff).map(AuthenticationError.waiting)
  }
}

extension AuthenticationError {
  fileprivate static func waiting(_ wait: Duration) -> Self {
    Self(
      .rateLimited, "The provider has asked for more time before the next refresh.",
      suggestion: "Try again when it is over; the session is kept."
    ).with(\.retryAfter, wait).with(\.isHeldOff, true)
  }
}
