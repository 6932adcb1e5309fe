import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation

@testable import AuthenticationOpenID

/// A tenant of Auth0, as the wire facts describe it.
enum Auth0 {
  static let domain = "tenant.eu.auth0.com"
  static let password = PasswordCredentials(userName: "ada@example.com", password: Secret("pw"))
  static let tokens = json(
    200, #"{"access_token":"a-1","refresh_token":"r-1","token_type":"Bearer","expires_in":86400}"#)
  static let userInfo = json(200, #"{"sub":"auth0|1","name":"Ada","email":"ada@example.com","email_verified":true}"#)
  static let mfaRequired = json(
    403, #"{"error":"mfa_required","error_description":"canary","mfa_token":"mfa-1"}"#)

  static func bench(
    _ answers: [String: [HTTPResponse]] = [:], client: OpenIDClient = .auth0(domain: domain, clientID: "app")
  ) throws -> PresetBench {
    try PresetBench(.openIDConnect(client), standard.merging(answers) { $1 })
  }

  static func error(_ code: String, _ description: String = "canary", status: Int = 403) -> HTTPResponse {
    json(status, #"{"error":"\#(code)","error_description":"\#(description)"}"#)
  }

  /// The list of `GET /mfa/authenticators`.
  static func authenticators(_ list: String...) -> HTTPResponse { json(200, "[\(list.joined(separator: ","))]") }

  static let otp = #"{"id":"totp|1","authenticator_type":"otp","active":true}"#
  static let sms = #"{"id":"sms|1","authenticator_type":"oob","oob_channel":"sms","name":"XXXXXX42","active":true}"#
  static let push = #"{"id":"push|1","authenticator_type":"oob","oob_channel":"auth0","active":true}"#
  static let recovery = #"{"id":"recovery|1","authenticator_type":"recovery-code","active":true}"#

  private static let standard: [String: [HTTPResponse]] = [
    "/.well-known/openid-configuration": [
      json(
        200,
        """
        {"issuer":"https://tenant.eu.auth0.com/","authorization_endpoint":"https://tenant.eu.auth0.com/authorize",
        "token_endpoint":"https://tenant.eu.auth0.com/oauth/token","userinfo_endpoint":"https://tenant.eu.auth0.com/userinfo",
        "jwks_uri":"https://tenant.eu.auth0.com/.well-known/jwks.json",
        "revocation_endpoint":"https://tenant.eu.auth0.com/oauth/revoke"}
        """)
    ],
    "/userinfo": [userInfo],
  ]
}
