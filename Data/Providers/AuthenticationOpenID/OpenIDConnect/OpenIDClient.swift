public import AuthenticationBrowser
public import AuthenticationData
public import AuthenticationDomain
import Foundation

/// An app as it is registered at an OpenID Connect or OAuth 2.1 issuer, and how it signs users in there.
///
/// A public client needs only the issuer and its id (RFC 8252 §8.5); every other property has a safe default.
///
/// ```swift
/// var client = OpenIDClient(issuer: "https://id.example.com", clientID: "app")
/// client.presenter = SystemBrowserPresenter()
/// client.bindsTokens = true
/// ```
public struct OpenIDClient: Sendable {
  /// The issuer's identifier, compared byte for byte (OpenID Connect Discovery §4.3, RFC 8414 §3.3).
  package var issuer: String
  /// The client id the issuer gave this app (RFC 6749 §2.2).
  package var clientID: String
  /// The scopes that are requested (RFC 6749 §3.3); without `openid` there is no ID token.
  ///
  /// Nil requests those of `openid`, `profile`, `email` and `offline_access` that the issuer lists, or all of them if
  /// it lists no scopes at all.
  public var scopes: [String]?
  /// Where the browser returns to (RFC 8252 §7).
  public var redirect = RedirectURI.loopback()
  /// Shows the issuer's page; nil leaves only the device and password flows.
  public var presenter: (any AuthorizationPresenter)?
  /// How the client authenticates at the token endpoint (RFC 6749 §2.3); a native app does not authenticate.
  public var authentication = ClientAuthentication.none
  /// Resource servers for which the session's own access token is meant (`resource`, RFC 8707 §2).
  public var resources: [String] = []
  /// The resources that get separate access tokens from the same grant.
  var furtherResources: [ProtectedResource] = []
  /// The same in the older form that some issuers use (`audience`).
  public var audience: String?
  /// Uses pushed authorization requests even if the issuer does not require them (RFC 9126 §2).
  public var pushesAuthorizationRequests = false
  /// Binds the tokens to a key of this device (DPoP, RFC 9449).
  public var bindsTokens = false
  /// Allows signing in with ``PasswordCredentials`` at the issuer. Discouraged: the app sees the password, and no
  /// second factor is possible (RFC 9700 §2.4).
  public var allowsDiscouragedPasswordGrant = false
  /// Audiences that the ID token of a sign-in may name besides the client id (OpenID Connect Core §3.1.3.7). At a refresh
  /// an issuer may add any.
  public var trustedAudiences: Set<String> = []
  /// Accepts any further audience of an ID token that says that it was issued to this client (`azp`); false by default.
  ///
  /// For an issuer that names each application of a project, as Zitadel does. Such a token can be presented to any of
  /// them.
  public var acceptsFurtherAudiences = false
  /// The accepted signature algorithms of an ID token, limited to the issuer's own list (RFC 8725 §3.1).
  public var algorithms = Set(SignatureAlgorithm.allCases)
  /// How far the issuer's clock and this device's may differ; 60 seconds by default.
  public var clockTolerance: Duration = .seconds(60)
  /// Whether `offline_access` is requested together with `prompt=consent`, unless a sign-in has another prompt (OpenID
  /// Connect Core §11: without it a conforming issuer ignores the scope, and there is no refresh token).
  ///
  /// Set it to false for an issuer whose refresh tokens need no consent, or where only administrators consent: the user
  /// is then not asked at each sign-in. The presets of vendors set it to false. True by default; an issuer that
  /// publishes `prompt_values_supported` without `consent` is never sent it.
  public var asksConsentForOfflineAccess = true
  /// Further parameters of every authorization request, such as `ui_locales`; none that the protocol or another
  /// property sets.
  public var parameters: [String: String] = [:]
  /// Called with the reason why the ID token of a refresh was dropped: its signature, its times, or keys that cannot be
  /// fetched. The new tokens are used, and the ID token of the sign-in stays. If the ID token names another issuer,
  /// subject or audience, the refresh fails instead (OpenID Connect Core §12.2).
  public var onDroppedIDToken: @Sendable (AuthenticationError) -> Void = { _ in }
  /// Called with the reason why the response of the UserInfo endpoint could not be used. The user is signed in without it.
  package var onUnusedUserInfo: @Sendable (AuthenticationError) -> Void = { _ in }
  /// Endpoints that the issuer does not publish, or publishes wrongly: absolute URLs, which override its metadata.
  public var endpoints: [Endpoint: String] = [:]
  /// Origins to which the access token may be sent, besides the issuer's own.
  public var allowedOrigins: Set<Origin> = []
  /// How the vendor differs from the standards.
  var dialect = IssuerDialect()
  /// Of a resolved client.
  var assertions = AssertionRules()

