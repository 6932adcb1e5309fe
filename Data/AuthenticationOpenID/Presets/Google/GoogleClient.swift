public import AuthenticationData
public import AuthenticationDomain

/// The app as it is registered at Google: an OAuth client.
///
/// ```swift
/// var client = GoogleClient(clientID: "1234-abcd.apps.googleusercontent.com")
/// client.redirect = .google(clientID: client.clientID)
/// client.presenter = WebAuthenticationSessionPresenter { window }
/// let root = try MainRoot(.google(client))
/// ```
public struct GoogleClient: Sendable {
  /// It ends in `.apps.googleusercontent.com`.
  public var clientID: String
  /// Of a desktop or TV client, which has one that is not confidential; an iOS client has none.
  public var clientSecret: Secret?
  /// The client id of the app's backend, if ID tokens are for it (`audience`; as Google's own SDK does (check)): it is
  /// their audience then, and this client the party they are issued to.
  public var serverClientID: String?
  /// The one Workspace domain whose accounts may sign in. Every ID token must name it (`hd`), so that the scope `openid`
  /// is required.
  public var hostedDomain: String?
  /// The scopes that are requested; nil for `openid`, `profile` and `email`, which Google lists. A refresh token comes
  /// without a scope of its own.
  public var scopes: [String]?
  /// Where the browser returns to: ``RedirectURI/google(clientID:)`` for an iOS client.
  public var redirect = RedirectURI.loopback()
  /// Shows Google's page. Never an embedded web view, which Google refuses (`disallowed_useragent`).
  public var presenter: (any AuthorizationPresenter)?
  /// `.browser`, and for a TV client `.device`.
  public var methods: [SignInMethod] = [.browser]
  /// Origins to which the access token may be sent, such as that of an API of Google.
  public var allowedOrigins: Set<Origin> = []
  /// An issuer of your own in place of Google, exactly as it calls itself.
  public var endpoint: String?

  /// A client that signs in by the browser.
  public init(clientID: String) { self.clientID = clientID }
}

extension RedirectURI {
  /// Of a Google client for iOS: the scheme is the client id in reverse, and one slash follows.
  public static func google(clientID: String) -> Self {
    .address(clientID.split(separator: ".").reversed().joined(separator: ".") + ":/oauth2redirect/google")
  }
}

extension GoogleClient {
  /// - Throws: ``AuthenticationError/invalidConfiguration``, which names what is wrong without its value.
  func client() throws(AuthenticationError) -> OpenIDClient {
    guard endpoint != nil || clientID.hasSuffix(".apps.googleusercontent.com") else {
      throw .invalid("clientID", "is not one of Google's, which end in .apps.googleusercontent.com")
    }
    if clientSecret?.isEmpty == true { throw .invalid("clientSecret", "is empty; leave it out") }
    if serverClientID?.isEmpty == true { throw .invalid("serverClientID", "is empty; leave it out") }
    if hostedDomain?.isDomain == false { throw .invalid("hostedDomain", "is not a domain, as in example.com") }
    if let endpoint { _ = try ServiceURL(endpoint, key: "endpoint", allowsPath: true) }
    let possible: Set<SignInMethod> = [.browser, .device]
    guard methods.allSatisfy(possible.contains) else {
      throw .invalid("methods", "names one that Google does not have")
    }
    var client = OpenIDClient(issuer: endpoint ?? "https://accounts.google.com", clientID: clientID)
    client.scopes = scopes
    client.redirect = redirect
    client.presenter = presenter
    client.authentication = clientSecret.map(ClientAuthentication.secretPost) ?? .none
    client.allowedOrigins = allowedOrigins
    client.audience = serverClientID
    // A web client gets a refresh token only so; the others get one in any case.
    client.parameters["access_type"] = "offline"
    client.parameters["hd"] = hostedDomain
    client.dialect.methods = methods
    client.dialect.grantsOfflineAccessWithoutConsent = true
    client.dialect.audience = serverClientID
    if endpoint == nil { client.dialect.issuerAliases = ["https://accounts.google.com", "accounts.google.com"] }
    client.dialect.refusals = VendorRefusals([
      ("admin_policy_enforced", nil, .declined), ("disallowed_useragent", nil, .declined),
      ("org_internal", nil, .declined),
    ])
    if let hostedDomain {
      client.dialect.checkIdentity = { claims throws(AuthenticationError) in
        guard claims["hd"] == hostedDomain else {
          throw .refused(by: .hostedDomain, "The user is not of the Workspace domain that was asked for.")
        }
      }
    }
    return client
  }
}

extension SecurityCheck {
  /// The ID token names no Workspace domain of Google's, or another one than ``GoogleClient/hostedDomain``.
  public static let hostedDomain = Self("hosted_domain")
}

extension AuthProviderConfiguration {
  /// Google, as an OpenID issuer (https://developers.google.com/identity/openid-connect/openid-connect).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | OAuth client | ``GoogleClient`` |
  /// | `serverClientID` | ``GoogleClient/serverClientID``, which is then the audience of ID tokens |
  /// | Workspace domain (`hd`) | ``GoogleClient/hostedDomain`` |
  /// | "Token has been expired or revoked", `invalid_rapt` | ``AuthenticationDomain/AuthenticationError/sessionRejected`` |
  /// | `admin_policy_enforced`, `org_internal`, `disallowed_useragent` | ``AuthenticationDomain/AuthenticationError/declined`` |
  /// | TV and limited-input device | ``AuthenticationDomain/SignInMethod/device`` |
  /// | offline access | `access_type=offline`, without `prompt=consent` |
  /// | judged by | any issuer's independent servers for what it shares with them; its quirks by our own server only |
  ///
  /// A refresh token is not replaced, and ends after half a year without use. The provider is an
  /// ``OpenIDConnectProvider``. A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - client: the app as it is registered there.
  ///   - realm: by default the client id.
  public static func google(_ client: GoogleClient, realm: String? = nil) -> Self {
    issuer("google", realm: realm ?? "google \(client.clientID)") { _ throws(AuthenticationError) in
      try client.client()
    }
  }

  /// The same with the defaults of ``GoogleClient``.
  public static func google(
    clientID: String, presenter: (any AuthorizationPresenter)? = nil, endpoint: String? = nil
  ) -> Self {
    var client = GoogleClient(clientID: clientID)
    client.presenter = presenter
    client.endpoint = endpoint
    return .google(client)
  }
}
