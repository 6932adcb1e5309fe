import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

extension AuthCTL {
  /// Logs in at the issuer, with a browser that follows the issuer's redirects.
  func login(
    _ issuer: LoopbackOpenIDIssuer, _ arguments: String...,
    browser: @escaping (URL) async throws -> URL? = { $0 }
  ) async throws -> Outcome {
    let fixed = ["login", "--issuer", issuer.identifier, "--client-id", "app", "--no-browser", "--json"]
    return try await run(fixed + arguments) { line in
      guard let page = Self.value("url", in: line).flatMap(URL.init(string:)) else { return }
      guard let redirect = try await issuer.visit(page), let landing = try await browser(redirect) else { return }
      _ = try await SystemHTTPClient().send(HTTPRequest(.get, landing))
    }
  }

  static func value(_ name: String, in line: String) -> String? {
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return object?[name] as? String
  }

  /// The store of the default profile's session at this issuer.
  func store(_ issuer: LoopbackOpenIDIssuer) -> any SessionStore {
    StorageLocation.files(in: home.url.appending(path: "profiles/default"))
      .realm("openid \(issuer.identifier) app").store
  }
}
