public import AuthenticationData
public import AuthenticationDomain
import Foundation

/// A service that speaks plain OAuth 2.0 (RFC 6749), and the app as it is registered there. It has no discovery document
/// and no ID token: who signed in is what an API call says.
///
/// ```swift
/// var forge = OAuthProvider(
///   name: "forge", clientID: "app", tokenEndpoint: "https://forge.example/oauth/token",
///   userEndpoint: "https://forge.example/api/user")
/// forge.authorizationEndpoint = "https://forge.example/oauth/authorize"
/// forge.presenter = SystemBrowserPresenter()
/// let root = try MainRoot(.oauth(forge))
/// ```
public struct OAuthProvider: Sendable {
  /// Names it in logs and status.
  public var name: String
  /// The client's id.
  public var clientID: String
  /// How the client authenticates at the token endpoint; an app that is given to users cannot keep a secret.
  public var authentication = ClientAuthentication.none
  /// Where the user signs in by the browser; nil leaves that out.
  public var authorizationEndpoint: String?
  /// Where tokens come from. Where a service wants a secret, this may be the app's own backend, which adds it and passes
  /// the request on.
  public var tokenEndpoint: String
  /// For a code that the user types on another device (RFC 8628); nil leaves that out.
  public var deviceAuthorizationEndpoint: String?
  /// Where tokens are revoked (RFC 7009); nil if the service revokes none for this client.
  public var revocationEndpoint: String?
  /// The API call that says whose token it is.
  public var userEndpoint: String
  /// Maps its response; nil if that names no user. A user without an id cannot sign in: two could get the same account.
  /// By default the members `id` (or `sub`), `name`, `email` and `picture`.
  public var user: @Sendable (_ answer: [String: JSONValue]) -> User? = Self.usualUser
  /// The scopes that are requested.
  public var scopes: [String] = []
  /// What stands between the granted scopes, which are sent with spaces.
  public var scopeSeparator: Character = " "
  /// What codes of its own mean in a sign-in. In a refresh only those count that refuse the client
  /// (``AuthenticationDomain/AuthenticationError/clientRejected``), besides ``sessionEndingCodes``.
  public var refusals: [String: AuthenticationError] = [:]
  /// Codes with which a refresh ends the session, besides `invalid_grant`.
  public var sessionEndingCodes: Set<String> = []
  /// Where the browser returns to.
  public var redirect = RedirectURI.loopback()
  /// Shows the service's page.
  public var presenter: (any AuthorizationPresenter)?
  /// Origins to which the access token may be sent, besides the user endpoint's.
  public var allowedOrigins: Set<Origin> = []
  /// The origin of a server of your own, which serves the same paths in place of the vendor's hosts.
  public var endpoint: String?
  /// The addresses of a user whose user endpoint says none.
  var emailsEndpoint: String?
  /// The app's own backend, which an ``endpoint`` does not replace.
  var exchangesAtBackend = false

  /// A service without a page, until its endpoints are set.
  public init(name: String, clientID: String, tokenEndpoint: String, userEndpoint: String) {
    self.name = name
    self.clientID = clientID
    self.tokenEndpoint = tokenEndpoint
    self.userEndpoint = userEndpoint
  }

  @Sendable static func usualUser(_ answer: [String: JSONValue]) -> User? {
    let members = JSONMembers(answer)
    guard let id = members.identifier("id") ?? members.identifier("sub") else { return nil }
    return User(id: id, name: members["name"], email: members["email"], picture: members["picture"])
  }
}

extension JSONMembers {
  /// A text, or a whole number as text.
  func identifier(_ name: String) -> String? {
    self[name] ?? values[name]?.number.flatMap { Int64(exactly: $0) }.map(String.init)
  }
}

