import ArgumentParser

/// Which provider, besides an issuer, and what it is told. Each kind takes some of the options.
struct ProviderOptions: ParsableArguments {
  @Option(
    help: "The provider to sign in with: \(ProviderKind.known.map(\.name).joined(separator: ", ")).",
    transform: Self.kind)
  var provider: ProviderKind?

  @Option(help: "Where the backend is, like https://api.example.com.")
  var baseURL: String?

  /// Whether anything was named.
  var isUsed: Bool { provider != nil || !settings.values.isEmpty }

  /// The kind; `api` where it goes without saying.
  var kind: ProviderKind { provider ?? .api }

  var settings: ProviderSettings {
    var settings = ProviderSettings()
    if let baseURL { settings[.baseURL] = baseURL }
    return settings
  }

  func validate() throws {
    guard isUsed else { return }
    for option in kind.required where !settings.has(option) {
      throw ValidationError("--provider \(kind.name) needs --\(option.name).")
    }
    let taken = (kind.required + kind.optional).map(\.name)
    for name in settings.values.keys.sorted() where !taken.contains(name) {
      throw ValidationError("--provider \(kind.name) takes no --\(name).")
    }
  }

  private static func kind(_ name: String) throws -> ProviderKind {
    guard let kind = ProviderKind.named(name) else {
      let known = ProviderKind.known.map(\.name).joined(separator: ", ")
      throw ValidationError("--provider is one of: \(known).")
    }
    return kind
  }
}
