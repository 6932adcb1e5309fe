package import AuthenticationAccount
import AuthenticationBrowser
package import AuthenticationData
package import AuthenticationDomain
import Foundation

/// Signs in at any OpenID Connect or OAuth 2.1 issuer: in a browser, on another device, or with a password (OpenID
/// Connect Core §3.1, RFC 8628, RFC 6749 §4.3).
///
/// The result of each step is checked before the next one; if a later step fails, the fetched tokens are revoked.
package struct OpenIDConnectProvider: ResumingAuthProvider, ResourceAuthProvider, OpenIDServices {
  let client: OpenIDClient
  let issuer: Issuer
  let environment: AuthProviderConfiguration.Environment
  let nonces: DPoPNonces
  private let pending: PendingAuthorizations<AuthorizationTransaction>
  /// The id of a user about whom the issuer says nothing; nil for a new one at each sign-in.
  private var unnamedUser: String?
  /// Throws if the provider is to refuse an access token; runs before the token is sent anywhere.
  private var accept: @Sendable (AccessToken) throws(AuthenticationError) -> Void = { _ in }

  /// Throws ``AuthenticationError/invalidConfiguration``.
  package init(
    _ client: OpenIDClient, in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) {
    var client = client
    client.furtherResources = environment.resources
    client = try client.validated()
    self.client = client
    self.environment = environment
    nonces = DPoPNonces()
    issuer = try .shared(
      client.issuer, endpoints: client.endpoints, publishesMetadata: client.dialect.plainOAuth == nil,
      tenants: client.dialect.tenants, in: environment)
    pending = PendingAuthorizations(environment.storage, clock: environment.clock)
  }

  /// The same at an issuer that was found in another way.
  ///
  /// - Parameters:
  ///   - id: of a user about whom the issuer says nothing; nil for a new one at each sign-in.
  ///   - nonces: shared with the proofs of requests to the resource.
  ///   - accept: throws if an access token is to be refused; runs before the token is sent anywhere.
  package init(
    _ client: OpenIDClient, at issuer: Issuer, knowingUnnamedUserAs id: String?, nonces: DPoPNonces,
    in environment: AuthProviderConfiguration.Environment,
    accept: @escaping @Sendable (AccessToken) throws(AuthenticationError) -> Void
  ) throws(AuthenticationError) {
    self.client = try client.validated()
    unnamedUser = id
    self.accept = accept
    (self.environment, self.issuer, self.nonces) = (environment, issuer, nonces)
    pending = PendingAuthorizations(environment.storage, clock: environment.clock)
  }

  /// Forgets every browser sign-in that was begun, but not finished, with any issuer of this realm.
  package static func forgetBegunSignIns(in environment: AuthProviderConfiguration.Environment) {
    PendingAuthorizations<AuthorizationTransaction>(environment.storage, clock: environment.clock).removeAll()
  }

  /// Browser and device; a password only if the client allows it by name.
  package var methods: [SignInMethod] {
    client.dialect.methods ?? [.browser, .device] + (client.allowsDiscouragedPasswordGrant ? [.password] : [])
  }

  /// The name of the issuer where it publishes one; nil for a plain OAuth service.
  package var discoveredIssuer: String? { client.dialect.plainOAuth == nil ? client.issuer : nil }

  /// Nil unless its metadata stands for many issuers.
  package var tenants: IssuerTenants? { client.dialect.tenants }

  /// Signs in with ``BrowserSignIn``, ``BrowserReturn`` or ``DeviceSignIn``; with ``PasswordCredentials`` if the client
  /// allows it.
  ///
  /// - Throws: ``AuthenticationError/clientRejected`` with the scopes in its message if the issuer refuses one.
  package func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    if request.createsAccount { throw .signUpUnsupported }
    do throws(AuthenticationError) {
      return try await outcome(of: request.credentials, request.attributes)
    } catch {
      guard error.providerCode == "invalid_scope" else { throw error }
      let metadata = try? await issuer.metadata()
      throw .scopeRefused(of: metadata.map(client.resolved)?.askedScopes ?? [], listed: metadata?.scopes)
    }
  }

  private func outcome(
    of credentials: any Credentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    guard methods.contains(credentials.method) else { throw .unsupportedMethod(credentials.method) }
    return switch credentials {
    case let credentials as BrowserSignIn: .session(try await signIn(inBrowser: credentials, flow(attributes)))
    case let credentials as BrowserReturn: .session(try await redeem(try flow(attributes).accept(credentials.url)))
    case let credentials as DeviceSignIn: .session(try await signIn(onAnotherDevice: credentials))
    case let credentials as PasswordCredentials: .session(try await signIn(withPassword: credentials, attributes))
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  private func signIn(
    inBrowser request: BrowserSignIn, _ flow: AuthorizationCodeFlow
  ) async throws(AuthenticationError) -> AuthSession {
    guard let silent = request.withoutPage else { return try await redeem(try await flow.authorize(request.onPage)) }
    do throws(AuthenticationError) {
      return try await redeem(try await flow.authorize(silent), of: request.hints.returning?.user)
    } catch {
      guard error == .insufficientUserAuthentication else { throw error }
      return try await redeem(try await flow.authorize(request.onPage))
    }
  }

  /// Refreshes with the refresh token (RFC 6749 §6), and with the key to which the session is bound (RFC 9449 §5).
  ///
  /// - Throws: ``AuthenticationError/security`` if the new tokens are not bound to that key, or their ID token
  ///   names another issuer, subject or audience: the response is discarded, and the session is kept.
  package func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await Refresh(provider: self, session: session).tokens().tokens
  }

  /// The same for the access token of another resource (RFC 8707 §2.2), or with fewer scopes (RFC 6749 §6).
  ///
  /// A JWT whose audience (`aud`) is not the resource, nor an address above it, is refused as one for something else:
  /// some issuers ignore parameters that they do not know. Nothing tells that of an opaque token.
  package func refresh(
    _ session: AuthSession, for resource: ProtectedResource
  ) async throws(AuthenticationError) -> ResourceTokens {
    do throws(AuthenticationError) {
      return try await Refresh(provider: self, session: session, resource: resource).tokens()
    } catch {
      let codes: Set = ["invalid_target", "invalid_scope", "invalid_resource", "access_denied"]
      guard let code = error.providerCode, codes.contains(code) else { throw error }
      throw AuthenticationError(
        .resourceRefused, "The issuer gives this session no access token for the resource (\(code)).",
        suggestion: AuthenticationError.resourceRefused.suggestion
      ).with(\.providerCode, code)
    }
  }

  /// Revokes the tokens (RFC 7009), and uses the ID token to end the session at the issuer if that works without a
  /// browser (OpenID Connect RP-Initiated Logout §2).
  ///
  /// To keep other sessions it revokes the access token alone: when the refresh token is revoked, some issuers
  /// end every session of the user with this client (RFC 7009 §2.1). The refresh token is left to expire.
  ///
  /// - Throws: ``AuthenticationError/unsupportedMethod`` if the issuer has no revocation endpoint, refuses this
  ///   client there, or sends a page that asks a user: whether ending the session invalidated its tokens is then
  ///   unknown.
  package func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    let metadata = try await issuer.metadata(with: [.revocation])
    let revocation = Revocation(client: client.resolved(by: metadata), environment: environment)
    if keepingOtherSessions {
      guard let endpoint = metadata.endpoints[.revocation], client.dialect.revocation == .token else { return }
      _ = try await revocation.revoke(tokens.accessOnly, at: endpoint)
      return
    }
    if let endSession = client.dialect.endSession, let refresh = tokens.refresh,
      let endpoint = metadata.endpoints[.endSession]
    {
      return try await endSession(self, refresh, endpoint)
    }
    var refusal: AuthenticationError? = .noRevocation
    if let endpoint = metadata.endpoints[.revocation] { refusal = try await revocation.revoke(tokens, at: endpoint) }
    if let identity = tokens.identity, let endpoint = metadata.endpoints[.endSession] {
      let asks = await endSessionSilently(identity, at: endpoint)
      if asks, metadata.endpoints[.revocation] == nil { refusal = .onlyAsksInBrowser }
    }
    if let refusal { throw refusal }
  }

  func tokenEndpoint() async throws(AuthenticationError) -> TokenEndpoint {
    let metadata = try await issuer.metadata(with: [.token])
    guard let url = metadata.endpoints[.token] else { throw .missing("token") }
    return TokenEndpoint(url: url, client: client.resolved(by: metadata), environment: environment, nonces: nonces)
  }

  /// Forgets every browser sign-in that was begun, but not finished, with this issuer and client.
  package func forgetBegunSignIns() { pending.removeAll() }

  private func flow(_ attributes: Attributes) -> AuthorizationCodeFlow {
    let (client, issuer) = (client, issuer)
    return AuthorizationCodeFlow(client: client, environment: environment, pending: pending, attributes: attributes) {
      () async throws(AuthenticationError) in try await issuer.metadata(signingIn: client)
    }
  }

  /// Exchanges a code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5).
  ///
  /// - Parameter expected: the user who must have signed in; nil for any.
  func redeem(
    _ grant: AuthorizationGrant, of expected: User? = nil
  ) async throws(AuthenticationError) -> AuthSession {
    let transaction = grant.transaction
    var form = FormBody([
      "grant_type": "authorization_code", "code": grant.code.reveal(), "redirect_uri": transaction.redirectURI,
      "code_verifier": transaction.verifier.reveal(),
    ])
    let endpoint = try await tokenEndpoint()
    form.add(nil, of: endpoint.client, besides: transaction.scopes)
    let response = try await endpoint.send(form, provenBy: transaction.proofKey)
    let tokens = try endpoint.tokens(
      of: response, askedFor: transaction.scopes, boundTo: transaction.proofKey, refusal: .codeRefused)
    let session = try await session(with: tokens, from: response, askedFor: transaction.scopes) { expected in
      expected.nonce = transaction.nonce
      expected.requirements = transaction.requirements
      expected.essentialContexts = client.essentialContexts
      expected.code = grant.code
      expected.organization = transaction.organization
    }
    if let expected, !expected.isSame(as: session.user) {
      await discard(tokens, by: environment.clock)
      throw .refused(by: .subject, "The issuer signed in another user than the one who was to go on.")
    }
    return session
  }

  /// Exchanges a password for tokens (RFC 6749 §4.3), which RFC 9700 §2.4 discourages.
  private func signIn(
    withPassword credentials: PasswordCredentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AuthSession {
    let endpoint = try await tokenEndpoint()
    let client = endpoint.client
    var form = FormBody([
      "grant_type": "password", "username": credentials.userName, "password": credentials.password.reveal(),
    ])
    form.add(requestOf: client)
    for name in client.dialect.attributes[.password] ?? [] { form.add(name, attributes[name]?.reveal()) }
    let key = client.newProofKey
    let response = try await endpoint.send(form, provenBy: key)
    if response.isEmptyInvalidGrant { throw .invalidCredentials }
    let tokens = try endpoint.tokens(of: response, askedFor: client.askedScopes, boundTo: key)
    return try await session(with: tokens, from: response, askedFor: client.askedScopes, mayLackIDToken: true)
  }

  /// Signs in with a code that the user types on another device (RFC 8628 §3).
  func signIn(onAnotherDevice credentials: DeviceSignIn) async throws(AuthenticationError) -> AuthSession {
    let endpoint = try await tokenEndpoint()
    let client = endpoint.client
    let authorization = try await authorizeDevice(client)
    let start = environment.clock.uptime
    let key = client.newProofKey
    await credentials.show(authorization.prompt)
    let response = try await authorization.response(from: endpoint, provenBy: key, since: start)
    let scopes = client.askedScopes
    let tokens = try endpoint.tokens(of: response, askedFor: scopes, boundTo: key, refusal: .deviceCodeRefused)
    return try await session(with: tokens, from: response, askedFor: scopes, mayLackIDToken: true)
  }

  private func authorizeDevice(_ client: OpenIDClient) async throws(AuthenticationError) -> DeviceAuthorization {
    guard let url = try await issuer.endpoint(.deviceAuthorization) else { throw .noDeviceAuthorization }
    var form = FormBody()
    form.add(requestOf: client)
    let response = try await environment.httpClient.send(
      HTTPRequest(posting: form, to: url, by: client, in: environment))
    guard response.isGranted else {
      throw OAuthErrorResponseMapper.map(
        response, refusal: .requestRefused, vendor: client.dialect.refusals, now: environment.clock.now)
    }
    return try DeviceAuthorizationResponseMapper.map(response)
  }
}

