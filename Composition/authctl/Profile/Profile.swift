import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// What `login` was told, kept for the commands that follow. Holds no secret.
struct Profile: Codable, Equatable {
  var provider = "api"
  /// With `api` only.
  var baseURL: String?
  /// With `openid` only.
  var openID: OpenIDRegistration?
  var allowedOrigins: [String] = []
  var storage: StorageKind

  /// Sessions of one client at one service only are found under it.
  var realm: String {
    if let openID { return "\(provider) \(openID.issuer) \(openID.clientID)" }
    return "\(provider) \(baseURL ?? "")"
  }

  func sharesSession(with other: Profile) -> Bool { realm == other.realm && storage == other.storage }

  func configuration(secret: Secret?, adjust: (inout OpenIDClient) -> Void) -> AuthProviderConfiguration {
    if var client = openID?.client(secret: secret) {
      adjust(&client)
      return .openIDConnect(client, realm: realm)
    }
    return .api(baseURL: baseURL ?? "", realm: realm)
  }

  func origins() throws(AuthenticationError) -> Set<Origin> {
    var origins: Set<Origin> = []
    for text in allowedOrigins {
      guard let url = URL(string: text), let origin = Origin(url), origin.isSecure else {
        throw AuthenticationError(
          .invalidConfiguration, "An allowed origin is not https, or http on this machine.",
          suggestion: "Write it like https://api.example.com.")
      }
      origins.insert(origin)
    }
    return origins
  }
}
