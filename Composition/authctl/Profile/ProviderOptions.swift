import ArgumentParser
import AuthenticationKit
import Foundation

/// Which provider, besides an issuer, and what it is told. Each kind takes some of the options.
struct ProviderOptions: ParsableArguments {
  @Option(
    help: "The provider to sign in with: \(ProviderKind.known.map(\.name).joined(separator: ", ")).",
    transform: Self.kind)
  var provider: ProviderKind?

  @Option(help: "api: where the backend is, like https://api.example.com.")
  var baseURL: String?

  @Option(help: "firebase: the project's web API key.")
  var apiKey: String?

  @Option(help: "firebase: the tenant, where the project has several.")
  var tenant: String?

  @Option(help: "supabase, keycloak: where the project or the server is.")
  var url: String?

  @Option(help: "supabase: the project's publishable key.")
  var anonKey: String?

  @Option(help: "auth0: the tenant's domain, like tenant.eu.auth0.com.")
  var domain: String?

  @Option(help: "auth0: the database with the passwords, where it is not the usual one.")
  var connection: String?

  @Option(help: "keycloak: the realm's name.")
  var realm: String?

  @Option(help: "cognito: the pool's id, like eu-central-1_Abc123.")
  var pool: String?

  @Option(help: "An emulator, or a server of one's own, in place of the vendor's; http on this machine only.")
  var endpoint: String?

  @OptionGroup var client: ClientOptions

  /// Whether anything was named that is not for an issuer as well.
  var isUsed: Bool { provider != nil || !ownValues.isEmpty }

  /// The kind; `api` where it goes without saying.
  var kind: ProviderKind { provider ?? .api }

  private var ownValues: [String: String] {
    let values: [(ProviderOption, String?)] = [
      (.baseURL, baseURL), (.apiKey, apiKey), (.tenant, tenant), (.url, url), (.anonKey, anonKey), (.domain, domain),
      (.connection, connection), (.realm, realm), (.pool, pool), (.endpoint, endpoint),
    ]
    return values.reduce(into: [:]) { $0[$1.0.name] = $1.1 }
  }

  /// Of the client's secret only that there is one.
  var settings: ProviderSettings {
    var settings = ProviderSettings(ownValues)
    guard provider != nil else { return settings }
    if let id = client.clientID { settings[.clientID] = id }
    if let audience = client.audience { settings[.audience] = audience }
    if let file = client.clientSecretFile { settings[.clientSecretFile] = file.isEmpty ? "" : "kept" }
    return settings
  }

  func validate() throws {
    guard isUsed else { return }
    let settings = settings
    for option in kind.required where !settings.has(option) {
      throw ValidationError("--provider \(kind.name) needs --\(option.name)\(option.reason.map { ": " + $0 } ?? "").")
    }
    let taken = kind.options.map(\.name)
    for name in settings.values.keys.sorted() {
      if !taken.contains(name) { throw ValidationError("--provider \(kind.name) takes no --\(name).") }
      if settings.values[name]?.isEmpty == true { throw ValidationError("--\(name) is empty.") }
    }
    for option in ProviderOption.urls where settings.has(option) {
      guard let url = URL(string: settings[option]), Origin(url)?.isSecure == true, url.query() == nil,
        url.fragment() == nil
      else { throw ValidationError("--\(option.name) is not an https URL, nor on this machine.") }
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
