/// Errors for a provider of your own: what a service may report, and how the connection to it may fail. For a message
/// of your own use ``AuthenticationError/init(_:_:suggestion:cause:)``.
extension AuthenticationError {
  /// The service will not create the account.
  public static let signUpRefused = Self(
    .signUpRefused, "The provider refused to create this account.",
    suggestion: "Let the person choose another user name or a stronger password.")
  /// The person declined, or the service did so on the person's behalf (RFC 6749 §4.1.2.1).
  public static let declined = Self(
    .declined, "The person, or the provider in the person's name, said no.",
    suggestion: "Let the person choose to sign in again.")
  /// The person did not finish in time: the code or the step is no longer accepted (RFC 8628 §3.5).
  public static let signInExpired = Self(
    .signInExpired, "The sign-in was not finished in the time the provider gave.", suggestion: "Begin a new one.")
  /// The service does not accept this app (RFC 6749 §5.2, `invalid_client`).
  public static let clientRejected = Self(
    .clientRejected, "The provider does not accept this app.",
    suggestion: "Check the client id, its secret, and what the app may ask for.")
  /// The service refuses a refresh without rejecting the refresh token (RFC 6749 §5.2, `invalid_request` or
  /// `invalid_client`); set ``providerCode``.
  package static let refreshRefused = Self(
    .clientRejected, "The provider refuses to refresh the session, and does not say that it has ended.",
    suggestion: "Try again later; the session is kept. If that lasts, sign in again.")
  /// The service failed.
  public static let serverFailed = Self(.serverFailed, "The provider failed.", suggestion: "Try again later.")
  /// The service has no such endpoint.
  public static let endpointMissing = Self(
    .endpointMissing, "The provider has no such endpoint.", suggestion: "Check the configured URL and paths.")
  /// A response does not conform to the protocol.
  public static let unexpectedAnswer = Self(
    .unexpectedAnswer, "The provider's answer is not what its protocol says.",
    suggestion: "Check which server and version answers.")

  /// Too many requests.
  ///
  /// - Parameter retryAfter: how long the service asks clients to wait (RFC 9110 §10.2.3); nil if it does not say.
  public static func rateLimited(retryAfter: Duration? = nil) -> Self {
    var error = Self(.rateLimited, "The provider asks for fewer requests.", suggestion: "Wait before trying again.")
    error.retryAfter = retryAfter
    return error
  }

  /// The clocks differ too much to check a token's times.
  ///
  /// - Parameter offset: how far this device's clock is ahead of the service's; negative if it is behind.
  public static func clockSkewed(offset: Duration) -> Self {
    var error = Self(
      .clockSkewed, "This device's clock and the provider's differ by \(offset).",
      suggestion: "Have the person set the device's clock.")
    error.clockOffset = offset
    return error
  }

  /// No connection was made: the service has not seen the request.
  public static let unreachable = Self(
    .unreachable, "The provider cannot be reached.", suggestion: "Try again when there is a connection.")
  /// The connection broke after the service may have seen the request.
  public static let connectionLost = Self(
    .connectionLost, "The connection was lost before the provider's answer came.", suggestion: "Try again.")
  /// No trusted TLS connection could be made; nothing was sent.
  public static let insecureConnection = Self(
    .insecureConnection, "No secure connection to the provider could be made.",
    suggestion: "Check the URL's scheme and the server's certificate.")
  /// The response is longer than the client's limit.
  public static let answerTooLarge = Self(
    .answerTooLarge, "The provider's answer is longer than the limit.", suggestion: "Check which server answers.")

  /// A configuration that cannot work, found when the app is composed.
  ///
  /// - Parameters:
  ///   - message: for a developer, what is wrong; it names no secret.
  ///   - suggestion: for a developer, what to do next.
  public static func invalidConfiguration(_ message: String, suggestion: String? = nil) -> Self {
    Self(.invalidConfiguration, message, suggestion: suggestion)
  }
}