extension FormBody {
  /// Adds the client's scopes and resources to a request that goes directly to the issuer (RFC 6749 §3.3, RFC 8707
  /// §2.2).
  mutating func add(requestOf client: OpenIDClient) {
    let scopes = client.askedScopes
    add("scope", scopes.isEmpty ? nil : scopes.joined(separator: " "))
    for resource in client.authorizedResources { add("resource", resource) }
    add("audience", client.audience)
  }

  /// Adds whose access token a request to the token endpoint is to get; nil for the session's own.
  ///
  /// - Parameter granted: scopes that were asked for, or granted, besides the client's own.
  mutating func add(_ resource: ProtectedResource?, of client: OpenIDClient, besides granted: [String]) {
    var scopes = resource?.scopes ?? []
    switch client.dialect.resourceNaming {
    case .indicator:
      if let indicator = resource?.indicator {
        add("resource", indicator)
      } else {
        for resource in client.resources { add("resource", resource) }
      }
    case .audience: add("audience", resource?.indicator)
    case .scopes: scopes = client.scopes(of: resource, besides: granted)
    }
    add("scope", scopes.isEmpty ? nil : scopes.joined(separator: " "))
  }
}

extension OpenIDConnectProvider {
  package func validate(_ token: Secret, nonce: String?) async throws(AuthenticationError) -> IDToken {
    var expectations = expectations(at: environment.clock.now)
    expectations.nonce = nonce
    let checked = try await issuer.idToken(token, expecting: expectations)
    try client.dialect.check(token)
    return checked
  }

