public import AuthenticationData
public import AuthenticationDomain

/// An app as it is registered at an OpenID Connect or OAuth 2.1 issuer, and how it signs people in there.
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
  public var issuer: String
  /// The client id the issuer gave this app (RFC 6749 §2.2).
  public var clientID: String
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
  /// Resource servers for which the tokens are meant (`resource`, RFC 8707 §2).
  public var resources: [String] = []
  /// The same in the older form that some issuers use (`audience`).
  public var audience: String?
  /// Uses pushed authorization requests even if the issuer does not require them (RFC 9126 §2).
  public var pushesAuthorizationRequests = false
  /// Binds the tokens to a key of this device (DPoP, RFC 9449).
  public var bindsTokens = false
  /// Allows signing in with ``PasswordCredentials`` at the issuer. Discouraged: the app sees the password, and no
  /// second factor is possible (RFC 9700 §2.4).
  public var allowsDiscouragedPasswordGrant = false
  /// Audiences an ID token may name besides ``clientID`` (OpenID Connect Core §3.1.3.7).
  public var trustedAudiences: Set<String> = []
  /// The accepted signature algorithms of an ID token, limited to the issuer's own list (RFC 8725 §3.1).
  public var algorithms = SignatureAlgorithm.all
  /// How far the issuer's clock and this device's may differ; 60 seconds by default.
  public var clockTolerance: Duration = .seconds(60)
  /// Whether `offline_access` is requested together with `prompt=consent`, unless a sign-in has a prompt of its own
  /// (OpenID Connect Core §11: without it a conforming issuer ignores the scope, and there is no refresh token).
  ///
  /// Set it to false for an issuer whose refresh tokens need no consent, or where only administrators consent: the user
  /// is then not asked at each sign-in. The presets of vendors decide it themselves. True by default; an issuer that
  /// publishes `prompt_values_supported` without `consent` is never sent it.
  public var asksConsentForOfflineAccess = true
  /// Further parameters of every authorization request, such as `ui_locales`; none that the protocol or another
  /// property sets.
  public var parameters: [String: String] = [:]
  /// Called with the reason why the ID token of a refresh was dropped: its signature, its times, or keys that cannot be
  /// fetched. The new tokens are used, and the ID token of the sign-in stays. If the ID token names another issuer,
  /// subject or audience, the refresh fails instead (OpenID Connect Core §12.2).
  public var onDroppedIDToken: @Sendable (AuthenticationError) -> Void = { _ in }
  /// Endpoints that the issuer does not publish, or publishes wrongly: absolute URLs, which override its metadata.
  public var endpoints: [Endpoint: String] = [:]
  /// Origins to which the access token may be sent, besides the issuer's own.
  public var allowedOrigins: Set<Origin> = []
  /// How the vendor differs from the standards.
  var dialect = IssuerDialect()

  /// Creates a client of this issuer, with safe defaults for everything else.
  public init(issuer: String, clientID: String) {
    self.issuer = issuer
    self.clientID = clientID
  }

  /// Names that ``parameters`` must not contain: the protocol or another property sets them.
  package static var reservedParameters: Set<String> { AuthorizationRequest.ownParameters }
}
