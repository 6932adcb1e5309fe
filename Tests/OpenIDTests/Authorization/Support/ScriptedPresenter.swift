import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

@testable import AuthenticationOpenID

/// A browser that shows nothing: it keeps the page's URL, and comes back with a test's redirect for its state.
final class ScriptedPresenter: AuthorizationPresenter {
  typealias Script = @Sendable (_ state: String) async -> Result<String, AuthenticationError>

  private let script: Script
  private let shown = Mutex<[URL]>([])

  /// By default everything is well.
  init(_ script: @escaping Script = { .success("\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: $0))") }) {
    self.script = script
  }

  convenience init(query: @escaping @Sendable (_ state: String) -> String) {
    self.init { .success("\(FlowBench.redirect)?\(query($0))") }
  }

  static func answer(to state: String) -> String {
    "code=the-code&state=\(state)&iss=https%3A%2F%2Fid.example.com"
  }

  /// The pages shown so far.
  var urls: [URL] { shown.withLock { $0 } }
  /// The query of the last page.
  var query: String { urls.last?.query(percentEncoded: true) ?? "" }

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    guard case .address(let text) = redirect else { throw .noPresenter }
    let url = try await makeURL(text)
    shown.withLock { $0.append(url) }
    let fields = FormBody(decoding: Array((url.query(percentEncoded: true) ?? "").utf8))?.fields ?? []
    let state = fields.first { $0.name == "state" }?.value ?? ""
    return URL(string: try await script(state).get())!
  }
}
