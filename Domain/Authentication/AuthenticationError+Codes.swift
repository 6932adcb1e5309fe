extension AuthenticationError.Code {
  // What was entered.
  public static let blankUserName = Self("blank_user_name")
  public static let emptyPassword = Self("empty_password")
  public static let emptyCode = Self("empty_code")
  public static let invalidPhoneNumber = Self("invalid_phone_number")

  // What the provider said.
  public static let invalidCredentials = Self("invalid_credentials")
  public static let signUpRefused = Self("sign_up_refused")
  public static let unsupportedMethod = Self("unsupported_method")
  public static let challengeRequired = Self("challenge_required")
  /// The provider refused the refresh token in a well-formed answer: the only answer that ends a session.
  public static let sessionRejected = Self("session_rejected")
  public static let insufficientScope = Self("insufficient_scope")
  public static let rateLimited = Self("rate_limited")
  public static let serverFailed = Self("server_failed")
  /// The server has no such endpoint: the configuration names a wrong path.
  public static let endpointMissing = Self("endpoint_missing")
  public static let unexpectedAnswer = Self("unexpected_answer")

  // What happened on the way.
  /// A request that cannot be sent as it is.
  public static let invalidRequest = Self("invalid_request")
  /// No connection was made: the provider has not seen the request.
  public static let unreachable = Self("unreachable")
  /// The connection broke after the request may have been processed.
  public static let connectionLost = Self("connection_lost")
  public static let timedOut = Self("timed_out")
  public static let answerTooLarge = Self("answer_too_large")
  public static let cancelled = Self("cancelled")
  public static let insecureConnection = Self("insecure_connection")

  // The session.
  public static let notSignedIn = Self("not_signed_in")
  /// The access token has expired and there is nothing to renew it with.
  public static let sessionExpired = Self("session_expired")
  /// A later sign-in or sign-out overtook this call; its tokens were discarded.
  public static let superseded = Self("superseded")
  public static let originNotAllowed = Self("origin_not_allowed")

  // The store.
  public static let storageUnavailable = Self("storage_unavailable")
  public static let storageCorrupt = Self("storage_corrupt")

  // The app's own set-up.
  public static let invalidConfiguration = Self("invalid_configuration")
  public static let notConfigured = Self("not_configured")
}
