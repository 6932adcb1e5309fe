import AuthenticationData
public import AuthenticationDomain
import Foundation

extension OpenIDClient {
  /// A service that speaks plain OAuth 2.0 (RFC 6749), and the app as it is registered there. It has no discovery
  /// document and no ID token: an API call returns the user.
  ///
  /// ```swift
  /// var forge = OpenIDClient.oauth(
  ///   name: "forge", clientID: "app", tokenEndpoint: "https://forge.example/oauth/token",
  ///   userEndpoint: "https://forge.example/api/user", authorizationEndpoint: "https://forge.example/oauth/authorize")
  /// forge.presenter = SystemBrowserPresenter()
  /// let root = try MainRoot(.openIDConnect(forge))
  /// ```
  ///
  /// - Parameters:
  ///   - name: names it in logs and status.
  ///   - clientID: the client's id.
  ///   - tokenEndpoint: where tokens come from. Where a service wants a secret, this may be the app's own backend,
  ///     which adds it and passes the request on.
  ///   - userEndpoint: the API call that says whose token it is.
  ///   - authorizationEndpoint: where the user signs in by the browser; nil leaves that out.
  ///   - deviceAuthorizationEndpoint: for a code that the user types on another device (RFC 8628); nil leaves that out.
  ///   - revocationEndpoint: where tokens are revoked (RFC 7009); nil if the service revokes none for this client.
  ///   - scopeSeparator: the separator of the granted scopes, which are sent with spaces.
  ///   - refusals: the meaning of its codes in a sign-in. In a refresh only those count that refuse the client
  ///     (``AuthenticationDomain/AuthenticationError/clientRejected``), besides `sessionEndingCodes`.
  ///   - sessionEndingCodes: with which a refresh ends the session, besides `invalid_grant`.
  ///   - endpoint: the origin of another server, which serves the same paths in place of the vendor's hosts.
  ///   - user: maps the response of the user endpoint; nil if that names no user. A user without an id cannot sign in:
  ///     two could get the same account. By default the members `id` (or `sub`), `name`, `email` and `picture`.
  public static func oauth(
    name: String, clientID: String, tokenEndpoint: String, userEndpoint: String, authorizationEndpoint: String? = nil,
    deviceAuthorizationEndpoint: String? = nil, revocationEndpoint: String? = nil, scopeSeparator: Character = " ",
    refusals: [String: AuthenticationError] = [:], sessionEndingCodes: Set<String> = [], endpoint: String? = nil,
    user: (@Sendable (_ response: [String: JSONValue]) -> User?)? = nil
  ) -> Self {
    var client = Self(issuer: "", clientID: clientID)
    client.scopes = []
    client.endpoints[.token] = tokenEndpoint
    client.endpoints[.authorization] = authorizationEndpoint
    client.endpoints[.deviceAuthorization] = deviceAuthorizationEndpoint
    client.endpoints[.revocation] = revocationEndpoint
    client.dialect = IssuerDialect(name: name, realm: "\(name) \(clientID)")
    client.dialect.refusals = VendorRefusals(refusals.map { ($0.key, nil, $0.value) })
    client.dialect.refreshRefusals = VendorRefusals(
      sessionEndingCodes.map { ($0, nil, .sessionRejected) }
        + refusals.filter { $0.value == .clientRejected }.map { ($0.key, nil, $0.value) })
    client.dialect.plainOAuth = PlainOAuthService(
      userEndpoint: userEndpoint, scopeSeparator: scopeSeparator, map: user ?? PlainOAuthService.usual)
    client.dialect.complete = { client throws(AuthenticationError) in try client.place(at: endpoint) }
    return client
  }

