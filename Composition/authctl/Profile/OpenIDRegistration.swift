import AuthenticationKit
import AuthenticationOpenID

/// A profile's client at an issuer. Its secret, where it has one, is kept with the session.
struct OpenIDRegistration: Codable, Equatable {
  var issuer: String
  var clientID: String
  var scopes: [String]
  var audience: String?
  var flow: OpenIDOptions.Flow
  var redirectPort: UInt16?
  var redirectPath: String
  var hasSecret: Bool

  func client(secret: Secret?, presenter: (any AuthorizationPresenter)?) -> OpenIDClient {
    var client = OpenIDClient(issuer: issuer, clientID: clientID)
    client.scopes = scopes
    client.audience = audience
    client.redirect = .loopback(port: redirectPort, path: redirectPath)
    client.presenter = presenter
    client.authentication = secret.map { .secretBasic($0) } ?? .none
    client.allowsDiscouragedPasswordGrant = flow == .password
    return client
  }
}
