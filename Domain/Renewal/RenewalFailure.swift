/// What a failed renewal says about the refresh token that was sent.
enum RenewalFailure {
  /// The provider no longer takes it: the only answer that ends a session.
  case rejected
  /// The provider has not used it.
  case unprocessed
  /// It may be spent: the provider failed while it held the token, or nobody knows what it answered.
  case ambiguous

  init(_ error: AuthenticationError) {
    self =
      switch error.code {
      case .sessionRejected: .rejected
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
  /// Whether an answer was lost on its way here, so that asking again at once may still find the provider's grace for a
  /// token it has just replaced: also where a gateway failed in front of a provider that did not. Who says why it
  /// failed, or when to come back, has lost nothing.
  var isLostAnswer: Bool {
    let codes: [Code] = [.connectionLost, .timedOut, .unexpectedAnswer, .answerTooLarge, .serverFailed]
    return codes.contains(code) && providerCode == nil && retryAfter == nil
  }
}
