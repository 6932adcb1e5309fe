extension AuthenticationError.Code {
  // What was entered.
  /// The user name is empty or only white space.
  public static let blankUserName = Self("blank_user_name", .attempt)
  /// The password is empty.
  public static let emptyPassword = Self("empty_password", .attempt)
  /// The code that answers a challenge is empty.
  public static let emptyCode = Self("empty_code", .attempt)
  /// The phone number is not in E.164 form.
  public static let invalidPhoneNumber = Self("invalid_phone_number", .attempt)

  /// The e-mail address does not have one @ between two parts without spaces.
  public static let invalidEmailAddress = Self("invalid_email_address", .attempt)
  /// The code cannot be the one asked for: too short, too long, or with characters that no such code has.
  public static let malformedCode = Self("malformed_code", .attempt)
  /// The link is not one that this attempt waits for.
  public static let invalidLink = Self("invalid_link", .attempt)
  /// The answer belongs to a challenge that is no longer asked.
  public static let challengeReplaced = Self("challenge_replaced", .attempt)

  // What the provider said.
  /// The provider refused the credentials: let the person correct them.
  public static let invalidCredentials = Self("invalid_credentials", .attempt)
  /// The code is not the one that was sent or shown; the attempt goes on.
  public static let wrongCode = Self("wrong_code", .attempt)
  /// The code or link was right, and is no longer accepted: ask for another one.
  public static let codeExpired = Self("code_expired", .attempt)
  /// A one-time password was used before: the person waits for the next one (RFC 6238 §5.2).
  public static let codeReused = Self("code_reused", .attempt)
  /// Too many wrong answers; see ``AuthenticationError/retryAfter`` for when to try again.
  public static let tooManyAttempts = Self("too_many_attempts", .attempt)
  /// There is an account with this user name, address or number.
  public static let accountExists = Self("account_exists", .attempt)
  /// The password does not meet the provider's rules; see ``AuthenticationError/passwordRules``.
  public static let weakPassword = Self("weak_password", .attempt)
  /// The provider wants proof that a person is there; see ``SignInInput/attributes``.
  public static let captchaRequired = Self("captcha_required", .attempt)
  /// What was to be linked belongs to another account.
  public static let alreadyLinked = Self("already_linked", .attempt)
  /// The provider wants a fresh sign-in before it does this; see ``AuthenticationError/challenge`` for a step that does
  /// instead.
  public static let recentSignInRequired = Self("recent_sign_in_required", .attempt)
  /// Another user has signed in than the one who is to be present; see ``ReauthenticationUseCase``.
  public static let userMismatch = Self("user_mismatch", .attempt)
  /// The last way to sign in to an account cannot be removed.
  public static let lastMethod = Self("last_method", .attempt)
  /// The account is disabled or deleted.
  public static let userDisabled = Self("user_disabled", .endsSession)
  /// The provider refused to create the account.
  public static let signUpRefused = Self("sign_up_refused", .attempt)
  /// The provider cannot do what was asked, such as this method or sign-up.
  public static let unsupportedMethod = Self("unsupported_method")
  /// A second step must be answered first; see ``AuthenticationError/challenge``.
  public static let challengeRequired = Self("challenge_required")
  /// The provider refused the refresh token in a well-formed response, which ends the session.
  public static let sessionRejected = Self("session_rejected", .endsSession)
  /// The provider refused a refresh token after the response to an earlier refresh with it was lost: the session ended,
  /// although neither the person nor the app ended it.
  public static let ambiguousLoss = Self("ambiguous_loss")
  /// The authenticator, or a vendor's sheet, could not ask the person, for a reason of its own; the cause has its number.
  public static let authenticatorFailed = Self("authenticator_failed")
  /// The session lacks a scope that a resource asks for (RFC 6750 §3.1).
  public static let insufficientScope = Self("insufficient_scope")
  /// A resource asks that the person signs in again, or more strongly (RFC 9470 §3); see
  /// ``AuthenticationError/requirements``.
  public static let insufficientUserAuthentication = Self("insufficient_user_authentication")
  /// The person declined, or the provider did so on the person's behalf (`access_denied`, RFC 6749 §4.1.2.1).
  public static let declined = Self("declined", .attempt)
  /// The person did not finish in the time the provider gave (RFC 8628 §3.5).
  public static let signInExpired = Self("sign_in_expired", .attempt)
  /// The provider does not accept this app: its client id, its secret, or what it asks for.
  public static let clientRejected = Self("client_rejected")
  /// Too many requests (429, RFC 6585 §4); see ``AuthenticationError/retryAfter``.
  public static let rateLimited = Self("rate_limited", .transient)
  /// The provider failed (5xx); trying again may help.
  public static let serverFailed = Self("server_failed", .transient)
  /// The server has no such endpoint: the configuration names a wrong path.
  public static let endpointMissing = Self("endpoint_missing")
  /// The response does not conform to the protocol or the contract.
  public static let unexpectedAnswer = Self("unexpected_answer")

  /// The app's own server did not accept what the person signed in with.
  public static let notVerified = Self("not_verified", .attempt)

  // What must not be trusted.
  /// A response failed a check; see ``AuthenticationError/check``. None of it was stored.
  public static let security = Self("security")
  /// This device's clock and the provider's differ too much; see ``AuthenticationError/clockOffset``.
  public static let clockSkewed = Self("clock_skewed")

  // What happened on the way.
  /// The request cannot be sent as it is.
  public static let invalidRequest = Self("invalid_request")
  /// No connection was made: the provider has not seen the request.
  public static let unreachable = Self("unreachable", .transient)
  /// The connection broke after the request may have been processed.
  public static let connectionLost = Self("connection_lost", .transient)
  /// No response came before the timeout; the request may have been processed.
  public static let timedOut = Self("timed_out", .transient)
  /// The response is longer than the client's limit in bytes.
  public static let answerTooLarge = Self("answer_too_large")
  /// The caller's task was cancelled.
  public static let cancelled = Self("cancelled")
  /// The URL is neither https nor on this machine, or no trusted TLS connection could be made; nothing was sent.
  public static let insecureConnection = Self("insecure_connection")

  // The session.
  /// A session is needed, and nobody is signed in.
  public static let notSignedIn = Self("not_signed_in")
  /// A sign-out would lose something for ever, and the caller did not name it; see ``SignOutLoss``. Nothing changed.
  public static let confirmationRequired = Self("confirmation_required")
  /// The person is signed out here, and may still be signed in on other devices.
  public static let otherSessionsRemain = Self("other_sessions_remain")
  /// The access token has expired and there is no refresh token, or the provider seems to have forgotten the session; see
  /// ``ActiveSession/Freshness/expired``.
  public static let sessionExpired = Self("session_expired")
  /// A resource refused an access token that had just replaced a refused one: another refresh would not help.
  public static let accessTokenRefused = Self("access_token_refused")
  /// A later sign-in or sign-out overtook this call; its tokens were discarded.
  public static let superseded = Self("superseded")
  /// The request's origin is not one that may have the token; nothing was sent.
  public static let originNotAllowed = Self("origin_not_allowed")

  // The store.
  /// The store is locked, or cannot be read or written now: this is not "absent".
  public static let storageUnavailable = Self("storage_unavailable", .transient)
  /// The store asked the person to unlock it (face, fingerprint, passcode, the keyring's password) and stayed locked:
  /// ask again when the person wants to continue. Nothing was lost.
  public static let userPresenceRequired = Self("user_presence_required", .transient)
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
