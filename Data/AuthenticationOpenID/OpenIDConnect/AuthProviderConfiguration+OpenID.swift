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
    issuer("openid", realm: realm ?? "openid \(client.issuer) \(client.clientID)") { _ throws(AuthenticationError) in
      client
    }
  }

  /// A client of an issuer that is made, and checked, when the app is composed.
  static func issuer(
    _ name: String, realm: String,
    _ client: @escaping @Sendable (Environment) throws(AuthenticationError) -> OpenIDClient
  ) -> Self {
    Self(name: name, realm: realm) { environment throws(AuthenticationError) in
      let provider = try OpenIDConnectProvider(try client(environment), in: environment)
      return provider.product(provider, methods: provider.methods, in: environment)
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

extension OpenIDConnectProvider {
  /// What an app is composed of that signs in here, or by a provider around this one.
  ///
  /// - Parameter methods: what is offered, in this order; one that needs a process of the app's own is left to the app.
  func product(
    _ provider: any RemoteAuthProvider, methods: [SignInMethod], in environment: AuthProviderConfiguration.Environment
  ) -> AuthProviderConfiguration.Product {
    var origins = client.allowedOrigins
    if let own = URL(string: client.issuer).flatMap(Origin.init) { origins.insert(own) }
    let known = [SignInProcess.browser, .device] + SignInProcess.forms(for: methods)
    // The proof also if tokens are no longer bound: a stored session may still be.
    return AuthProviderConfiguration.Product(
      provider: provider, allowedOrigins: origins, proof: DPoPRequestProof(nonces: nonces, environment: environment),
      processes: methods.compactMap { method in known.first { $0.method == method } })
  }
}
