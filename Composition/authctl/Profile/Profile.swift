import AuthenticationKit
import Foundation

/// What `login` was told, kept for the commands that follow. Holds no secret.
struct Profile: Codable, Equatable {
  var provider = "api"
  var baseURL: String
  var allowedOrigins: [String] = []
  var storage: StorageKind

  /// Sessions of one service only are found under it.
  var realm: String { "\(provider) \(baseURL)" }

  func sharesSession(with other: Profile) -> Bool { realm == other.realm && storage == other.storage }

  var configuration: AuthProviderConfiguration { .api(baseURL: baseURL, realm: realm) }

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
