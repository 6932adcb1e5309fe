import AuthenticationKit

extension AuthProviderConfiguration {
  /// The same provider of an issuer's client. What it finds fault with is told by the option's name.
  func namingOptions() -> AuthProviderConfiguration {
    AuthProviderConfiguration(name: name, realm: realm) { environment throws(AuthenticationError) in
      do throws(AuthenticationError) { return try make(environment) } catch { throw error.namingOption }
    }
  }
}

extension AuthenticationError {
  fileprivate var namingOption: Self {
    guard code == .invalidConfiguration,
      let (phrase, option) = Self.phrases.first(where: { message.hasPrefix($0.key) })
    else { return self }
    return .invalidConfiguration("The option \(option)\(message.dropFirst(phrase.count))", suggestion: suggestion)
  }

  /// How the library begins a sentence about what an option says.
  private static let phrases: KeyValuePairs = [
    "The issuer": "--issuer", "The OpenIDClient has an id that": "--client-id",
    "The OpenIDClient asks for a scope that": "--scope has a scope that",
    "The redirect URI names a port that": "--redirect-port names a port that", "The redirect URI": "--redirect-path",
  ]
}
