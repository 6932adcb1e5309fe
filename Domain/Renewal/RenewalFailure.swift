/// What a failed refresh says about the refresh token that was sent.
enum RenewalFailure {
  /// The provider no longer accepts it: the only response that ends a session.
  case rejected
  /// The provider has not used it.
  case unprocessed
  /// It may be spent: the provider failed after it got the token, or its response is not known.
  case ambiguous

  init(_ error: AuthenticationError) {
    self =
      switch error.code {
      case let code where code.disposition == .endsSession: .rejected
      case let code where Self.unprocessedCodes.contains(code): .unprocessed
      default: .ambiguous
      }
  }

  private static let unprocessedCodes: Set<AuthenticationError.Code> = [
    .unreachable, .insecureConnection, .invalidRequest, .rateLimited, .endpointMissing, .clientRejected,
    .unsupportedMethod, .invalidConfiguration, .storageUnavailable, .userPresenceRequired,
  ]
}

extension AuthenticationError {
  /// Whether the response was lost on its way here, so that sending the token again immediately may fall within the
  /// provider's grace period for a token it has just replaced. This includes a gateway that failed in front of a
  /// provider that did not. If a server says why it failed, or when to try again, no response was lost.
  var isLostAnswer: Bool {
    let codes: [Code] = [.connectionLost, .timedOut, .unexpectedAnswer, .answerTooLarge, .serverFailed]
    return codes.contains(code) && providerCode == nil && retryAfter == nil
  }
}
