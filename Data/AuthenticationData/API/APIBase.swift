import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A checked base URL, and the requests below it.
struct APIBase: Sendable {
  let url: URL
  let origin: Origin

  /// Throws ``AuthenticationError/Code/invalidConfiguration`` unless the URL is absolute, https (or http to this
  /// machine), and without user info, query and fragment.
  init(_ text: String) throws(AuthenticationError) {
    guard let url = URL(string: text), let origin = Origin(url) else {
      throw .invalidBaseURL("is not an absolute http or https URL without user info")
    }
    guard origin.isSecure else { throw .invalidBaseURL("is neither https nor on this machine") }
    guard url.query() == nil, url.fragment() == nil else { throw .invalidBaseURL("has a query or a fragment") }
    self.url = url
    self.origin = origin
  }

  func post(_ path: String, _ body: [String: String]) -> HTTPRequest {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return HTTPRequest(
      .post, url.appending(path: path),
      headers: ["Content-Type": "application/json", "Accept": "application/json"], body: try? encoder.encode(body))
  }

  func get(_ path: String, _ token: AccessToken) -> HTTPRequest {
    HTTPRequest(
      .get, url.appending(path: path),
      headers: ["Accept": "application/json", "Authorization": token.authorization.reveal()])
  }
}

extension AuthenticationError {
  fileprivate static func invalidBaseURL(_ reason: String) -> Self {
    Self(
      .invalidConfiguration, "The base URL of the API \(reason).", suggestion: "Write it like https://api.example.com.")
  }
}
