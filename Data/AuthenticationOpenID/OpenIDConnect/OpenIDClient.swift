public import AuthenticationData
public import AuthenticationDomain

/// An app as it is registered at an OpenID Connect or OAuth 2.1 issuer, and how it signs people in there.
///
/// A public client needs nothing but the issuer and its id (RFC 8252 §8.5); every further property has a safe default.
public struct OpenIDClient: Sendable {
  /// The issuer's identifier, compared byte for byte (OpenID Connect Discovery §4.3, RFC 8414 §3.3).
  public var issuer: String
  /// The client id the issuer gave this app (RFC 6749 §2.2).
  public var clientID: String
  /// What is asked for (RFC 6749 §3.3); without `openid` there is no ID token.
  ///
  /// Nil asks for `openid`, `profile`, `email` and `offline_access`: for those of them that the issuer lists, and for all
  /// where it lists no scopes at all.
  public var scopes: [String]?
  /// Where the browser returns to (RFC 8252 §7).
  public var redirect = RedirectURI.loopback()
  /// Shows the issuer's page; nil leaves only the device and password flows.
  public var presenter: (any AuthorizationPresenter)?
  /// How the client authenticates at the token endpoint (RFC 6749 §2.3); a native app does not.
  public var authentication = ClientAuthentication.none
  /// Resource servers for which the tokens are meant (`resource`, RFC 8707 §2).
  public var resources: [String] = []
  /// The same in the older form of some issuers (`audience`).
  public var audience: String?
  /// Asks for pushed authorization requests also if the issuer does not require them (RFC 9126 §2).
  public var pushesAuthorizationRequests = false
  /// Binds the tokens to a key of this device (DPoP, RFC 9449).
  public var bindsTokens = false
  /// Lets ``PasswordCredentials`` through to the issuer. Discouraged: the app sees the password, and no second factor
  /// is possible (RFC 9700 §2.4).
  public var allowsDiscouragedPasswordGrant = false
  /// Audiences an ID token may name besides ``clientID`` (OpenID Connect Core §3.1.3.7).
  public var trustedAudiences: Set<String> = []
  /// The signature algorithms an ID token may have, the issuer's own list permitting (RFC 8725 §3.1).
  public var algorithms = SignatureAlgorithm.all
  /// How far the issuer's clock and this device's may differ, in seconds.
  public var clockTolerance: Duration = .seconds(60)
  /// Further parameters of every authorization request, such as `ui_locales`; none of ``reservedParameters``.
  public var parameters: [String: String] = [:]
  /// Called with why the ID token of a refresh was left out: its signature, its times, or keys that cannot be had. The new
  /// tokens are used, and the ID token of the sign-in stays. One that names another issuer, subject or audience is an
  /// error of the refresh instead (OpenID Connect Core §12.2).
  public var onDroppedIDToken: @Sendable (AuthenticationError) -> Void = { _ in }
  /// Endpoints that the issuer does not publish, or publishes wrongly: absolute URLs, which count more than its metadata.
  public var endpoints: [Endpoint: String] = [:]
  /// Origins that may have the access token, besides the issuer's own.
  public var allowedOrigins: Set<Origin> = []

  /// A client of this issuer, with safe defaults for all else.
  public init(issuer: String, clientID: String) {
    self.issuer = issuer
    self.clientID = clientID
  }

  /// Names that ``parameters`` must not have: the protocol owns them, or a property stands for them.
  public static var reservedParameters: Set<String> { AuthorizationRequest.ownParameters }
}