  /// Creates a client of this issuer, with safe defaults for everything else.
  public init(issuer: String, clientID: String) {
    self.issuer = issuer
    self.clientID = clientID
  }

  /// An endpoint of an issuer, by its name in the issuer's metadata (OpenID Connect Discovery §3, RFC 8414 §2).
  public enum Endpoint: String, Sendable, CaseIterable {
    /// Where the user signs in by the browser (RFC 6749 §3.1).
    case authorization = "authorization_endpoint"
    /// Where tokens come from (RFC 6749 §3.2).
    case token = "token_endpoint"
    /// The issuer's keys (RFC 7517 §5).
    case keySet = "jwks_uri"
    /// The issuer's report about a user (OpenID Connect Core §5.3).
    case userInfo = "userinfo_endpoint"
    /// Where tokens are revoked (RFC 7009 §2).
    case revocation = "revocation_endpoint"
    /// The issuer's report about a token (RFC 7662 §2).
    case introspection = "introspection_endpoint"
    /// The page that ends the session at the issuer (OpenID Connect RP-Initiated Logout §2).
    case endSession = "end_session_endpoint"
    /// Where a code for another device comes from (RFC 8628 §3.1).
    case deviceAuthorization = "device_authorization_endpoint"
    /// Where authorization requests are pushed (RFC 9126 §2).
    case pushedAuthorizationRequest = "pushed_authorization_request_endpoint"
  }

  /// The client, completed by the issuer's metadata: its scopes, and how it authenticates.
  package func resolved(by metadata: IssuerMetadata) -> OpenIDClient {
    var client = self
    client.scopes = scopes ?? metadata.usualScopes
    client.authentication = authentication.resolved(by: metadata)
    client.assertions = AssertionRules(
      tokenEndpoint: metadata.endpoints[.token], algorithms: metadata.clientAssertionAlgorithms)
    if metadata.prompts?.contains("consent") == false { client.asksConsentForOfflineAccess = false }
    return client
  }

  /// A new key for tokens to be bound to (RFC 9449 §5); nil for bearer tokens.
  var newProofKey: Secret? { bindsTokens ? ProofOfPossessionKey().stored : nil }

