public import AuthenticationBrowser
import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// The managed login of a user pool: its pages, where users sign in with an identity provider (Google, Apple, one of
/// the pool's own) or with an account of the pool.
///
/// ```swift
/// let login = CognitoManagedLogin(
///   domain: "https://notes.auth.eu-central-1.amazoncognito.com", redirect: .localhost(port: 4711),
///   presenter: SystemBrowserPresenter())
/// let pool = CognitoUserPool(
///   id: "eu-central-1_Abc123", clientID: "4s2k…", methods: [.password, .browser(.google)], managedLogin: login)
/// ```
///
/// | method | the page |
/// |---|---|
/// | `.browser` | asks which way to sign in; an attempt's attribute `idp_identifier` chooses an identity provider |
/// | `.browser(.google)`, `.browser(.apple)`, `.browser(.facebook)` | that identity provider's (`Google`, `SignInWithApple`, `Facebook`) |
/// | `.browser(SignInMethod(id: "Staff", displayName: "Staff"))` | of the identity provider with this name; `COGNITO` is the pool's own form |
///
/// Of an attempt's hints the page takes the user name (`login_hint`), the prompt (`none`, `login`) and the first
/// language (`lang`). The session is one of the pool like any other: the same user id, refresh and revocation
/// (https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html).
public struct CognitoManagedLogin: Sendable {
  /// The scope that the account services take.
  static let accountScope = "aws.cognito.signin.user.admin"

  let domain: String
  let redirect: RedirectURI
  let presenter: any AuthorizationPresenter
  let scopes: [String]

  /// Pages on the pool's domain; a configuration that cannot work is refused when the app is composed.
  ///
  /// - Parameters:
  ///   - domain: the pool's domain, as `https://` and a host.
  ///   - redirect: where the page returns to, exactly as the app client registers it: an `.address`, or `.localhost`
  ///     with a port.
  ///   - presenter: shows the page.
  ///   - scopes: the requested scopes. Without `aws.cognito.signin.user.admin` no account service works but the reset
  ///     of a password; without `openid` there is no ID token.
  public init(
    domain: String, redirect: RedirectURI, presenter: any AuthorizationPresenter,
    scopes: [String] = ["openid", "profile", "email", "aws.cognito.signin.user.admin"]
  ) {
    self.domain = domain
    self.redirect = redirect
    self.presenter = presenter
    self.scopes = scopes
  }

  func validate() throws(AuthenticationError) {
    _ = try url("")
    guard redirect.fixed != nil else {
      throw .invalid("redirect", "has no port; Cognito compares it with the registered one, the port included")
    }
    if case .loopback = redirect {
      throw .invalid("redirect", "is an address of 127.0.0.1; Cognito registers http://localhost only")
    }
    try redirect.validate()
    try presenter.validate(redirect)
    let isScope = { (scope: String) in !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
    guard !scopes.isEmpty, scopes.allSatisfy(isScope) else {
      throw .invalid("scopes", "is empty, or names one that is empty or has a space")
    }
  }

  fileprivate func url(_ path: String) throws(AuthenticationError) -> URL {
    try ServiceURL(domain, key: "domain").url.appending(path: path)
  }
}

extension CognitoUserPool {
  /// The issuer that ID tokens name, wherever the service is.
  var issuer: String { "\(host)/\(id)" }

  /// Whether some session of this app may use account services.
  var hasAccountScope: Bool {
    guard let managedLogin, methods.allSatisfy(\.isPage) else { return true }
    return managedLogin.scopes.contains(CognitoManagedLogin.accountScope)
  }

  /// The page that ends the browser's session at managed login, so that the next user is asked to sign in. It ends no
  /// token: sign out as well.
  ///
  /// - Parameter redirect: where the page returns to, exactly as the app client registers it among the sign-out URLs.
  /// - Returns: the page, for an app that only opens it.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` without ``CognitoManagedLogin``, and for a redirect whose
  ///   port is not known.
  public func signOutPage(returningTo redirect: RedirectURI) throws(AuthenticationError) -> URL {
    guard let managedLogin else { throw .invalid("managedLogin", "is missing, and it has the sign-out page") }
    guard let uri = redirect.fixed else { throw .invalid("redirect", "has no port") }
    try redirect.validate()
    return try managedLogin.url("logout").appending(FormBody(["client_id": clientID, "logout_uri": uri]))
  }