  /// Creates the session of fetched tokens after everything that came with them is checked; if a check fails, the
  /// tokens are revoked.
  ///
  /// - Parameter mayLackIDToken: for plain OAuth grants, for which OpenID Connect requires no ID token. A check of one
  ///   that is set requires it nevertheless: the dialect's own (``IssuerDialect/checkIdentity``), and `max_age`.
  func session(
    with tokens: SessionTokens, from response: HTTPResponse, askedFor scopes: [String], mayLackIDToken: Bool = false,
    expecting change: (inout IDTokenExpectations) -> Void = { _ in }
  ) async throws(AuthenticationError) -> AuthSession {
    let now = environment.clock.now
    var expectations = expectations(for: tokens, at: now)
    change(&expectations)
    do throws(AuthenticationError) {
      try tokens.checkBinding()
      try accept(tokens.access)
      let isAsked = expectations.requirements.maxAge != nil || expectations.organization != nil
      let isChecked = client.dialect.checkIdentity != nil || isAsked
      guard isChecked || scopes.contains("openid") && !(mayLackIDToken && tokens.identity == nil) else {
        return AuthSession(user: try await userWithoutIDToken(tokens), tokens: tokens.withoutIdentity)
      }
      guard let identity = tokens.identity else {
        throw .refused(
          by: .idToken,
          isChecked ? "No ID token came that could be checked." : "An ID token was asked for, and none came.")
      }
      let token = try await issuer.idToken(identity, expecting: expectations, serverDate: response.date(now: now))
      try client.dialect.check(identity, of: expectations.organization)
      return try await completed(AuthSession(user: token.user, tokens: tokens), of: token, askedFor: scopes)
    } catch {
      let isSignedIn = expectations.requirements != AuthenticationRequirements()
      await discard(tokens, keepingOtherSessions: isSignedIn, by: environment.clock)
      throw error
    }
  }

