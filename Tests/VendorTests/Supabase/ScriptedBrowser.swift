import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationSupabase
import Foundation

/// A browser that follows redirects over real HTTP until one leads to the app, or to nowhere.
final class ScriptedBrowser: AuthorizationPresenter {
  static let redirect = "com.example.app:/callback"

  struct Contents: Sendable {
    var pages: [URL] = []
    /// How far it came; the last one is of the app, or of another site.
    var last: URL?
    /// Whether the app is told.
    var isClosed = false
    var change: @Sendable (String) -> String = { $0 }
  }

  let contents = AwaitableState(Contents())

  /// The page that was shown last.
  var page: URL? { contents.value.pages.last }

  /// The page's redirect is changed so before the app gets it.
  func change(_ change: @escaping @Sendable (String) -> String) { contents.update { $0.change = change } }

  /// Whether the app hears of no page from now on, or until it does.
  func hangUp(_ hangsUp: Bool = true) { contents.update { $0.isClosed = hangsUp } }

  /// Returns where the browser has come, which is no page of the service.
  func arrival() async -> URL? {
    await contents.wait { $0.last != nil }
    return contents.value.last
  }

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    contents.update { $0.last = nil }
    let page = try await makeURL(Self.redirect)
    contents.update { $0.pages.append(page) }
    var next: URL? = page
    let client = try SystemHTTPClient()
    while let url = next, url.scheme == "http" {
      let response = try await client.send(HTTPRequest(.get, url))
      next = response.headers["Location"].flatMap { URL(string: $0) }
    }
    let change = contents.value.change
    let last = next.flatMap { URL(string: change($0.absoluteString)) }
    contents.update { $0.last = last ?? page }
    // The app waits where the user is at another site.
    await contents.wait { last?.scheme == "com.example.app" && !$0.isClosed }
    guard let last, !Task.isCancelled else { throw .cancelled }
    return last
  }
}
