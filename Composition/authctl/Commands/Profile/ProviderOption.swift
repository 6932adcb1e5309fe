/// One option of some kinds of providers, by its name on the command line.
package struct ProviderOption: Sendable, Hashable {
  /// Without the dashes.
  let name: String
  /// The name of the parameter that it sets: the reason of the library's error about it.
  let key: String
  /// Why a kind cannot do without it, where that is not plain.
  let reason: String?

  /// - Parameter key: by default the name.
  init(_ name: String, key: String? = nil, reason: String? = nil) {
    self.name = name
    self.key = key ?? name
    self.reason = reason
  }

  /// Where a backend is.
  package static let baseURL = Self("base-url", key: "baseURL")
  /// A server in place of the vendor's; every kind takes it.
  static let endpoint = Self("endpoint")

  static let apiKey = Self("api-key", key: "apiKey")
  static let tenant = Self("tenant", key: "tenantID")
  static let authority = Self("tenant")
  static let allowTenant = Self("allow-tenant", key: "allowedTenants")
  static let url = Self("url")
  static let anonKey = Self("anon-key", key: "anonKey")
  static let domain = Self("domain")
  static let connection = Self("connection")
  static let realm = Self("realm")
  static let pool = Self("pool", key: "id")
  static let clientID = Self("client-id", key: "clientID")
  static let audience = Self("audience")
  static let scope = Self("scope", key: "scopes")
  static let clientSecretFile = Self("client-secret-file", key: "clientSecret")

  static let issuer = Self("issuer")
  static let privateKey = Self("private-key", key: "signingKey")
  static let redirectPort = Self("redirect-port", key: "redirectPort")
  static let redirectPath = Self("redirect-path", key: "redirectURI")
  static let keyID = Self("key-id")
  static let protectedResource = Self("protected-resource", key: "address")
  static let clientMetadata = Self("client-metadata", key: "metadataDocument")

  /// Those whose value is a URL.
  static let urls: [Self] = [.baseURL, .url, .endpoint]

  /// Whether it says where the provider is.
  var isAddress: Bool { Self.urls.contains(self) || [.domain, .pool].contains(self) }
}
