public import AuthenticationBrowser
public import AuthenticationData
public import AuthenticationDomain
import Foundation

/// Asks a user to sign in on a vendor's page, and returns the code that it ends with. Its recipient, such as the
/// app's backend, verifies it: the vendor's token endpoint takes a secret that no app may have.
///
/// ```swift
/// let apple = try VendorPageAuthenticator(
///   .apple, clientID: "com.example.web", redirect: "https://app.example.com/apple", presenter: presenter)
/// options.methods = [.password, .native(NativeSignIn(.apple, by: apple))]
/// ```
///
/// Neither the name nor the address can be asked for: the vendor would send both to a server alone.
public struct VendorPageAuthenticator: NativeAuthenticator {
  private static let pages: [SignInMethod: (origin: String, path: String)] = [
    .apple: ("https://appleid.apple.com", "auth/authorize"), .facebook: ("https://www.facebook.com", "dialog/oauth"),
  ]

  private let vendor: SignInMethod
  private let page: URL
  private let clientID: String
  private let redirect: String
  private let presenter: any AuthorizationPresenter

  /// A vendor's page. Its address and its cancellation are from the vendor's documents, and were not tried (check).
  ///
  /// - Parameters:
  ///   - vendor: `.apple` or `.facebook`.
  ///   - clientID: Apple's Services ID, or Facebook's app id.
  ///   - redirect: a claimed https address of the app, the only kind that Apple returns to.
  ///   - presenter: shows the page.
  ///   - endpoint: the origin of another server in place of the vendor's.
  /// - Throws: ``AuthenticationError/invalidConfiguration``.
  public init(
    _ vendor: SignInMethod, clientID: String, redirect: String, presenter: any AuthorizationPresenter,
    endpoint: String? = nil
  ) throws(AuthenticationError) {
    guard let (origin, path) = Self.pages[vendor] else { throw .invalid("vendor", "has no page that is known here") }
    if clientID.isEmpty { throw .invalid("clientID", "is empty") }
    guard redirect.hasPrefix("https://") else { throw .invalid("redirect", "is not a claimed https address") }
    let address = RedirectURI.address(redirect)
    try address.validate()
    try presenter.validate(address)
    page = try ServiceURL(endpoint ?? origin, key: "endpoint").url.appending(path: path)
    self.vendor = vendor
    self.clientID = clientID
    self.redirect = redirect
    self.presenter = presenter
  }

  public func signIn(_ request: NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials {
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
    return NativeCredentials(
      method: vendor, identityToken: nil, authorizationCode: Secret(code), state: response.state)
  }
}

extension AuthProviderConfiguration {
  /// A vendor's sign-in on a page, behind the server that verifies it. The token endpoints of Apple and of Facebook
  /// take a secret that no app may have, and Apple's page sends the name and the address to a server alone
  /// (`response_mode=form_post`), so that there is no way without one.
  ///
  /// On a device ``AuthenticationDomain/SignInProcess`` has the vendor's own sheet instead, for any provider that
  /// verifies its token.
  ///
  /// - Parameters:
  ///   - vendor: such as `.apple` or `.facebook`; names the provider in logs and status.
  ///   - clientID: of the app at that server.
  ///   - endpoint: an OpenID issuer that signs users in with the vendor, exactly as it calls itself.
  ///   - redirect: where the page returns to.
  ///   - presenter: shows the page; nil leaves the methods without one.
  ///   - realm: by default the issuer and the client id.
  public static func vendorPage(
    _ vendor: SignInMethod, clientID: String, endpoint: String, redirect: RedirectURI = .loopback(),
    presenter: (any AuthorizationPresenter)? = nil, realm: String? = nil
  ) -> Self {
    var client = OpenIDClient(issuer: endpoint, clientID: clientID)
    client.redirect = redirect
    client.presenter = presenter
    client.dialect = IssuerDialect(name: vendor.id, methods: [.browser])
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
