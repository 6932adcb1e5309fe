#if Tools && OpenID
import Foundation

struct CognitoAccount: Sendable {
  /// As it was chosen; the address is another name for it.
  let userName: String
  let subject: String
  var password: String?
  var email: String?
  var phone: String?
  var isConfirmed = false
  var isDisabled = false
  var mustChangePassword = false
  var factorSecret: String?
  var hasPhoneFactor = false
  /// A code of an authenticator app works once.
  var lastStep: Int?
}

/// A step that is asked for, by its `Session`.
struct CognitoStep: Sendable {
  let userName: String
  let challenge: String
  var code: String?
  let expiresAt: Date
}

/// A code of managed login, which is used once.
struct CognitoCode: Sendable {
  let userName: String
  let redirectURI: String
  let challenge: String
  let nonce: String?
  let scopes: Set<String>
  let expiresAt: Date
}

struct CognitoRefreshToken: Sendable {
  let userName: String
  /// Of the sign-in: revoking one of its tokens ends all of them.
  let origin: String
  let scopes: Set<String>
  var spentAt: Date?
}

struct CognitoAccessToken: Sendable {
  let userName: String
  let origin: String
  let scopes: Set<String>
  let expiresAt: Date
}
#endif
