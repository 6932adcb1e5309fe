import AuthenticationDomain

/// What Auth0's refusals mean. The HTTP status says little: 401, 403 and 429 come with the same codes as 400.
enum Auth0Refusals {
  /// Of a password.
  static let password = VendorRefusals([("invalid_grant", "Wrong email or password.", .invalidCredentials)]) + common

  /// Of a code that was sent or shown.
  static let code =
    VendorRefusals([
      ("invalid_grant", "Wrong ", .wrongCode), ("invalid_user_password", nil, .wrongCode),
      ("invalid_grant", "MFA Authorization rejected.", .wrongCode),
    ]) + common

  /// Of a passkey; Auth0 publishes no words of its refusal.
  static let passkey = VendorRefusals([("invalid_grant", nil, .invalidCredentials)]) + common

  /// Of a push notification.
  static let approval = VendorRefusals([("invalid_grant", "MFA Authorization rejected.", .declined)]) + common

  /// Of a refresh: a factor or an Action's no ends no session. Any other `invalid_grant` does.
  static let refresh = VendorRefusals([
    ("mfa_required", nil, .secondFactorNeeded), ("a0.mfa_required", nil, .secondFactorNeeded),
    ("unauthorized", nil, .declined), ("too_many_attempts", nil, .rateLimited()),
    ("too_many_requests", nil, .rateLimited()), ("password_leaked", nil, .declined),
    ("requires_verification", nil, .unverified),
  ])

  /// Of any other step.
  static let common = VendorRefusals([
    ("invalid_user_password", nil, .invalidCredentials),
    ("invalid_grant", "Wrong email or verification code.", .wrongCode),
    ("invalid_grant", "Wrong phone number or verification code.", .wrongCode),
    ("invalid_grant", "Invalid otp_code.", .wrongCode), ("invalid_grant", "Invalid binding_code.", .wrongCode),
    ("a0.mfa_invalid_code", nil, .wrongCode),
    ("expired_token", nil, .signInExpired), ("invalid_grant", "Malformed mfa_token", .signInExpired),
    ("unsupported_challenge_type", nil, .noFactor), ("a0.mfa_registration_required", nil, .noFactor),
    ("association_required", nil, .noFactor), ("access_denied", "User is already enrolled", .alreadyEnrolled),
    ("too_many_attempts", nil, .rateLimited()), ("too_many_requests", nil, .rateLimited()),
    ("unauthorized", "user is blocked", .userDisabled), ("unauthorized", nil, .declined),
    ("access_denied", nil, .declined), ("password_leaked", nil, .declined),
    ("requires_verification", nil, .unverified),
    ("bad.connection", nil, .clientRejected), ("bad.email", nil, .badAddress), ("bad.phone_number", nil, .badAddress),
    ("invalid_signup", nil, .accountExists), ("invalid_password", nil, .weakPassword()),
  ])
}

extension AuthenticationError {
  /// The account has no factor that was asked for.
  static let noFactor = Self(
    .declined, "The account has no second factor yet.", suggestion: "Let the person enrol one on the tenant's own page."
  )
  /// There is a factor already, which can be used.
  static let alreadyEnrolled = Self(
    .alreadyLinked, "The account has this second factor already.", suggestion: "Let the person use it.")
  fileprivate static let secondFactorNeeded = Self(
    .insufficientUserAuthentication, "Auth0 asks for a second factor before it refreshes the session.",
    suggestion: "Let the person sign in again; the session is kept.")
  fileprivate static let unverified = Self(
    .notVerified, "Auth0 asks the person to verify an address or number first.",
    suggestion: "Let the person open the mail that Auth0 sent.")
  fileprivate static let badAddress = Self(
    .invalidRequest, "Auth0 does not accept the address or number.", suggestion: "Let the person correct it.")
}
