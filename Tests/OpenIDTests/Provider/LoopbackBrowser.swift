import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Synchronization

/// A browser without a window: it asks the issuer for the page, and answers where it is sent.
final class LoopbackBrowser: AuthorizationPresenter {
  private let loopback: LoopbackOpenIDIssuer
  private let shown = Mutex<[URL]>([])
  private let change = Mutex<@Sendable (String) -> String>({ $0 })

  init(_ loopback: LoopbackOpenIDIssuer) { self.loopback = loopback }

  /// The pages shown so far.
  var pages: [URL] { shown.withLock { $0 } }

  /// The fate of the redirect to the app.
  func onReturn(_ change: @escaping @Sendable (String) -> String) { self.change.withLock { $0 = change } }

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let isSignOut = redirect == .address("com.example.app:/signed-out")
    let page = try await makeURL("com.example.app:/" + (isSignOut ? "signed-out" : "callback"))
    shown.withLock { $0.append(page) }
    let change = change.withLock { $0 }
    guard let url = try? await loopback.visit(page), let changed = URL(string: change(url.absoluteString)) else {
      throw .cancelled
    }
    return changed
  }
}

/// A browser whose redirect reaches another process of the app.
final class AbandonedBrowser: AuthorizationPresenter {
  private let loopback: LoopbackOpenIDIssuer
  private let closing = Gate()
  private let redirects: AsyncStream<URL>
  private let continuation: AsyncStream<URL>.Continuation

  init(_ loopback: LoopbackOpenIDIssuer) {
    self.loopback = loopback
    (redirects, continuation) = AsyncStream.makeStream()
    closing.close()
  }

  func redirect() async -> URL? {
    for await url in redirects { return url }
    return nil
  }

  func close() { closing.open() }

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL("com.example.app:/callback")
    if let url = try? await loopback.visit(page) { continuation.yield(url) }
    await closing.pass()
    throw .cancelled
  }
}
