public import AuthenticationData
public import AuthenticationDomain

/// A tenant of Auth0, and the app as it is registered there: a native application.
///
/// ```swift
/// var application = Auth0Application(domain: "tenant.eu.auth0.com", clientID: "aBcD…")
/// application.audience = "https://api.example.com"
/// application.presenter = SystemBrowserPresenter()
/// let root = try MainRoot(.auth0(application))
/// ```
public struct Auth0Application: Sendable {
  /// The tenant's domain, or its custom one, without a scheme: `tenant.eu.auth0.com`.
  public var domain: String
  /// The application's client id.
  public var clientID: String
  /// The database that keeps the passwords (`connection`, `realm`).
  public var connection = "Username-Password-Authentication"
  /// The API that the access token is for; without one the token is opaque, and good for the person's profile alone.
  public var audience: String?
  /// The one organization whose members may sign in, by its id (`org_…`) or by its name; nil for any user.
  ///
  /// Every ID token must name it (`org_id`, or else `org_name` in lower case), so that the scope `openid` is required.
  /// Only `.browser` and `.passkey` can ask for one: Auth0's other grants have no parameter for it, and are refused
  /// together with it (https://auth0.com/docs/manage-users/organizations/using-tokens).
  public var organization: String?
  /// The scopes that are requested; a refresh token comes only with `offline_access`.
  public var scopes = ["openid", "profile", "email", "offline_access"]
  /// Where the browser returns to.
  public var redirect = RedirectURI.loopback()
  /// Shows universal login; nil leaves the methods without a page.
  public var presenter: (any AuthorizationPresenter)?
  /// What the tenant has switched on for the application, in the order of the buttons.
  ///
  /// | method | grant |
  /// |---|---|
  /// | `.browser` | authorization code with PKCE: universal login |
  /// | `.device` | device authorization |
  /// | `.password` | password-realm |
  /// | `.emailCode`, `.phoneCode` | passwordless OTP |
  /// | `.passkey` | WebAuthn, with a custom domain |
  /// | `.apple`, `.facebook` | token exchange: Apple's authorization code, Facebook's session info token (as the access token) |
  public var methods: [SignInMethod] = [.browser, .password, .emailCode, .phoneCode]
  /// Binds the tokens to a key of this device (DPoP, RFC 9449).
  public var bindsTokens = false
  /// Shows recovery codes, which come once: with an enrolled factor, and after each use of one. The sign-in waits for it.
  public var showRecoveryCodes: @Sendable (_ codes: [Secret]) async -> Void = { _ in }
  /// Origins to which the access token may be sent, besides the tenant's own.
  public var allowedOrigins: Set<Origin> = []
  /// An issuer of your own in place of the tenant, exactly as it calls itself.
  public var endpoint: String?

  /// An application that has the usual methods.
  public init(domain: String, clientID: String) {
    self.domain = domain
    self.clientID = clientID
  }
}

extension Auth0Application {
  private static let possibleMethods: Set<SignInMethod> = [
    .browser, .device, .password, .emailCode, .phoneCode, .passkey, .apple, .facebook,
  ]

  /// - Throws: ``AuthenticationError/Code/invalidConfiguration``, which names what is wrong without its value.
  func validated() throws(AuthenticationError) -> (client: OpenIDClient, service: ServiceURL) {
    guard domain.isDomain else { throw .invalid("domain", "is not a host name, as in tenant.eu.auth0.com") }
    if connection.isEmpty { throw .invalid("connection", "is empty") }
    if audience?.isEmpty == true { throw .invalid("audience", "is empty; leave it out") }
    if organization?.isEmpty == true { throw .invalid("organization", "is empty; leave it out") }
    guard methods.allSatisfy(Self.possibleMethods.contains) else {
      throw .invalid("methods", "names one that Auth0 does not have")
    }
    guard organization == nil || methods.allSatisfy({ $0 == .browser || $0 == .passkey }) else {
      throw .invalid("methods", "names one that cannot ask for an organization; only .browser and .passkey can")
    }
    let service = try ServiceURL(
      endpoint ?? "https://\(domain)", key: endpoint == nil ? "domain" : "endpoint", allowsPath: true)
    // The tenant calls itself so, with the slash.
    var client = OpenIDClient(issuer: endpoint ?? "https://\(domain)/", clientID: clientID)
    client.scopes = scopes
    client.audience = audience
    client.redirect = redirect
    client.presenter = presenter
    client.bindsTokens = bindsTokens
    client.allowedOrigins = allowedOrigins
    if let organization {
      client.parameters["organization"] = organization
      client.dialect.checkIdentity = { claims throws(AuthenticationError) in
        let isNamed =
          organization.hasPrefix("org_")
          ? claims["org_id"].isSame(as: organization) : claims["org_name"].isSame(as: organization.lowercased())
        guard isNamed else {
          throw .refused(by: .organization, "The user is not a member of the organization that was asked for.")
        }
      }
    }
    client.dialect.pageAttributes = ["connection", "invitation", "screen_hint"]
    client.dialect.refusals = Auth0Refusals.common
    client.dialect.refreshRefusals = Auth0Refusals.refresh
    client.dialect.revokesRefreshTokensOnly = true
    client.dialect.grantsOfflineAccessWithoutConsent = true
    return (client, service)
  }
}

extension SecurityCheck {
  /// The ID token names no organization of Auth0's, or another one than ``Auth0Application/organization``.
  public static let organization = Self("organization")
}
