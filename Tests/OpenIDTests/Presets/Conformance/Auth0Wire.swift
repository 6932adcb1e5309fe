import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting

/// Requests to a tenant of Auth0, and its responses.
enum Auth0Wire {
  typealias Exchange = ProviderScript.Exchange

  static let tenant = "https://tenant.eu.auth0.com"
  static let token = tenant + "/oauth/token"
  static let scopes = "scope=openid+profile+email+offline_access"
  static let password = PasswordCredentials(userName: "ada@example.com", password: Secret("canary-password"))
  static let signedIn = tokens("canary-access", #","refresh_token":"canary-refresh""#)
  static let mfaRequired = HTTPResponse.scripted(
    403, #"{"error":"mfa_required","error_description":"canary","mfa_token":"canary-mfa"}"#)

  static var userInfo: Exchange {
    Exchange(
      """
      GET \(tenant)/userinfo
      Accept: application/json
      Authorization: Bearer canary-access
      """, .scripted(200, #"{"sub":"auth0|1","name":"Ada","email":"ada@example.com"}"#))
  }

  static func begin(_ answer: HTTPResponse) -> Exchange {
    grant(
      "password-realm",
      "username=ada%40example.com&password=canary-password&realm=Username-Password-Authentication&\(scopes)&client_id=app",
      answer)
  }

  static func grant(_ name: String, _ fields: String, _ answer: HTTPResponse) -> Exchange {
    ProviderScript.form(token, "grant_type=http%3A%2F%2Fauth0.com%2Foauth%2Fgrant-type%2F\(name)&\(fields)", answer)
  }

  static func factors(_ list: String) -> Exchange {
    Exchange(
      """
      GET \(tenant)/mfa/authenticators
      Accept: application/json
      Authorization: Bearer canary-mfa
      """, .scripted(200, list))
  }

  static func json(_ path: String, _ body: String, _ answer: String) -> Exchange {
    Exchange(
      """
      POST \(tenant)/\(path)
      Accept: application/json
      Content-Type: application/json

      \(body)
      """, .scripted(200, answer))
  }

  static func tokens(_ access: String, _ more: String) -> HTTPResponse {
    .scripted(200, #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":86400\#(more)}"#)
  }
}
