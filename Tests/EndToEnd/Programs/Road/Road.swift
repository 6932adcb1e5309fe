import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// An app whose tokens are bound to its key (DPoP, RFC 9449). A step each launch, like an app that is opened,
/// killed and opened again:
///
///     road sign-in|call|leave ISSUER CLIENT-ID PORT FOLDER API-URL
///
/// Prints the events, a word and a value a line.
enum Road {
  static func run(_ arguments: [String]) async {
    guard arguments.count == 6, let port = UInt16(arguments[3]), let api = URL(string: arguments[5]) else { exit(64) }
    var client = OpenIDClient(issuer: arguments[1], clientID: arguments[2])
    client.redirect = .loopback(port: port)
    client.presenter = StandardStreamsPresenter(redirectURI: "http://127.0.0.1:\(port)/callback")
    client.bindsTokens = true
    do {
      let app = try MainRoot(.openIDConnect(client)) { $0.storage = .files(in: URL(filePath: arguments[4])) }
      if arguments[0] == "sign-in" {
        let user = try await app.manager.signIn(with: .browser)
        tell("signed-in \(user.id)")
      } else {
        tell("restored \(await app.manager.restore().user?.id ?? "none")")
      }
      if arguments[0] == "leave" {
        try await app.manager.signOut()
        await app.manager.deliverRevocations()
        tell("left \(app.currentUser?.id ?? "none")")
      } else {
        tell("answered \(try await app.apiClient.send(HTTPRequest(.get, api)).status)")
      }
    } catch {
      tell("failed \(error)")
      exit(1)
    }
  }
}

/// Prints the page to open, and reads the URL of the redirect: the program that runs this one is the browser.
private struct StandardStreamsPresenter: AuthorizationPresenter {
  let redirectURI: String

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: nonisolated(nonsending) @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    tell("open \(try await makeURL(redirectURI))")
    guard let line = readLine(), let url = URL(string: line) else { throw closed }
    return url
  }

  private var closed: AuthenticationError { AuthenticationError(.cancelled, "The page was closed.") }
}
