public import AuthenticationBrowser
import AuthenticationData
public import AuthenticationDomain
import Foundation

extension OpenIDClient {
  /// Google as an OpenID issuer, and the app as it is registered there: an OAuth client
  /// (https://developers.google.com/identity/openid-connect/openid-connect).
  ///
  /// ```swift
  /// var client = OpenIDClient.google(clientID: "1234-abcd.apps.googleusercontent.com")
  /// client.redirect = .google(clientID: "1234-abcd.apps.googleusercontent.com")
  /// client.presenter = WebAuthenticationSessionPresenter { window }
  /// let root = try MainRoot(.openIDConnect(client))
  /// ```
  ///
  /// | their term | ours |
  /// |---|---|
  /// | "Token has been expired or revoked", `invalid_rapt` | ``AuthenticationDomain/AuthenticationError/sessionRejected`` |
  /// | `admin_policy_enforced`, `org_internal`, `disallowed_useragent` | ``AuthenticationDomain/AuthenticationError/declined`` |
  /// | TV and limited-input device | ``AuthenticationDomain/SignInMethod/device`` |
  /// | offline access | `access_type=offline`, without `prompt=consent` and a special scope |
  /// | verified by | any issuer's independent servers for the common part; its quirks by our server only |
  ///
  /// A refresh token is not replaced, and ends after half a year without use. Google refuses an embedded web view
  /// (`disallowed_useragent`).
  ///
  /// - Parameters:
  ///   - clientID: it ends in `.apps.googleusercontent.com`.
  ///   - clientSecret: of a desktop or TV client, which has one that is not confidential; an iOS client has none.
  ///   - serverClientID: the client id of the app's backend, if ID tokens are for it (`audience`, as in Google's own SDK;
  ///     not tried at Google): it is their audience then, and this client the party they are issued to.
  ///   - hostedDomain: the one Workspace domain whose accounts may sign in. Every ID token must name it (`hd`), so that
  ///     the scope `openid` is required.
  ///   - methods: `.browser`, and for a TV client `.device`.
  ///   - endpoint: another issuer in place of Google, exactly as it calls itself.
  public static func google(
    clientID: String, clientSecret: Secret? = nil, serverClientID: String? = nil, hostedDomain: String? = nil,
    methods: [SignInMethod] = [.browser], endpoint: String? = nil
  ) -> Self {
    var client = Self(issuer: endpoint ?? "https://accounts.google.com", clientID: clientID)
    client.authentication = clientSecret.map(ClientAuthentication.secretPost) ?? .none
    client.audience = serverClientID
    // A web client gets a refresh token only so; the others get one in any case.
    client.parameters["access_type"] = "offline"
    client.parameters["hd"] = hostedDomain
    client.dialect = IssuerDialect(name: "google", realm: "google \(clientID)", methods: methods)
    client.asksConsentForOfflineAccess = false
    client.dialect.revocation = .grant
    client.dialect.userInfo = .ifLacking
    client.dialect.expect = { expectations in
      expectations.audience = serverClientID
      if endpoint == nil { expectations.issuerAliases = ["https://accounts.google.com", "accounts.google.com"] }
    }
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
    client.dialect.complete = { client throws(AuthenticationError) in
      guard endpoint != nil || clientID.hasSuffix(".apps.googleusercontent.com") else {
        throw .invalid("clientID", "is not one of Google's, which end in .apps.googleusercontent.com")
      }
      if serverClientID?.isEmpty == true { throw .invalid("serverClientID", "is empty; leave it out") }
      if hostedDomain?.isDomain == false { throw .invalid("hostedDomain", "is not a domain, as in example.com") }
      try client.check("Google", offering: [.browser, .device], clientSecret: clientSecret, endpoint: endpoint)
    }
    return client
  }
}

extension RedirectURI {
  /// Of a Google client for iOS: the scheme is the client id in reverse, and one slash follows.
  public static func google(clientID: String) -> Self {
    .address(clientID.split(separator: ".").reversed().joined(separator: ".") + ":/oauth2redirect/google")
  }
}
