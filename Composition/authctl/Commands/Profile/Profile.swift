import AuthenticationKit
import AuthenticationOpenID
import AuthenticationResources
import Foundation

/// The options of `login`, kept for the commands that follow. Holds no secret.
struct Profile: Codable, Equatable {
  var provider = "api"
  /// The options of the provider's kind; none with `openid`.
  var settings = ProviderSettings()
  /// With `openid` only.
  var openID: OpenIDRegistration?
  var allowedOrigins: [String] = []
  /// Further APIs with separate tokens; nil if there is none.
  var resources: [ProfileResource]?
  /// Certificate authorities that are trusted besides the system's; nil for those of the environment.
  var caFile: String?
  var storage: StorageKind

  /// Sessions of one client at one service only are found under it.
  var realm: String {
    if let openID { return "\(provider) \(openID.issuer) \(openID.clientID)" }
    return ([provider] + settings.identity).joined(separator: " ")
  }

  /// Whether the client's secret is kept with the session.
  var hasClientSecret: Bool {
    openID?.hasSecret ?? (settings.has(.clientSecretFile) || settings.has(.privateKey))
  }

  /// Whether it is of a program without a user.
  var isService: Bool { provider == ProviderKind.service.name }

  /// Whether it is of a protected resource that was named by its address alone.
  var isResource: Bool { provider == ProviderKind.resource.name }

  func sharesSession(with other: Profile) -> Bool { realm == other.realm && storage == other.storage }

  /// - Throws: ``AuthenticationError/invalidConfiguration`` if this program does not know the provider's kind.
  func configuration(
    secret: Secret?, page: BrowserPage? = nil, registrations: RegisteredClients? = nil,
    adjust: @escaping @Sendable (inout OpenIDClient) -> Void,
    onRegistration: @escaping @Sendable (String, String) -> Void = { _, _ in }
  ) throws(AuthenticationError) -> AuthProviderConfiguration {
    if var client = openID?.client(secret: secret) {
      client.presenter = page?.presenter
      adjust(&client)
      return .openIDConnect(client, realm: realm).namingOptions()
    }
    guard let kind = ProviderKind.named(provider) else {
      throw .invalidConfiguration(
        "This program knows no provider '\(provider)'.", suggestion: "Use the program that signed in, or sign in anew.")
    }
    let setup = ProviderSetup(
      settings, clientSecret: secret, page: page, registrations: registrations, adjust: adjust,
      onRegistration: onRegistration)
    return kind.configuration(setup, realm: realm)
  }

  func origins() throws(AuthenticationError) -> Set<Origin> {
    var origins: Set<Origin> = []
    for text in allowedOrigins { origins.insert(try Self.origin(text)) }
    return origins
  }

  /// The further resources with the origin of each.
  func declaredResources() throws(AuthenticationError) -> [ProtectedResource: Set<Origin>] {
    var declared: [ProtectedResource: Set<Origin>] = [:]
    for entry in resources ?? [] { declared[entry.declaration] = [try Self.origin(entry.origin)] }
    return declared
  }

  private static func origin(_ text: String) throws(AuthenticationError) -> Origin {
    guard let url = URL(string: text), let origin = Origin(url), origin.isSecure else {
      throw AuthenticationError(
        .invalidConfiguration, "An allowed origin is not https, or http on this machine.",
        suggestion: "Write it like https://api.example.com.")
    }
    return origin
  }
}

extension Profile {
  /// Refuses to replace the session of an account without a name, before anything is asked or sent: nothing would lead
  /// back to it.
  func checkNothingIsLost(in folder: ProfileFolder) throws {
    let stored = try? OpenProfile(self, in: folder).store.read()
    try SignOutLoss.check(stored?.session?.user, named: nil)
  }
}

/// A further API of a profile, and the one origin where its token may be sent.
struct ProfileResource: Codable, Equatable {
  let resource: String
  let origin: String

  var declaration: ProtectedResource { .resource(resource) }
}

/// A profile's client at an issuer. Its secret, where it has one, is kept with the session.
struct OpenIDRegistration: Codable, Equatable {
  var issuer: String
  var clientID: String
  /// Nil for the usual ones that the issuer lists.
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
      if let endpoint = OpenIDClient.Endpoint(rawValue: name) { client.endpoints[endpoint] = url }
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
  static func redirectURI(_ port: UInt16?, _ path: String) -> String {
    "http://127.0.0.1\(port.map { ":\($0)" } ?? "")\(path)"
  }
}
