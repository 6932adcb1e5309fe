public import AuthenticationData
import AuthenticationDomain

extension AuthProviderConfiguration {
  /// Sign in with Apple on a page, behind the server that verifies it. Apple's token endpoint takes a secret that no app
  /// may have, and its page sends the name and the address to a server alone (`response_mode=form_post`), so that there
  /// is no way without one.
  ///
  /// On Apple's platforms ``AuthenticationDomain/SignInProcess`` has the system's sheet instead, for any provider that
  /// verifies its token.
  ///
  /// - Parameters:
  ///   - clientID: of the app at that server.
  ///   - endpoint: an OpenID issuer of your own that signs people in with Apple, exactly as it calls itself.
  ///   - redirect: where the page returns to.
  ///   - presenter: shows the page; nil leaves the methods without one.
  ///   - realm: by default the issuer and the client id.
  public static func apple(
    clientID: String, endpoint: String, redirect: RedirectURI = .loopback(),
    presenter: (any AuthorizationPresenter)? = nil, realm: String? = nil
  ) -> Self {
    verifiedPage("apple", clientID, endpoint, redirect, presenter, realm)
  }

  /// Facebook on a page, behind the server that verifies it: Facebook's token endpoint takes a secret that no app may
  /// have. On a device ``AuthenticationDomain/SignInProcess`` has the vendor's own sheet instead.
  ///
  /// - Parameters:
  ///   - clientID: of the app at that server.
  ///   - endpoint: an OpenID issuer of your own that signs people in with Facebook, exactly as it calls itself.
  ///   - redirect: where the page returns to.
  ///   - presenter: shows the page; nil leaves the methods without one.
  ///   - realm: by default the issuer and the client id.
  public static func facebook(
    clientID: String, endpoint: String, redirect: RedirectURI = .loopback(),
    presenter: (any AuthorizationPresenter)? = nil, realm: String? = nil
  ) -> Self {
    verifiedPage("facebook", clientID, endpoint, redirect, presenter, realm)
  }

  private static func verifiedPage(
    _ name: String, _ clientID: String, _ endpoint: String, _ redirect: RedirectURI,
    _ presenter: (any AuthorizationPresenter)?, _ realm: String?
  ) -> Self {
    issuer(name, realm: realm ?? "\(name) \(endpoint) \(clientID)") { _ throws(AuthenticationError) in
      let url = try ServiceURL(endpoint, key: "endpoint", allowsPath: true)
      guard !vendors.contains(url.origin.host) else {
        throw .invalid(
          "endpoint", "is the vendor's own, which signs nobody in to an app; name the server that verifies")
      }
      var client = OpenIDClient(issuer: endpoint, clientID: clientID)
      client.redirect = redirect
      client.presenter = presenter
      client.dialect.methods = [.browser]
      return client
    }
  }

  private static let vendors: Set<String> = [
    "appleid.apple.com", "www.facebook.com", "facebook.com", "limited.facebook.com", "graph.facebook.com",
  ]
}
