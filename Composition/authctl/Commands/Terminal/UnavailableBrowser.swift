// The browser is opened and waited for where programs can be started. Elsewhere authctl only has to compile: a
// package's scheme in Xcode builds it for a simulator, too.
#if !os(macOS) && !os(Linux)
import AuthenticationDomain
import AuthenticationOpenID
import Foundation

enum SystemBrowser {
  @Sendable static func open(_ url: URL) async throws(AuthenticationError) { throw .noBrowser }
  static func show(_ url: URL) async throws(AuthenticationError) { throw .noBrowser }
}

struct SystemBrowserPresenter: AuthorizationPresenter {
  init(
    timeout: Duration, open: @escaping @Sendable (URL) async throws(AuthenticationError) -> Void,
    onIgnored: @escaping @Sendable (AuthenticationError) -> Void
  ) {}

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL { throw .noBrowser }
}

extension AuthenticationError {
  fileprivate static var noBrowser: Self {
    Self(.browserUnavailable, "No browser can be opened here.", suggestion: "Use '--flow device' or a password.")
  }
}
#endif
