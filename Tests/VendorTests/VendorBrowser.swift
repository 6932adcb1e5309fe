import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting
import Foundation

/// A browser without a window, at which the user acts as the page's server says.
final class VendorBrowser: AuthorizationPresenter {
  /// Its action at a page.
  enum Action: Sendable {
    /// Visits it, and returns where it leads, changed like this.
    case visits(@Sendable (URL) -> URL)
    /// Leaves it open.
    case waits
    /// Does not visit it, and returns from elsewhere.
    case returns(URL)
  }

  private let contents = AwaitableState((action: Action.visits { $0 }, pages: [URL]()))

  var action: Action {
    get { contents.value.action }
    set { contents.update { $0.action = newValue } }
  }

  /// The pages that were shown.
  var pages: [URL] { contents.value.pages }

  /// Where the newest page leads, as soon as there is one.
  func redirect() async throws -> URL {
    await contents.wait { !$0.pages.isEmpty }
    guard let page = pages.last, let url = try await Self.visit(page) else { throw AuthenticationError.cancelled }
    return url
  }

  /// A parameter of the newest page.
  func parameter(_ name: String) -> String? {
    pages.last.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems?
      .first { $0.name == name }?.value
  }

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL(redirect.fixed ?? "http://127.0.0.1:4711/callback")
    contents.update { $0.pages.append(page) }
    switch action {
    case .visits(let change):
      guard let url = try? await Self.visit(page) else { throw .cancelled }
      return change(url)
    case .waits:
      await contents.wait { if case .waits = $0.action { false } else { true } }
      throw .cancelled
    case .returns(let url): return url
    }
  }

  /// Where a page leads, unvisited; nil where it stays.
  static func visit(_ page: URL) async throws -> URL? {
    try await SystemHTTPClient().send(HTTPRequest(.get, page)).headers["Location"].flatMap(URL.init(string:))
  }
}

/// A browser that returns from any page to this address.
struct ScriptedPage: AuthorizationPresenter {
  let callback: @Sendable (_ state: String) -> String

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    _ = try await makeURL(redirect.fixed ?? "")
    guard let url = URL(string: callback(state)) else { throw .cancelled }
    return url
  }
}

extension URL {
  /// With another value of a parameter, or without it.
  func setting(_ name: String, _ value: String?) -> URL {
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: false)
    parts?.queryItems?.removeAll { $0.name == name }
    if let value { parts?.queryItems?.append(URLQueryItem(name: name, value: value)) }
    return parts?.url ?? self
  }
}
