import AuthenticationCognito
import AuthenticationFirebase
import AuthenticationAccount
package import AuthenticationKit
import AuthenticationOpenID
import AuthenticationResources
import AuthenticationSupabase
import Foundation
import Synchronization

/// A kind of provider that `--provider` names: the options that it takes, and the provider made of them. An open set:
/// another program adds kinds before it runs, see ``runAuthCTL(adding:)``.
///
/// ```swift
/// ProviderKind("api", required: [.baseURL]) { setup in .api(baseURL: setup[.baseURL]) }
/// ```
package struct ProviderKind: Sendable {
  /// The value of `--provider`.
  let name: String
  /// The options without which nothing is sent.
  let required: [ProviderOption]
  /// The further options that it takes, besides `--endpoint`.
  let optional: [ProviderOption]
  /// Whether a server may stand in place of the vendor's.
  let takesEndpoint: Bool
  /// Makes the provider; the profile's own realm takes the place of its realm.
  let configuration: @Sendable (ProviderSetup) -> AuthProviderConfiguration

  package init(
    _ name: String, required: [ProviderOption], optional: [ProviderOption] = [], takesEndpoint: Bool = true,
    configuration: @escaping @Sendable (ProviderSetup) -> AuthProviderConfiguration
  ) {
    self.name = name
    self.required = required
    self.optional = optional
    self.takesEndpoint = takesEndpoint
    self.configuration = configuration
  }

  /// Whether the options of an issuer's page are for its page as well.
  var hasIssuersPage: Bool { [Self.auth0, .keycloak, .entra, .google].contains { $0.name == name } }

  /// Every option that it takes.
  var options: [ProviderOption] { required + optional + (takesEndpoint ? [.endpoint] : []) }

  private static let registered = Mutex([
    api, firebase, supabase, auth0, keycloak, entra, cognito, google, apple, facebook, github, service, resource,
  ])

  /// Every kind that this program knows, in the order of the help.
  static var known: [ProviderKind] { registered.withLock { $0 } }

  static func named(_ name: String) -> ProviderKind? { known.first { $0.name == name } }

  static func register(_ kind: ProviderKind) {
    registered.withLock { kinds in
      kinds.removeAll { $0.name == kind.name }
      kinds.append(kind)
    }
  }

  /// The provider, under a separate realm. Its faults are reported by the option's name.
  func configuration(_ setup: ProviderSetup, realm: String) -> AuthProviderConfiguration {
    configuration(setup).naming(options, suggestion: "See 'authctl login --help'.", realm: realm)
  }
}

extension ProviderKind {
  /// Where a link of Supabase leads, whose default list of redirects holds it. The user pastes it: its code is of no
  /// use without the verifier of PKCE.
  private static let pasted = "http://localhost:3000"
  /// Where a link of Firebase leads, for which any port of a domain will do. The code in it is a credential by itself,
  /// so that no other user may receive it: no browser connects to this port (Fetch Standard, "bad port"), and on Linux
  /// only root listens below 1024.
  private static let unreachable = "http://localhost:1"

  /// A JSON backend, as the standard contract has it.
  static let api = Self("api", required: [.baseURL]) { .api(baseURL: $0[.baseURL], account: .standard) }

  static let firebase = Self("firebase", required: [.apiKey], optional: [.tenant]) { setup in
    var project = FirebaseProject(apiKey: setup[.apiKey])
    project.tenantID = setup.value(.tenant)
    project.continueURL = unreachable
    project.endpoint = setup.value(.endpoint)
    return .firebase(project)
  }

  static let supabase = Self("supabase", required: [.url, .anonKey]) { setup in
    var project = SupabaseProject(url: setup.value(.endpoint) ?? setup[.url], anonKey: setup[.anonKey])
    project.redirectURL = pasted
    project.methods += vendorPages + [.singleSignOn()]
    // Only `login` shows pages, and offers these methods.
    return .supabase(project, presenter: setup.page?.presenter, redirect: setup.redirect)
  }