extension OAuthProvider {
  /// - Throws: ``AuthenticationError/invalidConfiguration``, which names what is wrong without its value.
  func client(_ environment: AuthProviderConfiguration.Environment) throws(AuthenticationError) -> OpenIDClient {
    let authorization = try address(authorizationEndpoint, "authorizationEndpoint")
    let device = try address(deviceAuthorizationEndpoint, "deviceAuthorizationEndpoint")
    let token = try address(tokenEndpoint, "tokenEndpoint", isVendors: !exchangesAtBackend)
    guard let token, let first = authorization ?? device else {
      throw .invalid("authorizationEndpoint", "is missing, and so is another way to sign in")
    }
    guard let user = try address(userEndpoint, "userEndpoint") else { throw .invalid("userEndpoint", "is empty") }
    var client = OpenIDClient(issuer: first.origin.description, clientID: clientID)
    client.scopes = scopes
    client.authentication = authentication
    client.redirect = redirect
    client.presenter = presenter
    client.allowedOrigins = allowedOrigins.union([user.origin])
    client.endpoints[.token] = token.url.absoluteString
    client.endpoints[.authorization] = authorization?.url.absoluteString
    client.endpoints[.deviceAuthorization] = device?.url.absoluteString
    client.endpoints[.revocation] = try address(revocationEndpoint, "revocationEndpoint")?.url.absoluteString
    client.dialect.publishesMetadata = false
    let methods: [(ServiceURL?, SignInMethod)] = [(authorization, .browser), (device, .device)]
    client.dialect.methods = methods.compactMap { $0.0 == nil ? nil : $0.1 }
    client.dialect.scopeSeparator = scopeSeparator
    client.dialect.refusals = VendorRefusals(refusals.map { ($0.key, nil, $0.value) })
    client.dialect.refreshRefusals = VendorRefusals(
      sessionEndingCodes.map { ($0, nil, .sessionRejected) }
        + refusals.filter { $0.value == .clientRejected }.map { ($0.key, nil, $0.value) })
    let lookUp = OAuthUserLookUp(
      user: user.url, emails: try address(emailsEndpoint, "emailsEndpoint")?.url, map: self.user,
      environment: environment)
    client.dialect.user = { tokens throws(AuthenticationError) in try await lookUp.user(of: tokens) }
    return client
  }

  private func address(
    _ text: String?, _ key: String, isVendors: Bool = true
  ) throws(AuthenticationError) -> ServiceURL? {
    guard let text else { return nil }
    let url = try ServiceURL(text, key: key, allowsPath: true)
    guard isVendors, let endpoint else { return url }
    let base = try ServiceURL(endpoint, key: "endpoint").origin
    return try ServiceURL("\(base)\(url.url.path())", key: key, allowsPath: true)
  }
}

extension AuthProviderConfiguration.Environment {
  /// For a service that sends OAuth errors with a status of success.
  var correctingStatuses: Self {
    Self(
      httpClient: StatusCorrectingHTTPClient(upstream: httpClient), clock: clock, storage: storage,
      transport: transport, randomBytes: randomBytes)
  }
}

/// Gives an OAuth error that came with a status of success the status 400, with which RFC 6749 §5.2 has it read.
private struct StatusCorrectingHTTPClient: HTTPClient {
  let upstream: any HTTPClient

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let response = try await upstream.send(request)
    guard request.method == .post, response.isSuccess, let body = try? JSONMembers(response), body["error"] != nil,
      body["access_token"] == nil
    else { return response }
    var corrected = HTTPResponse(status: 400, headers: response.headers, body: response.body)
    corrected.isFromOtherOrigin = response.isFromOtherOrigin
    return corrected
  }
}

extension OAuthProvider {
  /// GitHub (https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | OAuth app, GitHub App | client |
  /// | device flow | ``AuthenticationDomain/SignInMethod/device`` |
  /// | web application flow | ``AuthenticationDomain/SignInMethod/browser``, with a secret or a backend; PKCE is accepted since 2025 (check) |
  /// | `GET /user`, `login` | ``AuthenticationDomain/User``, whose id is the number, and the claim `login` |
  /// | expiring user token | a refresh token, which only a client with a secret can use |
  /// | `bad_refresh_token` | ``AuthenticationDomain/AuthenticationError/sessionRejected`` |
  /// | judged by | our own dialect server only |
  ///
  /// An OAuth app's token does not expire, and only a backend can revoke it.
  ///
  /// - Parameters:
  ///   - clientID: of the app as it is registered at GitHub.
  ///   - clientSecret: of a program that is not distributed, such as a command line of one's own.
  ///   - exchange: the app's own backend, which adds the secret to the token request and passes it on.
  public static func github(clientID: String, clientSecret: Secret? = nil, exchange: String? = nil) -> Self {
    var provider = Self(
      name: "github", clientID: clientID, tokenEndpoint: exchange ?? "https://github.com/login/oauth/access_token",
      userEndpoint: "https://api.github.com/user")
    if clientSecret != nil || exchange != nil {
      provider.authorizationEndpoint = "https://github.com/login/oauth/authorize"
    }
    provider.authentication = clientSecret.map(ClientAuthentication.secretPost) ?? .none
    provider.deviceAuthorizationEndpoint = "https://github.com/login/device/code"
    provider.emailsEndpoint = "https://api.github.com/user/emails"
    provider.exchangesAtBackend = exchange != nil
    provider.scopes = ["read:user", "user:email"]
    provider.scopeSeparator = ","
    provider.sessionEndingCodes = ["bad_refresh_token"]
    provider.refusals = [
      "bad_verification_code": .codeRefused, "incorrect_client_credentials": .clientRejected,
      "redirect_uri_mismatch": .clientRejected, "unverified_user_email": .unverifiedAddress,
      "incorrect_device_code": .deviceCodeRefused, "device_flow_disabled": .deviceFlowDisabled,
    ]
    provider.user = { answer in
      let members = JSONMembers(answer)
      guard let id = members.identifier("id") else { return nil }
      return User(
        id: id, name: members["name"] ?? members["login"], email: members["email"], picture: members["avatar_url"],
        claims: answer.filter { $0.key == "login" })
    }
    return provider
  }
}

