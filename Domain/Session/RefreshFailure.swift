import Foundation

/// The meaning of a failed refresh for the refresh token that was sent. Only an error that ends the session says that
/// the provider no longer accepts it.
enum RefreshFailure {
  /// The provider no longer accepts the refresh token.
  case endsSession
  /// The response was lost, so that sending the token again immediately may fall within the provider's grace period for
  /// a token it has just replaced. This includes a gateway that failed in front of a provider that did not. If a server
  /// says why it failed, or when to try again, no response was lost.
  case lostResponse
  /// The provider has not used the refresh token.
  case unused
  /// The response came and can never be used: the token may be spent, and no response is lost.
  case unusableResponse
  /// The token may be spent: the provider failed after it got the token, or its response is not known.
  case unknown

  init(_ error: AuthenticationError) {
    self =
      if error.disposition == .endsSession {
        .endsSession
      } else if error.response == .refused || Self.unprocessed.contains(error) {
        .unused
      } else if error.response == .unusable || error == .security {
        .unusableResponse
      } else if Self.lost.contains(error), error.providerCode == nil, error.retryAfter == nil {
        .lostResponse
      } else {
        .unknown
      }
  }

  private static let unprocessed: Set<AuthenticationError> = [
    .unreachable, .insecureConnection, .invalidRequest, .rateLimited, .endpointMissing, .clientRejected,
    .unsupportedMethod, .invalidConfiguration, .storageUnavailable, .userPresenceRequired,
    .insufficientUserAuthentication, .resourceRefused,
  ]

  private static let lost: Set<AuthenticationError> = [
    .connectionLost, .timedOut, .unexpectedResponse, .responseTooLarge, .serverFailed,
  ]
}

extension RefusedRefresh {
  /// After a refusal that says neither that the session has ended nor that a later refresh may work.
  ///
  /// - Parameters:
  ///   - earlier: the refusals before; nil if there were none.
  ///   - hasWorked: whether the session was refreshed before: without that the request itself may be wrong.
  /// - Returns: nil if the error is no such refusal.
  init?(_ error: AuthenticationError, after earlier: RefusedRefresh?, hasWorked: Bool, at now: Date) {
    let isUnexplained =
      error == .clientRejected
      || error.response == .refused && error.disposition != .transient
        && ![.insufficientUserAuthentication, .clockSkewed].contains(error)
    guard isUnexplained else { return nil }
    // Whether the provider calls the request faulty, and not the refresh token (RFC 6749 §5.2).
    let blamesRequest =
      error == .clientRejected && ["invalid_request", "invalid_client"].contains(error.providerCode)
    let needed = blamesRequest && hasWorked ? Self.ofWorkingRequest : Self.usual
    self = earlier?.again(at: now, of: needed) ?? RefusedRefresh(latestAt: now)
  }
}
