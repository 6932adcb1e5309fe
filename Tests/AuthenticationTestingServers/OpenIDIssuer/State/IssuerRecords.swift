#if Tools && OpenID
package import Foundation

/// An authorization request that was pushed (RFC 9126 §2).
struct PushedRequest: Sendable {
  let fields: Fields
  let expiresAt: Date
}

/// How and when a user signed in, for which client: all tokens of one sign-in belong to it and end with it.
package struct SignIn: Sendable {
  package let account: LoopbackOpenIDIssuer.Account
  package let scopes: [String]
  let authenticatedAt: Date
  let context: String
  let nonce: String?
  /// Those that the authorization request named (RFC 8707 §2.1).
  var resources: [String] = []
}

struct IssuedCode: Sendable {
  let signIn: SignIn
  let redirectURI: String
  let challenge: String
  /// The key the code is bound to (RFC 9449 §10).
  let thumbprint: String?
  let expiresAt: Date
  /// The sign-in that was made of it.
  var redeemedAs: Int?
}

/// A device that waits for an answer (RFC 8628 §3.2).
package struct Device: Sendable {
  let code: String
  let userCode: String
  let scopes: [String]
  var expiresAt: Date
  var interval: Duration
  var lastAskedAt: Date?
  package var decision: LoopbackOpenIDIssuer.UserAction?
  var isRedeemed = false
}

package struct IssuedRefreshToken: Sendable {
  package let signIn: Int
  let thumbprint: String?
  var spentAt: Date?
}

package struct IssuedAccessToken: Sendable {
  package let signIn: Int
  let scopes: [String]
  let thumbprint: String?
  let issuedAt: Date
  package let expiresAt: Date
}
#endif
