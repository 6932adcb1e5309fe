import AuthenticationKit
import AuthenticationOpenID
import Foundation
import Synchronization

/// The browser that shows the product also shows the issuer's page: the next answer leads there, and its redirect comes
/// back as a request.
final class PageBrowser: AuthorizationPresenter {
  private struct Open {
    let state: String
    let page: URL
    let answer: AsyncStream<URL>.Continuation
    var isShown = false
  }

  private let redirectAddress: String
  private let open = Mutex<Open?>(nil)
  private let observer = Mutex<@Sendable () -> Void>({})

  init(redirectAddress: String) { self.redirectAddress = redirectAddress }

  /// - Parameter observer: called when there is another page, or none any more.
  func setOnChange(_ observer: @escaping @Sendable () -> Void) { self.observer.withLock { $0 = observer } }

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL(redirectAddress)
    let (answers, answer) = AsyncStream.makeStream(of: URL.self)
    let former = open.withLock { open in
      defer { open = Open(state: state, page: page, answer: answer) }
      return open
    }
    former?.answer.finish()
    tell()
    defer {
      open.withLock { if $0?.state == state { $0 = nil } }
      tell()
    }
    for await url in answers { return url }
    throw AuthenticationError(.cancelled, "The page was left.", suggestion: "Open it again.")
  }

  /// The page that waits to be opened, which is told once.
  func takePage() -> URL? {
    open.withLock { open in
      guard let page = open?.page, open?.isShown == false else { return nil }
      open?.isShown = true
      return page
    }
  }

  /// The page that is open, for a person who has come back from it.
  var page: URL? { open.withLock { $0?.page } }

  private func tell() {
    let observer = observer.withLock { $0 }
    observer()
  }

  /// The redirect; one that no page waits for is dropped.
  func receive(_ query: String, _ fields: FormFields) {
    guard let url = URL(string: "\(redirectAddress)?\(query)") else { return }
    open.withLock { open in
      guard let current = open, current.state == fields["state"] else { return }
      current.answer.yield(url)
      open = nil
    }
  }
}
