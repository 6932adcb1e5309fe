import AuthenticationDomain

/// What GoTrue's error codes mean, by the kind of call. A code that is not listed keeps the session, and means what the
/// HTTP status says.
struct SupabaseErrors: Sendable {
  let table: [String: AuthenticationError]

  /// During an attempt, for people who are not signed in.
  static let attempt = Self(table: common)
  /// With the tokens of an attempt that waits for a second factor.
  static let factor = Self(
    table: common.merging(
      [
        "mfa_factor_not_found": .codeExpired, "bad_jwt": .signInExpired, "no_authorization": .signInExpired,
        "session_not_found": .signInExpired,
      ]) { $1 })
  /// With the access token of who is signed in: only the token endpoint says that a session has ended.
  static let account = Self(
    table: common.merging(
      [
        "bad_jwt": .accessTokenRefused, "no_authorization": .accessTokenRefused,
        "session_not_found": .accessTokenRefused, "session_expired": .accessTokenRefused,
        "user_not_found": .accessTokenRefused, "user_banned": .accessTokenRefused,
      ]) { $1 })
  /// The same, for the answer to a factor's challenge.
  static let accountFactor = Self(
    table: account.table.merging(["mfa_factor_not_found": .codeExpired]) { $1 })
  /// The same, for adding a way to sign in.
  static let linking = Self(
    table: account.table.merging(["email_exists": .alreadyLinked, "phone_exists": .alreadyLinked]) { $1 })
  /// Of our own refresh token: these alone end a session. The store was read again before it was sent, and is read
  /// again before a session ends.
  static let refresh = Self(
    table: common.merging(
      [
        "refresh_token_not_found": .sessionRejected, "refresh_token_already_used": .sessionRejected,
        "session_not_found": .sessionRejected, "session_expired": .sessionRejected, "user_not_found": .sessionRejected,
        "user_banned": .userDisabled, "validation_failed": .sessionRejected,
      ]) { $1 })

  private static let common: [String: AuthenticationError] = [
    "invalid_credentials": .invalidCredentials, "user_banned": .userDisabled, "user_not_found": .userDisabled,
    "email_not_confirmed": .notConfirmed, "phone_not_confirmed": .notConfirmed,
    "provider_email_needs_verification": .notConfirmed,
    // Wrong, used and expired alike.
    "otp_expired": .wrongCode, "mfa_verification_failed": .wrongCode, "reauthentication_not_valid": .wrongCode,
    "mfa_challenge_expired": .codeExpired, "webauthn_challenge_expired": .codeExpired,
    "webauthn_challenge_not_found": .codeExpired, "mfa_ip_address_mismatch": .codeExpired,
    "mfa_factor_not_found": .refusedRequest, "webauthn_credential_not_found": .refusedRequest,
    "validation_failed": .refusedRequest, "invalid request": .refusedRequest,
    "mfa_verification_rejected": .declined,
    "user_already_exists": .accountExists, "email_exists": .accountExists, "phone_exists": .accountExists,
    "identity_already_exists": .alreadyLinked, "webauthn_credential_exists": .alreadyLinked,
    "single_identity_not_deletable": .lastMethod, "email_conflict_identity_not_deletable": .refusedRequest,
    "weak_password": .weakPassword(), "same_password": .weakPassword(rules: ["different"]),
    "email_address_invalid": .invalidEmailAddress,
    "reauthentication_needed": .recentSignInRequired, "current_password_required": .recentSignInRequired,
    "current_password_invalid": .invalidCredentials,
    "insufficient_aal": .secondFactorRequired,
    "signup_disabled": .turnedOff, "otp_disabled": .turnedOff, "provider_disabled": .turnedOff,
    "email_provider_disabled": .turnedOff, "phone_provider_disabled": .turnedOff,
    "anonymous_provider_disabled": .turnedOff, "manual_linking_disabled": .turnedOff, "passkey_disabled": .turnedOff,
    "feature_disabled": .turnedOff, "mfa_totp_enroll_not_enabled": .turnedOff,
    "mfa_totp_verify_not_enabled": .turnedOff, "mfa_phone_enroll_not_enabled": .turnedOff,
    "mfa_phone_verify_not_enabled": .turnedOff, "mfa_webauthn_enroll_not_enabled": .turnedOff,
    "mfa_webauthn_verify_not_enabled": .turnedOff,
    "flow_state_not_found": .signInExpired, "flow_state_expired": .signInExpired,
    "flow_state_already_used": .signInExpired, "session_not_found": .signInExpired, "session_expired": .signInExpired,
    "bad_code_verifier": .refused(by: .state, "The code belongs to another sign-in than the one that presents it."),
    "bad_oauth_state": .refused(by: .state, "The redirect belongs to another sign-in."),
    "invalid nonce": .refused(by: .nonce, "The identity token belongs to another attempt."),
    "webauthn_verification_failed": .refused(by: .signature, "The provider does not accept the passkey's response."),
    "captcha_failed": .captchaRequired,
    "over_request_rate_limit": .rateLimited(), "over_email_send_rate_limit": .rateLimited(),
    "over_sms_send_rate_limit": .rateLimited(),
    "hook_timeout": .serverFailed, "hook_timeout_after_retry": .serverFailed, "request_timeout": .serverFailed,
    "conflict": .serverFailed, "unexpected_failure": .serverFailed, "sms_send_failed": .serverFailed,
  ]
}

extension AuthenticationError {
  fileprivate static let refusedRequest = Self(
    .invalidRequest, "The provider refuses the request as it is.", suggestion: "Check what was entered.")
  fileprivate static let turnedOff = Self(
    .unsupportedMethod, "The project has this turned off, or creates no account in this way.",
    suggestion: "Turn it on in the project, or do not offer it.")
  fileprivate static let notConfirmed = Self(
    .declined, "The address is not confirmed.", suggestion: "Let the person confirm it first.")
  fileprivate static let secondFactorRequired = {
    var error = Self(
      .insufficientUserAuthentication, "The provider asks for a second factor (aal2).",
      suggestion: "Let the person sign in with a second factor.")
    error.requirements = AuthenticationRequirements(acrValues: ["aal2"])
    return error
  }()
}
