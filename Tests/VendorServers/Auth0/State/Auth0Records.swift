#if Tools && OpenID
import AuthenticationTestingServers
import Foundation

struct Auth0Account: Sendable {
  var account: LoopbackOpenIDIssuer.Account
  var phone: String?
  var factorSecret: String?
  var hasPhoneFactor = false
  var recoveryCode: String?
  var isBlocked = false

  var hasFactor: Bool { factorSecret != nil || hasPhoneFactor }
}

/// A sign-in that waits for its second factor, by its `mfa_token`.
struct Auth0PendingSignIn: Sendable {
  let subject: String
  let scope: String?
  let expiresAt: Date
  /// Of an authenticator app that is being enrolled.
  var newSecret: String?
  /// Of a phone that is being enrolled.
  var newPhone: String?
  /// The sent codes, by `oob_code`.
  var codes: [String: String] = [:]
}

/// A code that was sent without a password.
struct Auth0Code: Sendable {
  let text: String
  let expiresAt: Date
}
#endif