  /// Shows ``signOutPage(returningTo:)``, and returns when the browser is back. No `state` comes back: the report is
  /// that the page was left, not that a session ended.
  ///
  /// - Parameters:
  ///   - redirect: where the page returns to, exactly as the app client registers it among the sign-out URLs.
  ///   - presenter: shows the page; by default the one of ``CognitoManagedLogin``.
  /// - Throws: as ``signOutPage(returningTo:)``, ``AuthenticationError/cancelled`` if the user closes the page, and
  ///   ``AuthenticationError/security`` with the reason `redirect` for a redirect to another address.
  public func endBrowserSession(
    returningTo redirect: RedirectURI, presenter: (any AuthorizationPresenter)? = nil
  ) async throws(AuthenticationError) {
    let page = try signOutPage(returningTo: redirect)
    guard let address = redirect.fixed, let presenter = presenter ?? managedLogin?.presenter else { return }
    try presenter.validate(redirect)
    let callback = try await presenter.present(redirectingTo: redirect, answering: "") {
      _ async throws(AuthenticationError) in page
    }
    guard try AuthorizationResponse(callback).address.isSame(as: address) else { throw .otherRedirect }
  }
}

extension SignInMethod {
  var isPage: Bool { self == .browser || pageVendor != nil }
}

extension AuthSession {
  /// Refuses the settings that Cognito would refuse. A sign-in without a page has the scope, and names none.
  func checkAccountScope() throws(AuthenticationError) {
    let (scopes, needed) = (accessToken.scopes, CognitoManagedLogin.accountScope)
    if !scopes.isEmpty, !scopes.contains(needed) { throw .accountScopeMissing }
  }
}

extension AuthenticationError {
  static let accountScopeMissing = Self(
    .insufficientScope, "The session was not granted 'aws.cognito.signin.user.admin', which account services take.",
    suggestion: "Ask for it in CognitoManagedLogin.scopes, and let the user sign in again."
  ).with(\.requiredScopes, [CognitoManagedLogin.accountScope])

  fileprivate static let codeRefused = Self(
    .invalidCredentials, "Cognito refused the authorization code.",
    suggestion: "Begin the sign-in again: a code can be used once, within 5 minutes.")
}

/// Managed login: authorization code with PKCE (RFC 6749 §4.1, RFC 7636).
extension CognitoAuthProvider {
  private static let identityProviders = [
    "google": "Google", "apple": "SignInWithApple", "facebook": "Facebook", "amazon": "LoginWithAmazon",
  ]

  func signIn(
    onPage signIn: BrowserSignIn, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    guard let login = service.pool.managedLogin, let pages, methods.contains(signIn.method) else {
      throw .unsupportedMethod(signIn.method)
    }
    let hints = try signIn.pageHints()
    let verifier = CodeVerifier(random: randomBytes(32))
    let (state, nonce) = (Data(randomBytes(32)).base64URL, Data(randomBytes(32)).base64URL)
    let request = PageFlow.Request(
      state: state, startedAt: service.clock.now,
      [
        "verifier": verifier.secret, "nonce": Secret(nonce), "scopes": Secret(login.scopes.joined(separator: " ")),
        "client": Secret(service.pool.clientID),
      ])
    let query = FormBody([
      "response_type": "code", "client_id": service.pool.clientID, "scope": login.scopes.joined(separator: " "),
      "state": state, "nonce": login.scopes.contains("openid") ? nonce : nil, "code_challenge": verifier.challenge,
      "code_challenge_method": "S256",
      "identity_provider": signIn.method.pageVendor.map { Self.identityProviders[$0] ?? $0 },
      "idp_identifier": signIn.method == .browser ? attributes["idp_identifier"]?.reveal() : nil,
      "login_hint": hints.userName, "prompt": hints.prompt, "lang": signIn.hints.locales.first,
    ])
    let returned = try await pages.show(request, by: login.presenter, returningTo: login.redirect) {
      redirectURI throws(AuthenticationError) in
      var query = query
      query.add("redirect_uri", redirectURI)
      return try login.url("oauth2/authorize").appending(query)
    }
    return .session(try await redeem(returned))
  }

