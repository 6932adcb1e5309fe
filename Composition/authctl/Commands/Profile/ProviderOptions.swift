import ArgumentParser
import AuthenticationKit
import Foundation

/// The provider, besides an issuer, and its options. Each kind takes some of the options.
struct ProviderOptions: ParsableArguments {
  @Option(
    help: "The provider to sign in with: \(ProviderKind.known.map(\.name).joined(separator: ", ")).",
    transform: Self.kind)
  var provider: ProviderKind?

  @Option(help: "api: where the backend is, like https://api.example.com.")
  var baseURL: String?

  @Option(help: "firebase: the project's web API key.")
  var apiKey: String?

  @Option(
    help: """
      firebase: the tenant, where the project has several. entra: the tenant's id or domain, organizations, common or \
      consumers.
      """)
  var tenant: String?

  @Option(
    help: """
      entra: the id of a tenant whose users may sign in, with organizations and common; or any, also a tenant that an \
      attacker has made. Repeatable.
      """)
  var allowTenant: [String] = []

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

  @Option(help: "service: a file with the client's private key, in PEM or as a JWK.")
  var privateKey: String?

  @Option(name: .customLong("key-id"), help: "service: the name under which the issuer knows that key.")
  var keyID: String?

  @Option(help: "A protected resource by its address alone, like https://notes.example.com/mcp.")
  var protectedResource: String?

  @Option(
    help: """
      With --protected-resource: the https address of a client metadata document, which names this program to servers \
      that take one.
      """)
  var clientMetadata: String?

  @Option(help: "An emulator, or a server of one's own, in place of the vendor's; http on this machine only.")
  var endpoint: String?

  @Option(
    help: """
      A file of certificate authorities (PEM) to trust besides the system's, kept with the profile; by default what \
      SSL_CERT_FILE and SSL_CERT_DIR name.
      """, transform: Authorities.path)
  var caFile: String?

  @OptionGroup var client: ClientOptions

  /// Whether anything was named that is not for an issuer as well.
  var isUsed: Bool { provider != nil || !settings.isEmpty }

  /// Whether its kind was named.
  var isNamed: Bool { provider != nil || protectedResource != nil }

  /// The kind; `api` where it goes without saying.
  var kind: ProviderKind { provider ?? (protectedResource == nil ? .api : .resource) }

  /// Of the client's secret only that there is one.
  var settings: ProviderSettings {
    var values: [(ProviderOption, String?)] = [
      (.baseURL, baseURL), (.apiKey, apiKey), (.tenant, tenant),
      (.allowTenant, allowTenant.isEmpty ? nil : allowTenant.joined(separator: " ")), (.url, url), (.anonKey, anonKey),
      (.domain, domain),
      (.connection, connection), (.realm, realm), (.pool, pool), (.endpoint, endpoint), (.keyID, keyID),
      (.protectedResource, protectedResource),
      (.clientMetadata, clientMetadata),
      (.privateKey, privateKey.map { $0.isEmpty ? "" : "kept" }),
    ]
    if isNamed {
      values += [
        (.clientID, client.clientID), (.audience, client.audience),
        (.clientSecretFile, client.clientSecretFile.map { $0.isEmpty ? "" : "kept" }),
      ]
    }
    return values.reduce(into: [:]) { $0[$1.0.name] = $1.1 }
  }

  func validate() throws {
    guard isUsed else { return }
    let settings = settings
    for option in kind.required where !settings.has(option) {
      throw ValidationError("--provider \(kind.name) needs --\(option.name)\(option.reason.map { ": " + $0 } ?? "").")
    }
    if client.clientSecretFile != nil, client.clientID == nil, kind.name == ProviderKind.resource.name {
      throw ValidationError("--client-secret-file needs the --client-id that the secret belongs to.")
    }
    let taken = kind.options.map(\.name)
    for name in settings.keys.sorted() {
      if !taken.contains(name) { throw ValidationError("--provider \(kind.name) takes no --\(name).") }
      if settings[name]?.isEmpty == true { throw ValidationError("--\(name) is empty.") }
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

/// The values of a profile's provider at login, by the options' names. Holds no secret.
typealias ProviderSettings = [String: String]

extension ProviderSettings {
  /// Empty if the option was left out.
  subscript(option: ProviderOption) -> String {
    get { self[option.name] ?? "" }
    set { self[option.name] = newValue }
  }

  /// Whether the option was given.
  func has(_ option: ProviderOption) -> Bool { self[option.name] != nil }

  /// The values that distinguish one service and client from another.
  var identity: [String] {
    let others: [ProviderOption] = [.clientSecretFile, .privateKey, .keyID, .scope]
    return filter { entry in !others.contains { $0.name == entry.key } }.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// The options every command has.
struct ProfileOptions: ParsableArguments {
  @Option(help: "Which of several sessions side by side.")
  var profile = ProfileFolder.defaultName

  @Option(help: "Where the session is kept: keychain, secret-service or file. By default the best at the first login.")
  var storage: StorageKind?

  @Flag(help: "Tell on stderr what is done. Shows no secret.")
  var verbose = false

  mutating func validate() throws {
    guard !profile.isEmpty, profile.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }),
      profile.first != "."
    else { throw ValidationError("--profile has letters, digits, '-', '_' and '.' only.") }
  }
}

enum StorageKind: String, ExpressibleByArgument, Codable, CaseIterable {
  case keychain
  case secretService = "secret-service"
  case file

  /// The best that responds on this machine now. Does not ask the user to unlock anything.
  static var best: StorageKind {
    #if canImport(Security)
    // A program that is not signed with a keychain access group is refused.
    do { _ = try KeychainStorage(service: "authctl").read("probe") } catch { return .file }
    return .keychain
    #elseif os(Linux)
    return SecretServiceStorage(service: "authctl").isOpen ? .secretService : .file
    #else
    return .file
    #endif
  }

  /// For a first login: a keyring that is locked is not passed over in silence. The user is asked to unlock it where
  /// that can be asked, and told otherwise.
  static func best(telling console: Console) -> StorageKind {
    #if os(Linux)
    let keyring = SecretServiceStorage(service: "authctl")
    guard keyring.availability == .locked else { return best }
    if (try? keyring.unlock()) != nil { return .secretService }
    console.say(
      "The keyring is locked: the session will be kept in a file that only you can read. To keep it in the keyring, "
        + "unlock that and log in again with --storage secret-service.")
    return .file
    #else
    return best
    #endif
  }
}
