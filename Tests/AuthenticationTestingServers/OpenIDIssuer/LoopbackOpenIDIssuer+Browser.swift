#if Tools && OpenID
import AuthenticationData
import AuthenticationDomain
public import Foundation

extension LoopbackOpenIDIssuer {
  /// A browser's part at a page of the issuer, over HTTP: returns where the redirect leads, unvisited; nil where
  /// the page stays.
  public func visit(_ page: URL) async throws -> URL? { try await page.redirect() }
}

extension URL {
  package func redirect() async throws -> URL? {
    let response = try await SystemHTTPClient().send(AuthenticationData.HTTPRequest(.get, self))
    return response.headers["Location"].flatMap(URL.init(string:))
  }
}
#endif
