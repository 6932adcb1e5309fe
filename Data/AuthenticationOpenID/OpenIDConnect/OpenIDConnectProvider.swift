public import AuthenticationData
public import AuthenticationDomain

/// Signs in at any OpenID Connect or OAuth 2.1 issuer.
public struct OpenIDConnectProvider: RemoteAuthProvider {
  let client: OpenIDClient
  let issuer: Issuer
  let environment: AuthProviderConfiguration.Environment

  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    throw .unsupportedMethod(credentials.method)
  }

  public func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    throw .sessionExpired
  }

  public func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {}
}

extension AuthProviderConfiguration {
  /// Any OpenID Connect or OAuth 2.1 issuer; its own origin may have the access token.
  ///
  /// The realm is the issuer and the client id unless another is given. What cannot work is refused when the app is
  /// composed: ``AuthenticationError/Code/invalidConfiguration``.
  public static func openIDConnect(_ client: OpenIDClient, realm: String? = nil) -> Self {
    Self(name: "openid", realm: realm ?? "openid \(client.issuer) \(client.clientID)") {
      environment throws(AuthenticationError) in
      let issuer = try Issuer(client.issuer, client: environment.httpClient, clock: environment.clock)
      return Product(
        provider: OpenIDConnectProvider(client: client, issuer: issuer, environment: environment),
        allowedOrigins: client.allowedOrigins)
    }
  }

  /// The same, where the defaults of ``OpenIDClient`` are enough.
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
