import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Shows a page and calls back: `ASWebAuthenticationSession`, or a script in a test. It may refuse to start, call back
/// twice, or never.
@MainActor
protocol CallbackAgent: Sendable {
  /// Returns false if it does not start; then it need not call back.
  func start(_ url: URL, answering callback: OneShotCallback) -> Bool
  /// Closes the page; does nothing if it is already closed.
  func cancel()
}

extension CallbackAgent {
  /// Returns the first callback; the page is closed when this returns or throws.
  func callback(from url: URL) async throws(AuthenticationError) -> URL {
    let callback = OneShotCallback()
    guard start(url, answering: callback) else { throw .notStarted }
    defer { cancel() }
    return try await callback.value()
  }
}

extension AuthenticationError {
  static let notStarted = Self(
    .browserUnavailable, "The system did not start the browser session.",
    suggestion: "Start it while the app is in front and the anchor is in a window, and not twice at once.")
}
