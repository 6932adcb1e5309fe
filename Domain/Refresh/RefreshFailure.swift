/// What a failed refresh says about the refresh token that was sent. Only an error that ends the session says that the
/// provider no longer accepts it.
extension AuthenticationError {
  /// Whether the provider has not used the refresh token.
  var leavesTokenUnused: Bool {
    let unprocessed: Set<Self> = [
      .unreachable, .insecureConnection, .invalidRequest, .rateLimited, .endpointMissing, .clientRejected,
      .unsupportedMethod, .invalidConfiguration, .storageUnavailable, .userPresenceRequired,
      .insufficientUserAuthentication,
    ]
    return unprocessed.contains(self)
  }

  /// Whether the provider calls a refresh request faulty, and not the refresh token (RFC 6749 §5.2); see
  /// ``RefusedRefresh``.
  var blamesRequest: Bool {
    self == .clientRejected && ["invalid_request", "invalid_client"].contains(self.providerCode)
  }

  /// Thrown while the provider refuses to refresh a session that it may have forgotten; the session stays stored.
  static func forgotten(providerCode: String?) -> Self {
    Self(
      .sessionExpired,
      "The provider refuses to refresh the session, as it did some time ago, although it has refreshed it before.",
      suggestion: "Sign in again; what the app keeps for the user can stay."
    ).with(\.providerCode, providerCode)
  }

  /// Whether the response was lost, so that sending the token again immediately may fall within the
  /// provider's grace period for a token it has just replaced. This includes a gateway that failed in front of a
  /// provider that did not. If a server says why it failed, or when to try again, no response was lost.
  var isLostResponse: Bool {
    let lost: [Self] = [.connectionLost, .timedOut, .unexpectedResponse, .responseTooLarge, .serverFailed]
    return lost.contains(self) && self.providerCode == nil && self.retryAfter == nil
  }
}

extension Result where Failure == AuthenticationError {
  /// What the work returns or throws. Not isolated: with an executor of its own, an actor that calls it goes on to the
  /// work without giving way to another call.
  package static func of(_ work: () async throws(AuthenticationError) -> Success) async -> Self {
    do throws(AuthenticationError) { return .success(try await work()) } catch { return .failure(error) }
  }

  /// The error of a failure.
  var failure: AuthenticationError? {
    if case .failure(let error) = self { error } else { nil }
  }
}