  /// Whose pages a project at Supabase may have turned on, by its names for them.
  private static let vendorPages = [
    "apple", "azure", "bitbucket", "discord", "facebook", "figma", "github", "gitlab", "google", "kakao", "keycloak",
    "linkedin_oidc", "notion", "slack_oidc", "spotify", "twitch", "twitter", "workos", "zoom",
  ].map { SignInMethod.browser(SignInMethod(id: $0, displayName: $0)) }

  static let auth0 = Self("auth0", required: [.domain, .clientID], optional: [.connection, .audience]) { setup in
    // Auth0's issuers end with a slash.
    let endpoint = setup.value(.endpoint).map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    var client = OpenIDClient.auth0(
      domain: setup[.domain], clientID: setup[.clientID],
      connection: setup.value(.connection) ?? "Username-Password-Authentication", endpoint: endpoint
    ) { codes in show(recoveryCodes: codes) }
    client.audience = setup.value(.audience)
    return configuration(client, setup)
  }

  /// The provider of a client, with the page of this command.
  private static func configuration(_ client: OpenIDClient, _ setup: ProviderSetup) -> AuthProviderConfiguration {
    var client = client
    client.presenter = setup.page?.presenter
    client.redirect = setup.redirect
    setup.adjust(&client)
    return .openIDConnect(client)
  }

  /// To a user at a terminal, and into no log.
  private static func show(recoveryCodes codes: [Secret]) {
    guard isatty(STDERR_FILENO) != 0 else { return }
    let list = codes.map { $0.reveal() }.joined(separator: ", ")
    Console(isJSON: false).say("Keep this in a safe place, each is good once, without the authenticator: \(list)")
  }

  static let keycloak = Self("keycloak", required: [.url, .realm, .clientID]) { setup in
    configuration(
      .keycloak(
        url: setup[.url], realm: setup[.realm], clientID: setup[.clientID], endpoint: setup.value(.endpoint)), setup)
  }

  static let entra = Self("entra", required: [.authority, .clientID], optional: [.allowTenant, .scope]) { setup in
    let allowed = setup[.allowTenant].split(separator: " ").map(String.init)
    var client = OpenIDClient.entra(
      tenant: setup[.authority], clientID: setup[.clientID], allowedTenants: allowed == ["any"] ? nil : Set(allowed),
      methods: [.browser, .device], endpoint: setup.value(.endpoint))
    client.scopes = setup.value(.scope)?.split(separator: " ").map(String.init)
    client.presenter = setup.page?.presenter
    if case .loopback(let port, _) = setup.redirect { client.redirect = .localhost(port: port) }
    setup.adjust(&client)
    return .openIDConnect(client)
  }

  static let cognito = Self("cognito", required: [.pool, .clientID], optional: [.clientSecretFile]) { setup in
    .cognito(
      CognitoUserPool(
        id: setup[.pool], clientID: setup[.clientID], clientSecret: setup.clientSecret,
        endpoint: setup.value(.endpoint), methods: [.password, .plainPassword]))
  }

  static let google = Self("google", required: [.clientID], optional: [.clientSecretFile]) { setup in
    configuration(
      .google(clientID: setup[.clientID], clientSecret: setup.clientSecret, endpoint: setup.value(.endpoint)), setup)
  }

  /// The server that verifies the redirect of the vendor's page.
  private static let verifier = ProviderOption(
    "endpoint", reason: "its own token endpoint is not for apps, so name the server that verifies the sign-in")

  static let apple = vendorPage(.apple)
  static let facebook = vendorPage(.facebook)

  private static func vendorPage(_ vendor: SignInMethod) -> Self {
    Self(vendor.id, required: [.clientID, verifier]) {
      .vendorPage(
        vendor, clientID: $0[.clientID], endpoint: $0[.endpoint], redirect: $0.redirect, presenter: $0.page?.presenter)
    }
  }

  static let github = Self("github", required: [.clientID], optional: [.clientSecretFile]) { setup in
    configuration(
      .github(clientID: setup[.clientID], clientSecret: setup.clientSecret, endpoint: setup.value(.endpoint)), setup)
  }
}

