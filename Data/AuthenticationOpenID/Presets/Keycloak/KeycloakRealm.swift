public import AuthenticationData
public import AuthenticationDomain
import Foundation

/// A realm of a Keycloak server, and the app as it is registered there: a client.
///
/// ```swift
/// var realm = KeycloakRealm(url: "https://id.example.com", name: "staff", clientID: "app")
/// realm.presenter = SystemBrowserPresenter()
/// let root = try MainRoot(.keycloak(realm))
/// ```
public struct KeycloakRealm: Sendable {
  /// Where the server is, with its path if it has one: servers before 17 have `/auth`.
  public var url: String
  /// The realm's name.
  public var name: String
  /// The client's id.
  public var clientID: String
  /// Only for a confidential client; an app that is given to users cannot keep it.
  public var clientSecret: Secret?
  /// The scopes that are requested; nil for what the realm lists of the usual ones. `offline_access` among them makes it
  /// an offline session, which outlives the browser's.
  public var scopes: [String]?
  /// Where the browser returns to.
  public var redirect = RedirectURI.loopback()
  /// Shows the realm's page; nil leaves the methods without one.
  public var presenter: (any AuthorizationPresenter)?
  /// What the client allows, in the order of the buttons: `.password` needs its direct access grants, `.device` its
  /// device authorization grant.
  public var methods: [SignInMethod] = [.browser, .device, .password]
  /// Origins to which the access token may be sent, besides the server's own.
  public var allowedOrigins: Set<Origin> = []
  /// An issuer of your own in place of the realm, exactly as it calls itself.
  public var endpoint: String?

  /// A public client of this realm.
  public init(url: String, name: String, clientID: String) {
    self.url = url
    self.name = name
    self.clientID = clientID
  }
}

extension KeycloakRealm {
  /// What the realm calls itself.
  var issuer: String { endpoint ?? "\(url.hasSuffix("/") ? String(url.dropLast()) : url)/realms/\(name)" }

  /// - Throws: ``AuthenticationError/invalidConfiguration``, which names what is wrong without its value.
  func client() throws(AuthenticationError) -> OpenIDClient {
    let base = try ServiceURL(url, key: "url", allowsPath: true).url.path()
    guard !base.split(separator: "/").contains("realms") else {
      throw .invalid("url", "names a realm, which is configured apart")
    }
    let isName = name.utf8.allSatisfy {
      $0.isLowercaseOrDigit || (0x41...0x5A).contains($0) || "-._~".utf8.contains($0)
    }
    guard !name.isEmpty, isName, ![".", ".."].contains(name) else {
      throw .invalid("realm", "is not a name of letters, digits, '-', '.', '_', '~'")
    }
    if let endpoint { _ = try ServiceURL(endpoint, key: "endpoint", allowsPath: true) }
    let possible: Set<SignInMethod> = [.browser, .device, .password]
    guard methods.allSatisfy(possible.contains) else {
      throw .invalid("methods", "names one that Keycloak does not have")
    }
    if clientSecret?.isEmpty == true { throw .invalid("clientSecret", "is empty; leave it out") }
    var client = OpenIDClient(issuer: issuer, clientID: clientID)
    client.scopes = scopes
    client.redirect = redirect
    client.presenter = presenter
    client.authentication = clientSecret.map(ClientAuthentication.secret) ?? .none
    client.allowedOrigins = allowedOrigins
    client.allowsDiscouragedPasswordGrant = methods.contains(.password)
    client.dialect = .keycloak
    client.dialect.methods = methods
    return client
  }
}

extension AuthProviderConfiguration {
  /// A realm of Keycloak, known by its address alone: everything else comes from its discovery document.
  ///
  /// | their term | ours |
  /// |---|---|
  /// | realm, client | ``KeycloakRealm`` |
  /// | direct access grant | ``AuthenticationDomain/PasswordCredentials``; a one-time code as the attribute `totp` |
  /// | required action (`Account is not fully set up`) | ``AuthenticationDomain/AuthenticationError/insufficientUserAuthentication``: sign in by the browser |
  /// | application-initiated action (`kc_action`) | the attribute `kc_action` of a browser sign-in |
  /// | identity broker (`kc_idp_hint`) | the attribute `kc_idp_hint` |
  /// | offline session | the scope `offline_access`; without `prompt=consent`, since the realm asks by itself where the client requires consent |
  /// | account console, account API | the browser; `kc_action` is `delete_account`, for example. The API is not used: it needs a role that a realm may not give |
  /// | `refresh_expires_in` | not used: a refresh after it is rejected with "Token is not active", which ends the session as well |
  /// | judged by | any issuer's independent servers for what it shares with them, else our own dialect server only |
  ///
  /// Signing out ends the session at the realm without a browser. The provider is an ``OpenIDConnectProvider``. A
  /// configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - keycloak: the realm, and the app as it is registered there.
  ///   - realm: of the session; by default the issuer and the client id.
  public static func keycloak(_ keycloak: KeycloakRealm, realm: String? = nil) -> Self {
    issuer("keycloak", realm: realm ?? "keycloak \(keycloak.issuer) \(keycloak.clientID)") {
      _ throws(AuthenticationError) in
      try keycloak.client()
    }
  }

  /// The same with the defaults of ``KeycloakRealm``.
  public static func keycloak(
    url: String, realm: String, clientID: String, presenter: (any AuthorizationPresenter)? = nil,
    endpoint: String? = nil
  ) -> Self {
    var keycloak = KeycloakRealm(url: url, name: realm, clientID: clientID)
    keycloak.presenter = presenter
    keycloak.endpoint = endpoint
    return .keycloak(keycloak)
  }
}

extension IssuerDialect {
  /// One code, `invalid_grant`, means many things here: its description tells them apart.
  static let keycloak: Self = {
    var dialect = Self()
    dialect.refusals = VendorRefusals([
      // Also of a missing or wrong one-time code, and of an account that is locked for a while.
      ("invalid_grant", "Invalid user credentials", .invalidCredentials),
      ("invalid_grant", "Account is not fully set up", .actionRequired),
      ("invalid_grant", "Account disabled", .userDisabled),
      // Not documented together with this grant (check).
      ("invalid_grant", "User disabled", .userDisabled),
    ])
    dialect.refreshRefusals = VendorRefusals([
      ("invalid_scope", "Client no longer has requested consent from user", .sessionRejected)
    ])
    dialect.pageAttributes = ["kc_action", "kc_idp_hint"]
    dialect.passwordAttributes = ["totp"]
    dialect.redirectRefusal = { parameters in
      switch parameters["kc_action_status"] {
      case nil, "success": nil
      case "cancelled": .declined
      default: .actionFailed
      }
    }
    dialect.endsSessionByRefreshToken = true
    dialect.grantsOfflineAccessWithoutConsent = true
    return dialect
  }()
}

extension AuthenticationError {
  fileprivate static let actionRequired = Self(
    .insufficientUserAuthentication,
    "Keycloak asks the user for something first, such as a new password or a verified address, and does not say what.",
    suggestion: "Let the user sign in by the browser, which asks for it.")
  fileprivate static let actionFailed = Self(
    .unexpectedResponse, "Keycloak could not do what 'kc_action' asked for.",
    suggestion: "Check the action's name, and that the realm has it switched on.")
}