  /// Checks the endpoints of a service of plain OAuth, and moves those of the vendor to the origin that stands in its
  /// place.
  ///
  /// - Parameter exchangesAtBackend: whether the token endpoint is the app's own backend, which is not moved.
  /// - Throws: ``AuthenticationError/invalidConfiguration``, which names the faulty setting without its value.
  private mutating func place(at endpoint: String?, exchangesAtBackend: Bool = false) throws(AuthenticationError) {
    let base = try endpoint.map { text throws(AuthenticationError) in try ServiceURL(text, key: "endpoint").origin }
    let address = { (text: String, key: String, isVendors: Bool) throws(AuthenticationError) in
      let url = try ServiceURL(text, key: key, allowsPath: true)
      guard isVendors, let base else { return url }
      return try ServiceURL("\(base)\(url.url.path())", key: key, allowsPath: true)
    }
    let keys: [(Endpoint, String, SignInMethod?)] = [
      (.authorization, "authorizationEndpoint", .browser),
      (.deviceAuthorization, "deviceAuthorizationEndpoint", .device),
      (.token, "tokenEndpoint", nil), (.revocation, "revocationEndpoint", nil),
    ]
    var methods: [SignInMethod] = []
    for (endpoint, key, method) in keys {
      guard let text = endpoints[endpoint] else { continue }
      let url = try address(text, key, endpoint != .token || !exchangesAtBackend)
      endpoints[endpoint] = url.url.absoluteString
      guard let method else { continue }
      if methods.isEmpty { issuer = url.origin.description }
      methods.append(method)
    }
    guard !methods.isEmpty else {
      throw .invalid("authorizationEndpoint", "is missing, and so is another way to sign in")
    }
    dialect.methods = methods
    guard var service = dialect.plainOAuth else { return }
    let user = try address(service.userEndpoint, "userEndpoint", true)
    service.userEndpoint = user.url.absoluteString
    service.emailsEndpoint = try service.emailsEndpoint.map { text throws(AuthenticationError) in
      try address(text, "emailsEndpoint", true).url.absoluteString
    }
    dialect.plainOAuth = service
    allowedOrigins.insert(user.origin)
  }

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
  /// | verified by | our own dialect server only |
  ///
  /// An OAuth app's token does not expire, and only a backend can revoke it.
  ///
  /// - Parameters:
  ///   - clientID: of the app as it is registered at GitHub.
  ///   - clientSecret: of a program that is not distributed, such as a private command line.
  ///   - exchange: the app's own backend, which adds the secret to the token request and passes it on.
  ///   - endpoint: the origin of another server in place of GitHub's hosts, but not of `exchange`.
  public static func github(
    clientID: String, clientSecret: Secret? = nil, exchange: String? = nil, endpoint: String? = nil
  ) -> Self {
    let hasPage = clientSecret != nil || exchange != nil
    var client = oauth(
      name: "github", clientID: clientID, tokenEndpoint: exchange ?? "https://github.com/login/oauth/access_token",
      userEndpoint: "https://api.github.com/user",
      authorizationEndpoint: hasPage ? "https://github.com/login/oauth/authorize" : nil,
      deviceAuthorizationEndpoint: "https://github.com/login/device/code", scopeSeparator: ",",
      refusals: [
        "bad_verification_code": .codeRefused, "incorrect_client_credentials": .clientRejected,
        "redirect_uri_mismatch": .clientRejected, "unverified_user_email": .unverifiedAddress,
        "incorrect_device_code": .deviceCodeRefused, "device_flow_disabled": .deviceFlowDisabled,
      ], sessionEndingCodes: ["bad_refresh_token"], endpoint: endpoint
    ) { response in
      let members = JSONMembers(response)
      guard let id = members.identifier("id") else { return nil }
      return User(
        id: id, name: members["name"] ?? members["login"], email: members["email"], picture: members["avatar_url"],
        claims: response.filter { $0.key == "login" })
    }
    client.authentication = clientSecret.map(ClientAuthentication.secretPost) ?? .none
    client.scopes = ["read:user", "user:email"]
    client.dialect.complete = { client throws(AuthenticationError) in
      try client.place(at: endpoint, exchangesAtBackend: exchange != nil)
    }
    client.dialect.plainOAuth?.emailsEndpoint = "https://api.github.com/user/emails"
    return client
  }