extension ProviderKind {
  /// A program without a user at an issuer (``ServiceProfile``): commands that sign users in are refused.
  static let service = Self(
    "service", required: [.clientID], optional: [.clientSecretFile, .privateKey, .keyID, .audience, .scope, .issuer],
    takesEndpoint: false
  ) { _ in
    AuthProviderConfiguration(name: "service") { _ throws(AuthenticationError) in
      throw .invalidConfiguration(
        "The provider 'service' has no user.", suggestion: "Use 'authctl token' and 'authctl request'.")
    }
  }

  /// A protected resource, which leads to its provider by itself: `--protected-resource`.
  static let resource = Self(
    "resource", required: [.protectedResource],
    optional: [.clientID, .clientSecretFile, .issuer, .clientMetadata, .scope], takesEndpoint: false
  ) { setup in
    var client = ProtectedResourceClient(name: "authctl")
    client.clientID = setup.value(.clientID)
    client.clientSecret = setup.clientSecret
    client.issuer = setup.value(.issuer)
    client.registrations = setup.registrations
    client.metadataDocument = setup.value(.clientMetadata)
    client.scopes = setup.value(.scope)?.split(separator: " ").map(String.init)
    client.redirect = setup.redirect
    client.presenter = setup.page?.presenter
    client.onRegistration = setup.onRegistration
    return .protectedResource(setup[.protectedResource], client)
  }
}

/// The parts of a provider: the options of the login, and the additions of one command.
package struct ProviderSetup: Sendable {
  /// The options of the login; an endpoint replaces a backend's address.
  let settings: ProviderSettings
  /// Of the client, where it has one.
  let clientSecret: Secret?
  /// Nil in a command that signs no user in.
  let page: BrowserPage?
  /// Called with the client id and the issuer when this program was registered.
  let onRegistration: @Sendable (String, String) -> Void
  /// Of the profile; nil in a command that keeps nothing.
  fileprivate let registrations: RegisteredClients?
  /// Changes an issuer's client for this command alone.
  let adjust: @Sendable (inout OpenIDClient) -> Void

  init(
    _ settings: ProviderSettings, clientSecret: Secret? = nil, page: BrowserPage? = nil,
    registrations: RegisteredClients? = nil, adjust: @escaping @Sendable (inout OpenIDClient) -> Void = { _ in },
    onRegistration: @escaping @Sendable (String, String) -> Void = { _, _ in }
  ) {
    self.onRegistration = onRegistration
    self.registrations = registrations
    self.adjust = adjust
    var settings = settings
    if settings.has(.baseURL), settings.has(.endpoint) { settings[.baseURL] = settings[.endpoint] }
    self.settings = settings
    self.clientSecret = clientSecret
    self.page = page
  }

  fileprivate var redirect: RedirectURI { page?.redirect ?? .loopback() }

  /// Empty if the option was left out.
  package subscript(option: ProviderOption) -> String { settings[option] }

  /// Nil if the option was left out.
  func value(_ option: ProviderOption) -> String? { settings.has(option) ? settings[option] : nil }
}

extension AuthProviderConfiguration {
  /// The same provider of an issuer's client. Its errors name the option where the configuration is at fault.
  func namingOptions() -> Self { naming(AuthenticationError.issuerOptions, realm: realm) }

  /// The same provider in another realm.
  fileprivate func naming(_ options: [ProviderOption], suggestion: String? = nil, realm: String) -> Self {
    Self(name: name, realm: realm) { environment throws(AuthenticationError) in
      do throws(AuthenticationError) { return try make(environment) } catch {
        throw error.naming(options, suggestion: suggestion)
      }
    }
  }
}

extension AuthenticationError {
  /// The options of an issuer's client.
  static let issuerOptions: [ProviderOption] = [.issuer, .clientID, .scope, .privateKey]

  /// The same error, told by the option's name where the configuration is at fault.
  func naming(_ options: [ProviderOption], suggestion: String? = nil) -> Self {
    let known = options + [.redirectPort, .redirectPath, .protectedResource]
    guard self == .invalidConfiguration, let parameter = self.reason?.description,
      let option = known.first(where: { $0.key == parameter })
    else { return self }
    return .invalidConfiguration(
      "--\(option.name) cannot be used. \(message)", suggestion: suggestion ?? self.suggestion, of: parameter)
  }
}