extension AuthenticationError {
  fileprivate static let unverifiedAddress = Self(
    .notVerified, "GitHub asks the user to verify an e-mail address first.",
    suggestion: "Let the user do so in GitHub's settings.")
  fileprivate static let deviceFlowDisabled = Self(
    .unsupportedMethod, "The app at GitHub does not have the device flow switched on.",
    suggestion: "Switch it on in the app's settings.")
}

extension OAuthProvider {
  /// X, formerly Twitter (https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code); all of
  /// it from the vendor's documents, and nothing tried (check).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | public client | a client without a secret; PKCE is required |
  /// | `GET /2/users/me`, `username` | ``AuthenticationDomain/User``, and the claim `username`; there is no e-mail address |
  /// | `offline.access` | the scope that brings a refresh token, which serves once |
  /// | judged by | our own dialect server only |
  public static func x(clientID: String) -> Self {
    var provider = Self(
      name: "x", clientID: clientID, tokenEndpoint: "https://api.x.com/2/oauth2/token",
      userEndpoint: "https://api.x.com/2/users/me")
    provider.authorizationEndpoint = "https://x.com/i/oauth2/authorize"
    provider.revocationEndpoint = "https://api.x.com/2/oauth2/revoke"
    provider.scopes = ["users.read", "tweet.read", "offline.access"]
    provider.user = { answer in
      guard let data = JSONMembers(answer).members("data"), let id = data.identifier("id") else { return nil }
      return User(id: id, name: data["name"] ?? data["username"], claims: data.values.filter { $0.key == "username" })
    }
    return provider
  }
}

extension AuthProviderConfiguration {
  /// Plain OAuth 2.0, for a service that has no ID tokens. The provider is an ``OpenIDConnectProvider``.
  ///
  /// A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/invalidConfiguration``.
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

/// Asks a service's API whose token it is.
struct OAuthUserLookUp: Sendable {
  let user: URL
  let emails: URL?
  let map: @Sendable ([String: JSONValue]) -> User?
  let environment: AuthProviderConfiguration.Environment

  /// - Throws: ``AuthenticationError/unexpectedResponse`` if the response names no user,
  ///   ``AuthenticationError/accessTokenRefused`` if the API does not take the token.
  func user(of tokens: SessionTokens) async throws(AuthenticationError) -> User {
    guard case .object(let members) = try await get(user, tokens), let user = map(members), !user.id.isEmpty else {
      throw .unexpectedResponse
    }
    guard user.email == nil, let emails else { return user }
    // The address is worth no failure: a scope for it may be missing.
    guard case .array(let list) = try? await get(emails, tokens) else { return user }
    let entries = list.compactMap { entry -> JSONMembers? in
      if case .object(let members) = entry { JSONMembers(members) } else { nil }
    }
    guard let primary = entries.first(where: { $0.flag("primary") == true }) else { return user }
    return User(
      id: user.id, name: user.name, email: primary["email"], isEmailVerified: primary.flag("verified"),
      picture: user.picture, claims: user.claims)
  }

  /// With a `User-Agent`, which GitHub requires.
  private func get(_ url: URL, _ tokens: SessionTokens) async throws(AuthenticationError) -> JSONValue {
    let response = try await environment.httpClient.send(
      HTTPRequest(
        .get, url,
        headers: [
          "Accept": "application/json", "Authorization": tokens.access.authorization.reveal(),
          "User-Agent": "AuthenticationKit",
        ]))
    if response.status == 401 { throw .accessTokenRefused }
    guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, now: environment.clock.now) }
    guard response.isJSON, !response.isFromOtherOrigin,
      let value = try? BoundedJSON.decode(JSONValue.self, from: response.body)
    else { throw .unexpectedResponse }
    return value
  }
}