  /// X, formerly Twitter (https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code); all
  /// of it from the vendor's documents, and nothing tried (check).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | public client | a client without a secret; PKCE is required |
  /// | `GET /2/users/me`, `username` | ``AuthenticationDomain/User``, and the claim `username`; there is no e-mail address |
  /// | `offline.access` | the scope that brings a refresh token, which serves once |
  /// | verified by | our own dialect server only |
  ///
  /// - Parameters:
  ///   - clientID: of the app as it is registered at X.
  ///   - endpoint: the origin of another server in place of X's hosts.
  public static func x(clientID: String, endpoint: String? = nil) -> Self {
    var client = oauth(
      name: "x", clientID: clientID, tokenEndpoint: "https://api.x.com/2/oauth2/token",
      userEndpoint: "https://api.x.com/2/users/me", authorizationEndpoint: "https://x.com/i/oauth2/authorize",
      revocationEndpoint: "https://api.x.com/2/oauth2/revoke", endpoint: endpoint
    ) { response in
      guard let data = JSONMembers(response).members("data"), let id = data.identifier("id") else { return nil }
      return User(id: id, name: data["name"] ?? data["username"], claims: data.values.filter { $0.key == "username" })
    }
    client.scopes = ["users.read", "tweet.read", "offline.access"]
    return client
  }
}

extension AuthenticationError {
  fileprivate static let unverifiedAddress = Self(
    .notVerified, "GitHub asks the user to verify an e-mail address first.",
    suggestion: "Do so in GitHub's settings.")
  fileprivate static let deviceFlowDisabled = Self(
    .unsupportedMethod, "The app at GitHub does not have the device flow switched on.",
    suggestion: "Switch it on in the app's settings.")
}

/// A service of plain OAuth, whose API says whose a token is.
struct PlainOAuthService: Sendable {
  var userEndpoint: String
  /// The addresses of a user whose user endpoint says none.
  var emailsEndpoint: String?
  /// Between the scopes of a token response.
  let scopeSeparator: Character
  let map: @Sendable ([String: JSONValue]) -> User?

  @Sendable static func usual(_ response: [String: JSONValue]) -> User? {
    let members = JSONMembers(response)
    guard let id = members.identifier("id") ?? members.identifier("sub") else { return nil }
    return User(id: id, name: members["name"], email: members["email"], picture: members["picture"])
  }

  /// - Throws: ``AuthenticationError/unexpectedResponse`` if the response names no user,
  ///   ``AuthenticationError/accessTokenRefused`` if the API does not take the token.
  func user(
    of tokens: SessionTokens, in environment: AuthProviderConfiguration.Environment
  ) async throws(AuthenticationError) -> User {
    let response = try await get(userEndpoint, tokens, environment)
    guard case .object(let members) = response, let user = map(members), !user.id.isEmpty else {
      throw .unexpectedResponse
    }
    guard user.email == nil, let emailsEndpoint else { return user }
    // The address is worth no failure: a scope for it may be missing.
    guard case .array(let list) = try? await get(emailsEndpoint, tokens, environment) else { return user }
    let entries = list.compactMap { entry -> JSONMembers? in
      if case .object(let members) = entry { JSONMembers(members) } else { nil }
    }
    guard let primary = entries.first(where: { $0.flag("primary") == true }) else { return user }
    return User(
      id: user.id, name: user.name, email: primary["email"], isEmailVerified: primary.flag("verified"),
      picture: user.picture, claims: user.claims)
  }

  /// With a `User-Agent`, which GitHub requires.
  private func get(
    _ address: String, _ tokens: SessionTokens, _ environment: AuthProviderConfiguration.Environment
  ) async throws(AuthenticationError) -> JSONValue {
    let url = try ServiceURL(address, key: "userEndpoint", allowsPath: true).url
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

extension JSONMembers {
  /// A text, or a whole number as text.
  fileprivate func identifier(_ name: String) -> String? {
    self[name] ?? values[name]?.number.flatMap { Int64(exactly: $0) }.map(String.init)
  }
}
