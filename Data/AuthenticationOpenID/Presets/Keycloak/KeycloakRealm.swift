public import AuthenticationData
public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
  /// Only for a confidential client; an app that is given to people cannot keep it.
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

  /// - Throws: ``AuthenticationError/Code/invalidConfiguration``, which names what is wrong without its value.
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
