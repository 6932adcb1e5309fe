import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the codes of Identity Toolkit mean (firebase-js-sdk, `packages/auth/src/api/errors.ts`).
enum FirebaseErrors {
  /// In an attempt to sign in.
  static let signIn = everywhere

  /// At the token service, about our own refresh token: the only calls that end a session.
  static let refresh = everywhere.merging([
    "TOKEN_EXPIRED": .sessionRejected, "USER_NOT_FOUND": .sessionRejected, "USER_DISABLED": .userDisabled,
    "INVALID_REFRESH_TOKEN": .sessionRejected,
  ]) { $1 }

  /// On behalf of a person who is signed in: a refused ID token is refreshed first.
  static let account = everywhere.merging([
    "INVALID_ID_TOKEN": .accessTokenRefused, "TOKEN_EXPIRED": .accessTokenRefused,
    "USER_NOT_FOUND": .accessTokenRefused, "USER_DISABLED": .accessTokenRefused,
    "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .recentSignInRequired, "EMAIL_EXISTS": .alreadyLinked,
    "PHONE_NUMBER_EXISTS": .alreadyLinked, "EXPIRED_OOB_CODE": .codeExpired, "SESSION_EXPIRED": .codeExpired,
  ]) { $1 }

  private static let everywhere: [String: AuthenticationError] = [
    "USER_NOT_FOUND": .invalidCredentials, "USER_DISABLED": .userDisabled, "TOKEN_EXPIRED": .signInExpired,
    "EMAIL_NOT_FOUND": .invalidCredentials, "INVALID_PASSWORD": .invalidCredentials,
    "INVALID_LOGIN_CREDENTIALS": .invalidCredentials,

    "EMAIL_EXISTS": .accountExists, "PHONE_NUMBER_EXISTS": .accountExists, "CREDENTIAL_MISMATCH": .accountExists,
    "FEDERATED_USER_ID_ALREADY_LINKED": .alreadyLinked, "SECOND_FACTOR_EXISTS": .alreadyLinked,

    "WEAK_PASSWORD": .weakPassword(), "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .weakPassword(),
    "MISSING_PASSWORD": .emptyPassword, "INVALID_EMAIL": .invalidEmailAddress, "MISSING_EMAIL": .invalidEmailAddress,
    "INVALID_IDENTIFIER": .invalidEmailAddress, "INVALID_PHONE_NUMBER": .invalidPhoneNumber,

    "OPERATION_NOT_ALLOWED": .notEnabled, "PASSWORD_LOGIN_DISABLED": .notEnabled, "ADMIN_ONLY_OPERATION": .notEnabled,
    "UNSUPPORTED_FIRST_FACTOR": .notEnabled, "UNSUPPORTED_TENANT_OPERATION": .notEnabled,

    "INVALID_CODE": .wrongCode, "INVALID_OOB_CODE": .wrongCode, "EXPIRED_OOB_CODE": .signInExpired,
    // About a code by text message, not about a session.
    "SESSION_EXPIRED": .signInExpired,
    "INVALID_SESSION_INFO": .signInExpired, "INVALID_MFA_PENDING_CREDENTIAL": .signInExpired,
    "INVALID_TEMPORARY_PROOF": .signInExpired,

    "MFA_ENROLLMENT_NOT_FOUND": .noSuchFactor, "SECOND_FACTOR_LIMIT_EXCEEDED": .factorLimit,
    "UNVERIFIED_EMAIL": .unverifiedEmail,

    "MISSING_OR_INVALID_NONCE": .refused(by: .nonce, "Firebase refused the identity token's nonce."),
    "INVALID_IDP_RESPONSE": .refused(by: .idToken, "Firebase refused the vendor's identity token."),
    "INVALID_CUSTOM_TOKEN": .refused(by: .idToken, "Firebase refused the custom token."),
    "REJECTED_CREDENTIAL": .refused(by: .idToken, "Firebase refused the credential."),

    "TOO_MANY_ATTEMPTS_TRY_LATER": .rateLimited(), "QUOTA_EXCEEDED": .rateLimited(),
    "RESET_PASSWORD_EXCEED_LIMIT": .rateLimited(),

    "CAPTCHA_CHECK_FAILED": .captchaRequired, "MISSING_RECAPTCHA_TOKEN": .captchaRequired,
    "INVALID_RECAPTCHA_TOKEN": .captchaRequired, "MISSING_APP_CREDENTIAL": .captchaRequired,
    "INVALID_APP_CREDENTIAL": .captchaRequired, "MISSING_CLIENT_IDENTIFIER": .captchaRequired,
    "APP_NOT_VERIFIED": .captchaRequired,

    "BLOCKING_FUNCTION_ERROR_RESPONSE": .declined, "EMAIL_CHANGE_NEEDS_VERIFICATION": .declined,

    "INVALID_ARGUMENT": .clientRejected, "PERMISSION_DENIED": .clientRejected, "keyInvalid": .clientRejected,
    "PROJECT_NUMBER_MISMATCH": .clientRejected, "INVALID_TENANT_ID": .clientRejected,
    "TENANT_ID_MISMATCH": .clientRejected, "MISSING_REFRESH_TOKEN": .clientRejected,
    "INVALID_GRANT_TYPE": .clientRejected,
  ]

  static func map(
    _ response: HTTPResponse, in table: [String: AuthenticationError], now: Date
  ) -> AuthenticationError {
    let error = (try? JSONMembers(response))?.members("error")
    let code = error?["message"].flatMap(code)
    guard let error, code.flatMap({ table[$0] }) == nil else {
      return VendorErrorMapper.map(code, in: table, response, now: now)
    }
    // A bad or restricted API key has no code of its own.
    let reason = error.list("errors").first?["reason"].flatMap { $0.hasPrefix("keyInvalid") ? "keyInvalid" : nil }
    return VendorErrorMapper.map(reason ?? code ?? error["status"], in: table, response, now: now)
  }

  /// What stands before the first colon of `WEAK_PASSWORD : detail`; nil if that is a sentence.
  static func code(_ message: String) -> String? {
    let words = message.split(separator: ":").first?.split(whereSeparator: \.isWhitespace) ?? []
    return words.count == 1 ? String(words[0]) : nil
  }
}

extension AuthenticationError {
  fileprivate static let notEnabled = Self(
    .unsupportedMethod, "The Firebase project does not allow this method.",
    suggestion: "Turn it on in the console under Authentication, Sign-in method.")
  fileprivate static let noSuchFactor = Self(
    .invalidRequest, "Firebase knows no such second factor of this account.", suggestion: "List the factors again.")
  fileprivate static let factorLimit = Self(
    .invalidRequest, "The account has as many second factors as Firebase allows.", suggestion: "Remove one first.")
  fileprivate static let unverifiedEmail = Self(
    .notVerified, "Firebase asks for a verified e-mail address first.", suggestion: "Verify it, then repeat.")
}
