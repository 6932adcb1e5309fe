import AuthenticationKit
import AuthenticationOpenID

/// A profile's client at an issuer. Its secret, where it has one, is kept with the session.
struct OpenIDRegistration: Codable, Equatable {
  var issuer: String
  var clientID: String
  /// Nil for what the issuer lists of the usual ones.
  var scopes: [String]?
  var audience: String?
  var flow: OpenIDOptions.Flow
  var redirectPort: UInt16?
  var redirectPath: String
  var hasSecret: Bool
  var tokenAuth: OpenIDOptions.TokenAuth?
  /// Those the issuer does not publish, by their names in its metadata.
  var endpoints: [String: String]?

  func client(secret: Secret?) -> OpenIDClient {
    var client = OpenIDClient(issuer: issuer, clientID: clientID)
    client.scopes = scopes
    client.audience = audience
    client.redirect = .loopback(port: redirectPort, path: redirectPath)
    client.authentication = secret.map(authentication) ?? .none
    for (name, url) in endpoints ?? [:] {
      if let endpoint = OpenIDClient.Endpoint(name: name) { client.endpoints[endpoint] = url }
    }
    client.allowsDiscouragedPasswordGrant = flow == .password
    return client
  }

  private func authentication(_ secret: Secret) -> ClientAuthentication {
    switch tokenAuth {
    case .basic: .secretBasic(secret)
    case .post: .secretPost(secret)
    case .some(.none): .none
    case nil: .secret(secret)
    }
  }

  /// Where the issuer's page returns to, as it must be registered (RFC 8252 §7.3).
  var redirectURI: String { Self.redirectURI(redirectPort, redirectPath) }

  static func redirectURI(_ port: UInt16?, _ path: String) -> String {
    "http://127.0.0.1\(port.map { ":\($0)" } ?? "")\(path)"
  }
}