  /// The expected values for every ID token of this client (OpenID Connect Core §3.1.3.7).
  func expectations(for tokens: SessionTokens? = nil, at now: Date) -> IDTokenExpectations {
    var expectations = IDTokenExpectations(
      issuer: client.issuer, clientID: client.clientID, trustedAudiences: client.trustedAudiences,
      acceptsFurtherAudiences: client.acceptsFurtherAudiences, algorithms: client.algorithms,
      accessToken: tokens?.access.value, now: now, tolerance: client.clockTolerance, tenants: client.dialect.tenants)
    client.dialect.expect(&expectations)
    return expectations
  }

  /// Adds the claims that the UserInfo endpoint has and the ID token lacks. If the endpoint does not respond, the
  /// sign-in still succeeds; if it responds about another user, the sign-in fails.
  private func completed(
    _ session: AuthSession, of token: IDToken, askedFor scopes: [String]
  ) async throws(AuthenticationError) -> AuthSession {
    let user = session.user
    let lacksName = !token.claims.hasFullName && scopes.contains("profile")
    let lacksEmail = user.email == nil && scopes.contains("email")
    let use = client.dialect.userInfo
    guard use == .always || use == .ifLacking && (lacksName || lacksEmail),
      try await issuer.metadata().endpoints[.userInfo] != nil
    else { return session }
    do throws(AuthenticationError) {
      // Claims that are only shown are not worth a longer wait.
      let info = try await AbandonableCall().run(within: .seconds(5), by: environment.clock) {
        _ throws(AuthenticationError) in try await userInfo(for: session)
      }
      let named = User(id: user.id, name: token.claims.hasFullName ? user.name : info.name ?? user.name)
      return AuthSession(user: named.completed(by: user).completed(by: info), tokens: session.tokens)
    } catch {
      guard error != .security, error != .cancelled else { throw error }
      client.onUnusedUserInfo(error)
      return session
    }
  }