  /// The scopes that are requested, of a resolved client: also those of the further resources, since a refresh cannot
  /// add any (RFC 6749 §6).
  package var askedScopes: [String] {
    furtherResources.flatMap(\.scopes).reduce(into: scopes ?? []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The resources that the authorization request names (RFC 8707 §2.1).
  var authorizedResources: [String] {
    let further = dialect.resourceNaming == .indicator ? furtherResources.compactMap(\.indicator) : []
    return further.reduce(into: resources) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The scopes of a token request where each access token is for one resource, whose name its scopes begin with: those,
  /// and the protocol's own, without which no new refresh token comes.
  func scopes(of resource: ProtectedResource?, besides granted: [String]) -> [String] {
    let own = askedScopes.filter(Self.protocolScopes.contains)
    let all = askedScopes + granted.filter { !askedScopes.contains($0) }
    let others = all.filter { !Self.protocolScopes.contains($0) }
    if let resource, resource.indicator == nil { return own + resource.scopes }
    guard let name = resource?.indicator else {
      let further = furtherResources.compactMap(\.indicator)
      let rest = others.filter { scope in !further.contains { scope.hasPrefix($0 + "/") } }
      return own + rest.filter { $0.resourceName == rest[0].resourceName }
    }
    let named = others.filter { $0.hasPrefix(name + "/") }
    return own + (named.isEmpty ? [name + "/.default"] : named)
  }

  /// OpenID Connect Core §5.4, §11.
  private static let protocolScopes: Set = ["openid", "profile", "email", "offline_access"]

  /// Whether the request needs `prompt=consent` (OpenID Connect Core §11), of a resolved client.
  var needsConsent: Bool {
    asksConsentForOfflineAccess && askedScopes.contains("openid") && askedScopes.contains("offline_access")
  }
}

extension IssuerMetadata {
  /// Those of the usual scopes that the issuer lists; all of them if it lists none at all. An issuer that lists ID
  /// token signature algorithms supports `openid`, listed or not (OpenID Connect Discovery §3).
  fileprivate var usualScopes: [String] {
    let usual = ["openid", "profile", "email", "offline_access"]
    guard let scopes else { return usual }
    return usual.filter { scopes.contains($0) || ($0 == "openid" && idTokenAlgorithms != nil) }
  }
}

extension OpenIDClient {
  /// Returns the same client if it can work; called once, when the app is composed. ``Issuer`` checks the issuer's
  /// identifier.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration``.
  func validated() throws(AuthenticationError) -> Self {
    var client = self
    try dialect.complete(&client)
    try client.check()
    return client
  }

  private func check() throws(AuthenticationError) {
    guard !clientID.isEmpty, clientID.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw .client(
        "has an id that is empty or not plain text", "Use the id the issuer gave (RFC 6749 appendix A.1).",
        of: "clientID")
    }
    for scope in scopes ?? [] where scope.isEmpty || !scope.utf8.allSatisfy(\.isScopeCharacter) {
      throw .client(
        "asks for a scope that is empty or has a space", "Give one scope a piece (RFC 6749 §3.3).", of: "scopes")
    }
    let further = furtherResources.compactMap(\.indicator)
    for resource in resources + (dialect.resourceNaming == .indicator ? further : [])
    where !resource.contains(":") || resource.contains("#") {
      throw .client("names a resource that is no absolute URI without fragment", "See RFC 8707 §2.")
    }
    for name in parameters.keys where name.isEmpty || Self.reservedParameters.contains(name) {
      throw .client(
        "sets the parameter '\(name)', which is not for the app to set",
        "Use the property for it; state, nonce, PKCE and the response's form are not configurable.")
    }
    if dialect.checkIdentity != nil, scopes?.contains("openid") == false {
      throw .client(
        "checks ID tokens and asks for none", "Add the scope openid, or leave out the organization or domain.")
    }
    guard clockTolerance >= .zero else { throw .client("has a negative clock tolerance", "Use seconds from 0.") }
    try redirect.validate()
    try presenter?.validate(redirect)
  }
}

extension String {
  /// The part before a scope's last slash; empty if there is none.
  fileprivate var resourceName: Substring { lastIndex(of: "/").map { self[..<$0] } ?? "" }
}

extension UInt8 {
  /// `scope-token` (RFC 6749 §3.3).
  fileprivate var isScopeCharacter: Bool {
    self == 0x21 || (0x23...0x5B).contains(self) || (0x5D...0x7E).contains(self)
  }
}

extension AuthenticationError {
  fileprivate static func client(_ fault: String, _ suggestion: String, of parameter: String? = nil) -> Self {
    invalidConfiguration("The OpenIDClient \(fault).", suggestion: suggestion, of: parameter)
  }
}

extension AuthProviderConfiguration {
  /// Any OpenID Connect or OAuth 2.1 issuer (OpenID Connect Discovery §4, RFC 8414 §3); the access token may be sent to
  /// the issuer's own origin.
  ///
  /// A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - client: the app as it is registered at the issuer.
  ///   - presenter: shows the issuer's page; by default the client's own.
  ///   - realm: by default the issuer and the client id.
  public static func openIDConnect(
    _ client: OpenIDClient, presenter: (any AuthorizationPresenter)? = nil, realm: String? = nil
  ) -> Self {
    var client = client
    client.presenter = presenter ?? client.presenter
    let dialect = client.dialect
    let realm = realm ?? dialect.realm ?? "\(dialect.name) \(client.issuer) \(client.clientID)"
    return Self(name: dialect.name, realm: realm) { [client] environment throws(AuthenticationError) in
      try OpenIDConnectProvider(client, in: environment).product()
    }
  }

  /// The same with the defaults of ``OpenIDClient``: a public client (RFC 8252 §8.4) with PKCE (RFC 7636).
  public static func openIDConnect(
    issuer: String, clientID: String, redirect: RedirectURI = .loopback(),
    presenter: (any AuthorizationPresenter)? = nil
  ) -> Self {
    var client = OpenIDClient(issuer: issuer, clientID: clientID)
    client.redirect = redirect
    return openIDConnect(client, presenter: presenter)
  }
}

extension OpenIDConnectProvider {
  /// The parts of an app that signs in here, or by the vendor's provider around this one. A method that needs a
  /// process of the app's own is left to the app.
  fileprivate func product() throws(AuthenticationError) -> AuthProviderConfiguration.Product {
    var origins = client.allowedOrigins
    if let own = URL(string: client.issuer).flatMap(Origin.init) { origins.insert(own) }
    let provider: any RemoteAuthProvider = try client.dialect.wrap?(self) ?? self
    let known = [SignInProcess.page(.browser), .device] + SignInProcess.forms(for: provider.methods)
    // The proof also if tokens are no longer bound: a stored session may still be.
    return AuthProviderConfiguration.Product(
      provider: provider, allowedOrigins: origins, proof: DPoPRequestProof(nonces: nonces, environment: environment),
      processes: provider.methods.compactMap { method in known.first { $0.method == method } })
  }
}

extension SignInProcess {
  /// A code that the user types on another device (RFC 8628 §3.3); the attempt shows it.
  package static let device = Self(.device) { context throws(AuthenticationError) in
    DeviceSignIn { context.onExternalInteraction($0) }
  }
}
