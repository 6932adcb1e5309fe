/// One option of some kinds of providers, by its name on the command line.
package struct ProviderOption: Sendable, Hashable {
  /// Without the dashes.
  package let name: String
  /// What the library calls it where it finds fault with it.
  package let key: String
  /// Why a kind cannot do without it, where that is not plain.
  package let reason: String?

  /// - Parameter key: by default the name.
  package init(_ name: String, key: String? = nil, reason: String? = nil) {
    self.name = name
    self.key = key ?? name
    self.reason = reason
  }

  /// Where a backend is.
  package static let baseURL = Self("base-url", key: "baseURL")
  /// A server in place of the vendor's; every kind takes it.
  package static let endpoint = Self("endpoint")

  static let apiKey = Self("api-key", key: "apiKey")
  static let tenant = Self("tenant", key: "tenantID")
  static let url = Self("url")
  static let anonKey = Self("anon-key", key: "anonKey")
  static let domain = Self("domain")
  static let connection = Self("connection")
  static let realm = Self("realm")
  static let pool = Self("pool", key: "id")
  static let clientID = Self("client-id", key: "clientID")
  static let audience = Self("audience")
  static let clientSecretFile = Self("client-secret-file", key: "clientSecret")

  /// Those whose value is a URL.
  static let urls: [Self] = [.baseURL, .url, .endpoint]

  /// Whether it says where the provider is.
  var isAddress: Bool { Self.urls.contains(self) || [.domain, .pool].contains(self) }
}

/// What a profile's provider was told at login, by option. Holds no secret.
package struct ProviderSettings: Sendable, Equatable {
  private(set) var values: [String: String] = [:]

  init(_ values: [String: String] = [:]) { self.values = values }

  /// Empty if the option was left out.
  package internal(set) subscript(option: ProviderOption) -> String {
    get { values[option.name] ?? "" }
    set { values[option.name] = newValue }
  }

  /// Whether the option was given.
  package func has(_ option: ProviderOption) -> Bool { values[option.name] != nil }

  /// What tells one service and client from another.
  var identity: [String] {
    values.filter { $0.key != ProviderOption.clientSecretFile.name }.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension ProviderSettings: Codable {
  package init(from decoder: any Decoder) throws { values = try [String: String](from: decoder) }
  package func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}
