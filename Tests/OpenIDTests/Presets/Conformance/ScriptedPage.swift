import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import Foundation

/// A browser in which the page is never shown: the user has agreed, and the redirect carries the code of the script.
struct ScriptedPage: AuthorizationPresenter {
  static let redirect = "com.example.app:/callback"
  static let code = "canary-code"
  /// BASE64URL of 32 bytes 0x5A, the random bytes of a script.
  static let verifier = String(repeating: "Wlpa", count: 10) + "Wlo"

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    _ = try await makeURL(Self.redirect)
    guard let url = URL(string: "\(Self.redirect)?code=\(Self.code)&state=\(state)") else { throw .cancelled }
    return url
  }
}

extension ProviderScript {
  /// A form, as every token request is.
  static func form(_ url: String, _ body: String, _ answer: HTTPResponse) -> Exchange {
    Exchange(
      """
      POST \(url)
      Content-Type: application/x-www-form-urlencoded
      Accept: application/json

      \(body)
      """, answer)
  }

  static func document(_ url: String, _ answer: HTTPResponse) -> Exchange {
    Exchange("GET \(url)\nAccept: application/json", answer)
  }

  /// An error of RFC 6749 §5.2.
  static func refusal(_ code: String, _ status: Int, _ words: String = "canary") -> HTTPResponse {
    .scripted(status, #"{"error":"\#(code)","error_description":"\#(words)"}"#)
  }
}
