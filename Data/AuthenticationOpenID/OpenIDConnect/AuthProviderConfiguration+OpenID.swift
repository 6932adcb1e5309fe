public import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthProviderConfiguration {
  /// Any OpenID Connect or OAuth 2.1 issuer (OpenID Connect Discovery §4, RFC 8414 §3); the access token may be sent to
  /// the issuer's own origin.
  ///
  /// A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/Code/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - client: the app as it is registered at the issuer.
  ///   - realm: by default the issuer and the client id.
  public static func openIDConnect(_ client: OpenIDClient, realm: String? = nil) -> Self {
    Self(name: "openid", realm: realm ?? "openid \(client.issuer) \(client.clientID)") {
      environment throws(AuthenticationError) in
      let provider = try OpenIDConnectProvider(client, in: environment)
      var origins = client.allowedOrigins
      if let own = URL(string: client.issuer).flatMap(Origin.init) { origins.insert(own) }
      // Also if tokens are no longer bound: a stored session may still be.
      return Product(
        provider: provider, allowedOrigins: origins,
        proof: DPoPRequestProof(nonces: provider.nonces, environment: environment),
        processes: [.browser, .device] + SignInProcess.forms(for: provider.methods))
    }
  }

  /// The same with the defaults of ``OpenIDClient``: a public client (RFC 8252 §8.4) with PKCE (RFC 7636).
  public static func openIDConnect(
    issuer: String, clientID: String, redirect: RedirectURI = .loopback(),
    presenter: (any AuthorizationPresenter)? = nil
  ) -> Self {
    var client = OpenIDClient(issuer: issuer, clientID: clientID)
    client.redirect = redirect
    client.presenter = presenter
    return openIDConnect(client)
  }
}
