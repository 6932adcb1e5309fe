extension AuthenticationError.Code {
  // What was entered.
  /// The user name is empty or only white space.
  public static let blankUserName = Self("blank_user_name")
  /// The password is empty.
  public static let emptyPassword = Self("empty_password")
  /// The code that answers a challenge is empty.
  public static let emptyCode = Self("empty_code")
  /// The phone number is not in E.164 form.
  public static let invalidPhoneNumber = Self("invalid_phone_number")

  // What the provider said.
  /// The provider refused the credentials: let the person correct them.
  public static let invalidCredentials = Self("invalid_credentials")
  /// The provider refused to create the account.
  public static let signUpRefused = Self("sign_up_refused")
  /// The provider cannot do what was asked, such as this method or sign-up.
  public static let unsupportedMethod = Self("unsupported_method")
  /// A second step must be answered first; see ``AuthenticationError/challenge``.
  public static let challengeRequired = Self("challenge_required")
  /// The provider refused the refresh token in a well-formed response: the only response that ends a session.
  public static let sessionRejected = Self("session_rejected")
  /// The provider refused a refresh token after the response to an earlier refresh with it was lost: the session ended,
  /// although neither the person nor the app ended it.
  public static let ambiguousLoss = Self("ambiguous_loss")
  /// The session lacks a scope that a resource asks for (RFC 6750 §3.1).
  public static let insufficientScope = Self("insufficient_scope")
  /// A resource asks that the person signs in again, or more strongly (RFC 9470 §3); see
  /// ``AuthenticationError/requirements``.
  public static let insufficientUserAuthentication = Self("insufficient_user_authentication")
  /// The person declined, or the provider did so on the person's behalf (`access_denied`, RFC 6749 §4.1.2.1).
  public static let declined = Self("declined")
  /// The person did not finish in the time the provider gave (RFC 8628 §3.5).
  public static let signInExpired = Self("sign_in_expired")
  /// The provider does not accept this app: its client id, its secret, or what it asks for.
  public static let clientRejected = Self("client_rejected")
  /// Too many requests (429, RFC 6585 §4); see ``AuthenticationError/retryAfter``.
  public static let rateLimited = Self("rate_limited")
  /// The provider failed (5xx); trying again may help.
  public static let serverFailed = Self("server_failed")
  /// The server has no such endpoint: the configuration names a wrong path.
  public static let endpointMissing = Self("endpoint_missing")
  /// The response does not conform to the protocol or the contract.
  public static let unexpectedAnswer = Self("unexpected_answer")

  // What must not be trusted.
  /// A response failed a check; see ``AuthenticationError/check``. None of it was stored.
  public static let security = Self("security")
  /// This device's clock and the provider's differ too much; see ``AuthenticationError/clockOffset``.
  public static let clockSkewed = Self("clock_skewed")

  // What happened on the way.
  /// The request cannot be sent as it is.
  public static let invalidRequest = Self("invalid_request")
  /// No connection was made: the provider has not seen the request.
  public static let unreachable = Self("unreachable")
  /// The connection broke after the request may have been processed.
  public static let connectionLost = Self("connection_lost")
  /// No response came before the timeout; the request may have been processed.
  public static let timedOut = Self("timed_out")
  /// The response is longer than the client's limit in bytes.
  public static let answerTooLarge = Self("answer_too_large")
  /// The caller's task was cancelled.
  public static let cancelled = Self("cancelled")
  /// The URL is neither https nor on this machine, or no trusted TLS connection could be made; nothing was sent.
  public static let insecureConnection = Self("insecure_connection")

  // The session.
  /// A session is needed, and nobody is signed in.
  public static let notSignedIn = Self("not_signed_in")
  /// The access token has expired and there is no refresh token.
  public static let sessionExpired = Self("session_expired")
  /// A resource refused an access token that had just replaced a refused one: another refresh would not help.
  public static let accessTokenRefused = Self("access_token_refused")
  /// A later sign-in or sign-out overtook this call; its tokens were discarded.
  public static let superseded = Self("superseded")
  /// The request's origin is not one that may have the token; nothing was sent.
  public static let originNotAllowed = Self("origin_not_allowed")

  // The store.
  /// The store is locked, or cannot be read or written now: this is not "absent".
  public static let storageUnavailable = Self("storage_unavailable")
  /// The store asked the person to unlock it (face, fingerprint, passcode, the keyring's password) and stayed locked:
  /// ask again when the person wants to continue. Nothing was lost.
  public static let userPresenceRequired = Self("user_presence_required")
  /// What is stored cannot be read by this version; it was left as it is.
  public static let storageCorrupt = Self("storage_corrupt")

  // The app's own set-up.
  /// The port on this machine that should receive the redirect is in use.
  public static let redirectPortBusy = Self("redirect_port_busy")
  /// No browser could be opened on this device.
  public static let browserUnavailable = Self("browser_unavailable")
  /// The configuration cannot work; thrown when the app is composed.
  public static let invalidConfiguration = Self("invalid_configuration")
  /// `Auth` was used before `Auth.configure`.
  public static let notConfigured = Self("not_configured")
}
