import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// A browser without a window, in which the user agrees.
struct VisitingBrowser: AuthorizationPresenter {
  /// Where a page of the server leads; nil where it stays.
  let visit: @Sendable (_ page: URL) async throws -> URL?

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL("com.example.app:/callback")
    guard let url = try? await visit(page) else { throw .cancelled }
    return url
  }
}