  /// A sign-in that was begun before a relaunch.
  func finish(_ callback: BrowserReturn) async throws(AuthenticationError) -> SignInOutcome {
    guard let pages else { throw .unsupportedMethod(callback.method) }
    return .session(try await redeem(try pages.accept(callback.url)))
  }

  private func redeem(_ returned: PageFlow.Returned) async throws(AuthenticationError) -> AuthSession {
    let (pool, request) = (service.pool, returned.request)
    guard let login = pool.managedLogin, let verifier = request["verifier"], let nonce = request["nonce"],
      let scopes = request["scopes"]?.reveal(), request["client"] == Secret(pool.clientID)
    else { throw .unknownState }
    let code = try returned.response.code { CognitoErrorMapper.page[$0] }
    var form = HTTPRequest(
      posting: FormBody([
        "grant_type": "authorization_code", "client_id": pool.clientID, "code": code.reveal(),
        "redirect_uri": request.redirectURI, "code_verifier": verifier.reveal(),
      ]), to: try login.url("oauth2/token"))
    if let secret = pool.clientSecret {
      let pair = "\(FormBody.encode(pool.clientID)):\(FormBody.encode(secret.reveal()))"
      form.headers["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
    }
    let sent = try await service.client.send(form)
    let now = service.clock.now
    guard sent.isSuccess else {
      let error = JSONMembers(json: sent.body)?["error"]
      throw HTTPErrorMapper.map(sent, code: error, in: CognitoErrorMapper.page, now: now)
    }
    let tokens = try VendorResponse(sent, JSONMembers(sent), receivedAt: now).tokens(
      access: "access_token", refresh: "refresh_token", identity: "id_token", expiresIn: "expires_in",
      scopes: scopes.split(separator: " ").map(String.init))
    let theirNow = now.addingTimeInterval((tokens.access.clockOffset ?? .zero) / .seconds(1))
    return try await unlessFaulty(tokens) { () throws(AuthenticationError) in
      if tokens.access.scopes.contains("openid") {
        try CognitoTokenMapper.check(tokens, of: pool, nonce: nonce.reveal(), now: theirNow)
      }
      return AuthSession(user: try CognitoTokenMapper.user(tokens), tokens: tokens)
    }
  }
}

extension CognitoErrorMapper {
  /// Of managed login: of its redirects and of its token endpoint (RFC 6749 §4.1.2.1, §5.2).
  fileprivate static let page: [String: AuthenticationError] = [:].adding([
    .declined: ["access_denied"], .codeRefused: ["invalid_grant"],
    .insufficientUserAuthentication: ["login_required", "interaction_required", "consent_required"],
    .clientRejected: [
      "invalid_request", "invalid_client", "unauthorized_client", "invalid_scope", "unsupported_grant_type",
      "unsupported_response_type",
    ], .serverFailed: ["server_error", "temporarily_unavailable"],
  ])
}

extension CognitoTokenMapper {
  /// Checks an ID token against the request (OpenID Connect Core §3.1.3.7).
  fileprivate static func check(
    _ tokens: SessionTokens, of pool: CognitoUserPool, nonce: String, now: Date
  ) throws(AuthenticationError) {
    guard let claims = tokens.identity.flatMap({ JSONMembers(unverified: $0) }) else {
      throw .refused(by: .idToken, "An ID token was asked for, and none came that can be read.")
    }
    guard claims["iss"].isSame(as: pool.issuer) else {
      throw .refused(by: .issuer, "The ID token is from another issuer than the user pool.")
    }
    guard claims["aud"].isSame(as: pool.clientID), claims["token_use"] == "id" else {
      throw .refused(by: .audience, "The ID token is none, or for another app client.")
    }
    guard claims["nonce"].isSame(as: nonce) else {
      throw .refused(by: .nonce, "The ID token belongs to another sign-in.")
    }
    // The clocks may differ by a minute.
    guard let end = claims.date("exp"), end.addingTimeInterval(60) > now else {
      throw .refused(by: .lifetime, "The ID token has expired.")
    }
    let hash = Data(PublicSHA256.hash(tokens.access.value.reveal().utf8).prefix(16)).base64URL
    if claims.values["at_hash"] != nil, !claims["at_hash"].isSame(as: hash) {
      throw .refused(by: .tokenHash, "The ID token belongs to another access token.")
    }
  }
}
