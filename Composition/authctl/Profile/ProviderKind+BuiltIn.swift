import AuthenticationCognito
import AuthenticationFirebase
import AuthenticationKit
import AuthenticationOpenID
import AuthenticationSupabase
import Foundation

extension ProviderKind {
  /// Where a link of Supabase leads, whose default list of redirects holds it. The user pastes it: its code is of no
  /// use without the verifier of PKCE.
  private static let pasted = "http://localhost:3000"
  /// Where a link of Firebase leads, for which any port of a domain will do. The code in it is a credential by itself, so
  /// that no other user may receive it: no browser connects to this port (Fetch Standard, "bad port"), and on Linux only
  /// root listens below 1024.
  private static let unreachable = "http://localhost:1"

  /// A JSON backend of one's own, as the standard contract has it.
  static let api = Self("api", required: [.baseURL]) {
    var contract = APIContract.standard
    contract.account = .standard
    return .api(baseURL: $0[.baseURL], contract: contract)
  }

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
    return .supabase(project)
  }

  static let auth0 = Self("auth0", required: [.domain, .clientID], optional: [.connection, .audience]) { setup in
    var application = Auth0Application(domain: setup[.domain], clientID: setup[.clientID])
    if let connection = setup.value(.connection) { application.connection = connection }
    application.audience = setup.value(.audience)
    // Auth0's issuers end with a slash.
    application.endpoint = setup.value(.endpoint).map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    application.showRecoveryCodes = { codes in show(recoveryCodes: codes) }
    application.presenter = setup.page?.presenter
    application.redirect = setup.page?.redirect ?? .loopback()
    return .auth0(application)
  }

  /// To a person at a terminal, and into no log.
  private static func show(recoveryCodes codes: [Secret]) {
    guard isatty(STDERR_FILENO) != 0 else { return }
    let list = codes.map { $0.reveal() }.joined(separator: ", ")
    Console(isJSON: false).say("Keep this in a safe place, each is good once, without the authenticator: \(list)")
  }

  static let keycloak = Self("keycloak", required: [.url, .realm, .clientID]) { setup in
    var realm = KeycloakRealm(url: setup[.url], name: setup[.realm], clientID: setup[.clientID])
    realm.endpoint = setup.value(.endpoint)
    realm.presenter = setup.page?.presenter
    realm.redirect = setup.page?.redirect ?? .loopback()
    return .keycloak(realm)
  }

  static let cognito = Self("cognito", required: [.pool, .clientID], optional: [.clientSecretFile]) { setup in
    .cognito(
      CognitoUserPool(
        id: setup[.pool], clientID: setup[.clientID], clientSecret: setup.clientSecret,
        endpoint: setup.value(.endpoint), methods: [.password, .plainPassword]))
  }

  static let google = Self("google", required: [.clientID], optional: [.clientSecretFile]) { setup in
    var client = GoogleClient(clientID: setup[.clientID])
    client.clientSecret = setup.clientSecret
    client.endpoint = setup.value(.endpoint)
    client.presenter = setup.page?.presenter
    client.redirect = setup.page?.redirect ?? .loopback()
    return .google(client)
  }

  /// The server that verifies what the vendor's page ends with.
  private static let verifier = ProviderOption(
    "endpoint", reason: "its own token endpoint is not for apps, so name the server that verifies the sign-in")

  static let apple = Self("apple", required: [.clientID, verifier]) { setup in
    .apple(
      clientID: setup[.clientID], endpoint: setup[.endpoint], redirect: setup.page?.redirect ?? .loopback(),
      presenter: setup.page?.presenter)
  }

  static let facebook = Self("facebook", required: [.clientID, verifier]) { setup in
    .facebook(
      clientID: setup[.clientID], endpoint: setup[.endpoint], redirect: setup.page?.redirect ?? .loopback(),
      presenter: setup.page?.presenter)
  }

  static let github = Self("github", required: [.clientID], optional: [.clientSecretFile]) { setup in
    var provider = OAuthProvider.github(clientID: setup[.clientID], clientSecret: setup.clientSecret)
    provider.endpoint = setup.value(.endpoint)
    provider.presenter = setup.page?.presenter
    provider.redirect = setup.page?.redirect ?? .loopback()
    return .oauth(provider)
  }
}