  /// Plain OAuth does not identify the user, so the issuer is asked. If it cannot tell, each sign-in gets a new id,
  /// so that two users never get the same one. An outage is thrown: a new id would turn a known user into an unknown
  /// one.
  private func userWithoutIDToken(_ tokens: SessionTokens) async throws(AuthenticationError) -> User {
    if let service = client.dialect.plainOAuth { return try await service.user(of: tokens, in: environment) }
    let metadata = try await issuer.metadata()
    if let endpoint = metadata.endpoints[.userInfo] {
      let response = try await userInfoResponse(for: tokens, at: endpoint)
      do throws(AuthenticationError) {
        guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, now: environment.clock.now) }
        return try UserInfoResponseMapper.map(response)
      } catch {
        if response.status == 429 || (500...599).contains(response.status) { throw error }
        client.onUnusedUserInfo(error)
      }
    }
    if let endpoint = try await issuer.endpoint(.introspection) {
      do throws(AuthenticationError) {
        let token = try await introspect(tokens.access, at: endpoint)
        if token.isActive, let subject = token.subject { return User(id: subject, name: token.userName) }
      } catch  where [.clientRejected, .unexpectedResponse, .endpointMissing].contains(error) {}
    }
    return User(id: unnamedUser ?? Base64URL.encode(environment.randomBytes(16)))
  }
}

/// The issuer's claims about the user, by its UserInfo endpoint (OpenID Connect Core §5.3). Nothing can be changed.
extension OpenIDConnectProvider: AccountProvider {
  package var accountAbilities: Set<AccountAbility> { [.profile] }

  /// The claims of the endpoint; one that it leaves out is kept as it was.
  ///
  /// - Throws: ``AuthenticationError/endpointMissing`` if the issuer has no such endpoint, and
  ///   ``AuthenticationError/security`` with the reason `subject` if it reports another user.
  package func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    if let service = client.dialect.plainOAuth {
      let user = try await service.user(of: session.tokens, in: environment)
      try User.check(user.id, is: session.user.id)
      return user
    }
    return try await userInfo(for: session).completed(by: session.user)
  }
}

extension User {
  /// With the further members of another description of the same account. Whether an address is verified is said
  /// together with the address.
  fileprivate func completed(by other: User) -> User {
    User(
      id: id, name: name ?? other.name, email: email ?? other.email, isNew: isNew || other.isNew,
      isEmailVerified: email == nil ? other.isEmailVerified : isEmailVerified,
      phoneNumber: phoneNumber ?? other.phoneNumber, picture: picture ?? other.picture, locale: locale ?? other.locale,
      createdAt: createdAt ?? other.createdAt, isAnonymous: isAnonymous || other.isAnonymous,
      claims: claims.merging(other.claims) { own, _ in own }, omittedClaims: omittedClaims + other.omittedClaims)
  }
}
