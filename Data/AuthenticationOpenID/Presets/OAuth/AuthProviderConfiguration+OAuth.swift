public import AuthenticationData
import AuthenticationDomain

extension AuthProviderConfiguration {
  /// Plain OAuth 2.0, for a service that has no ID tokens. The provider is an ``OpenIDConnectProvider``.
  ///
  /// A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/Code/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - provider: the service, and the app as it is registered there.
  ///   - realm: by default the name and the client id.
  public static func oauth(_ provider: OAuthProvider, realm: String? = nil) -> Self {
    Self(name: provider.name, realm: realm ?? "\(provider.name) \(provider.clientID)") {
      environment throws(AuthenticationError) in
      let environment = environment.correctingStatuses
      let openID = try OpenIDConnectProvider(try provider.client(environment), in: environment)
      return openID.product(openID, methods: openID.methods, in: environment)
    }
  }

  /// GitHub by a code for another device, or by the browser if something adds the secret that GitHub wants there; see
  /// ``OAuthProvider/github(clientID:clientSecret:exchange:)``.
  public static func github(
    clientID: String, exchange: String? = nil, presenter: (any AuthorizationPresenter)? = nil, endpoint: String? = nil
  ) -> Self {
    var provider = OAuthProvider.github(clientID: clientID, exchange: exchange)
    provider.presenter = presenter
    provider.endpoint = endpoint
    return .oauth(provider)
  }

  /// X, by the browser; see ``OAuthProvider/x(clientID:)``.
  public static func x(
    clientID: String, presenter: (any AuthorizationPresenter)? = nil, endpoint: String? = nil
  ) -> Self {
    var provider = OAuthProvider.x(clientID: clientID)
    provider.presenter = presenter
    provider.endpoint = endpoint
    return .oauth(provider)
  }
}
