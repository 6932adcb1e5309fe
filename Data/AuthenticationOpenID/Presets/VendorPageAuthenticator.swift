public import AuthenticationData
public import AuthenticationDomain
import Foundation

/// Asks a user to sign in on a vendor's page, and returns the code that it ends with. Its recipient, such as the
/// app's backend, verifies it: the vendor's token endpoint takes a secret that no app may have.
///
/// ```swift
/// let apple = try VendorPageAuthenticator.apple(
///   clientID: "com.example.web", redirect: "https://app.example.com/apple", presenter: presenter)
/// options.methods = [.password, .native(NativeSignIn(.apple, by: apple))]
/// ```
///
/// Neither the name nor the address can be asked for: the vendor would send both to a server alone.
public struct VendorPageAuthenticator: NativeAuthenticator {
  private let page: URL
  private let clientID: String
  private let redirect: String
  private let presenter: any AuthorizationPresenter

  /// Apple's page. Its address and its cancellation are from the vendor's documents, and were not tried (check).
  ///
  /// - Parameters:
  ///   - clientID: a Services ID.
  ///   - redirect: a claimed https address of the app, the only kind that Apple returns to.
  ///   - presenter: shows the page.
  ///   - endpoint: the origin of a server of your own in place of Apple's.
  /// - Throws: ``AuthenticationError/invalidConfiguration``.
  public static func apple(
    clientID: String, redirect: String, presenter: any AuthorizationPresenter, endpoint: String? = nil
  ) throws(AuthenticationError) -> Self {
    try Self(endpoint ?? "https://appleid.apple.com", "auth/authorize", clientID, redirect, presenter)
  }

  /// Facebook's page. Its address is from the vendor's documents, and was not tried (check).
  ///
  /// - Parameters:
  ///   - clientID: the app id.
  ///   - redirect: a claimed https address of the app.
  ///   - presenter: shows the page.
  ///   - endpoint: the origin of a server of your own in place of Facebook's.
  /// - Throws: ``AuthenticationError/invalidConfiguration``.
  public static func facebook(
    clientID: String, redirect: String, presenter: any AuthorizationPresenter, endpoint: String? = nil
  ) throws(AuthenticationError) -> Self {
    try Self(endpoint ?? "https://www.facebook.com", "dialog/oauth", clientID, redirect, presenter)
  }

  private init(
    _ origin: String, _ path: String, _ clientID: String, _ redirect: String, _ presenter: any AuthorizationPresenter
  ) throws(AuthenticationError) {
    if clientID.isEmpty { throw .invalid("clientID", "is empty") }
    guard redirect.hasPrefix("https://") else { throw .invalid("redirect", "is not a claimed https address") }
    let address = RedirectURI.address(redirect)
    try address.validate()
    try presenter.validate(address)
    page = try ServiceURL(origin, key: "endpoint").url.appending(path: path)
    self.clientID = clientID
    self.redirect = redirect
    self.presenter = presenter
  }

  public func signIn(_ request: NativeSignInRequest) async throws(AuthenticationError) -> NativeSignInResponse {
    let (page, clientID) = (page, clientID)
    let callback = try await presenter.present(redirectingTo: .address(redirect), answering: request.state) {
      address async throws(AuthenticationError) in
      try page.appending(
        FormBody([
          "response_type": "code", "response_mode": "query", "client_id": clientID, "redirect_uri": address,
          "state": request.state, "nonce": request.nonce?.reveal(),
        ]))
    }
    let response = try AuthorizationResponse(callback)
    guard response.address.isSame(as: redirect) else { throw .otherRedirect }
    guard response.state.isSame(as: request.state) else { throw .unknownState }
    if let error = response.parameters["error"] {
      throw error == "user_cancelled_authorize" ? .cancelled : OAuthErrorResponseMapper.map(code: error)
    }
    guard let code = response.parameters["code"], !code.isEmpty else {
      throw .refused(by: .redirect, "The redirect has neither a code nor an error.")
    }
    return NativeSignInResponse(identityToken: nil, state: response.state, authorizationCode: Secret(code))
  }
}

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
  ///   - endpoint: an OpenID issuer of your own that signs users in with Apple, exactly as it calls itself.
  ///   - redirect: where the page returns to.
  ///   - presenter: shows the page; nil leaves the methods without one.
  ///   - realm: by default the issuer and the client id.
  public static func apple(
    clientID: String, endpoint: String, redirect: RedirectURI = .loopback(),
    presenter: (any AuthorizationPresenter)? = nil, realm: String? = nil
  ) -> Self { verifiedPage("apple", clientID, endpoint, redirect, presenter, realm) }

  /// Facebook on a page, behind the server that verifies it: Facebook's token endpoint takes a secret that no app may
  /// have. On a device ``AuthenticationDomain/SignInProcess`` has the vendor's own sheet instead.
  ///
  /// - Parameters:
  ///   - clientID: of the app at that server.
  ///   - endpoint: an OpenID issuer of your own that signs users in with Facebook, exactly as it calls itself.
  ///   - redirect: where the page returns to.
  ///   - presenter: shows the page; nil leaves the methods without one.
  ///   - realm: by default the issuer and the client id.
  public static func facebook(
    clientID: String, endpoint: String, redirect: RedirectURI = .loopback(),
    presenter: (any AuthorizationPresenter)? = nil, realm: String? = nil
  ) -> Self { verifiedPage("facebook", clientID, endpoint, redirect, presenter, realm) }

  private static func verifiedPage(
    _ name: String, _ clientID: String, _ endpoint: String, _ redirect: RedirectURI,
    _ presenter: (any AuthorizationPresenter)?, _ realm: String?
  ) -> Self {
    var client = OpenIDClient(issuer: endpoint, clientID: clientID)
    client.redirect = redirect
    client.presenter = presenter
    client.dialect = IssuerDialect(name: name, methods: [.browser])
    client.dialect.complete = { _ throws(AuthenticationError) in
      let url = try ServiceURL(endpoint, key: "endpoint", allowsPath: true)
      guard !vendors.contains(url.origin.host) else {
        throw .invalid(
          "endpoint", "is the vendor's own, which signs no user in to an app; name the server that verifies")
      }
    }
    return openIDConnect(client, realm: realm)
  }

  private static let vendors: Set<String> = [
    "appleid.apple.com", "www.facebook.com", "facebook.com", "limited.facebook.com", "graph.facebook.com",
  ]
}
