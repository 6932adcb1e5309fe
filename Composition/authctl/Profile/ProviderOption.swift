/// One option of some kinds of providers, by its name on the command line.
package struct ProviderOption: Sendable, Hashable {
  /// Without the dashes.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// Where a backend is.
  package static let baseURL = Self("base-url")
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
}

extension ProviderSettings: Codable {
  package init(from decoder: any Decoder) throws { values = try [String: String](from: decoder) }
  package func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}
