import AuthenticationData
public import AuthenticationDomain

/// Signs in at any OpenID Connect or OAuth 2.1 issuer: in a browser, on another device, or with a password (OpenID
/// Connect Core §3.1, RFC 8628, RFC 6749 §4.3).
///
/// The result of each step is checked before the next one; if a later step fails, the fetched tokens are revoked.
///
/// ```swift
/// if let issuer = root.provider as? OpenIDConnectProvider {
///   let info = try await issuer.userInfo(for: root.manager.validSession())
/// }
/// ```
public struct OpenIDConnectProvider: ResumingAuthProvider {
  let client: OpenIDClient
  let issuer: Issuer
  let environment: AuthProviderConfiguration.Environment
  let nonces = DPoPNonces()
  private let pending: PendingAuthorizations

  /// Throws ``AuthenticationError/Code/invalidConfiguration``.
  init(
    _ client: OpenIDClient, in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) {
    self.client = try client.validated()
    self.environment = environment
    issuer = try .shared(
      client.issuer, endpoints: client.endpoints, publishesMetadata: client.dialect.publishesMetadata, in: environment)
    pending = PendingAuthorizations(environment.storage, clock: environment.clock)
  }

  /// Browser and device; a password only if the client allows it by name.
  public var methods: [SignInMethod] {
    client.dialect.methods ?? [.browser, .device] + (client.allowsDiscouragedPasswordGrant ? [.password] : [])
  }

  /// What it is called where it publishes who it is; nil for a plain OAuth service that does not.
  package var discoveredIssuer: String? { client.dialect.publishesMetadata ? client.issuer : nil }

  /// Signs in with ``BrowserSignIn``, ``BrowserReturn`` or ``DeviceSignIn``; with ``PasswordCredentials`` if the client
  /// allows it.
  ///
  /// - Throws: ``AuthenticationError/Code/clientRejected`` with the scopes in its message if the issuer refuses one.
  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    do throws(AuthenticationError) {
      return try await outcome(of: credentials)
    } catch {
      guard error.providerCode == "invalid_scope" else { throw error }
      let metadata = try? await issuer.metadata()
      throw .scopeRefused(of: metadata.map(client.resolved)?.askedScopes ?? [], listed: metadata?.scopes)
    }
  }

  private func outcome(of credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    guard methods.contains(credentials.method) else { throw .unsupportedMethod(credentials.method) }
    return switch credentials {
    case let credentials as BrowserSignIn: .session(try await signIn(inBrowser: credentials))
    case let credentials as BrowserReturn: .session(try await redeem(try await flow.resume(credentials.url)))
    case let credentials as DeviceSignIn: .session(try await signIn(onAnotherDevice: credentials))
    case let credentials as PasswordCredentials: .session(try await signIn(withPassword: credentials))
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  private func signIn(inBrowser request: BrowserSignIn) async throws(AuthenticationError) -> AuthSession {
    guard let silent = request.withoutPage else { return try await redeem(try await flow.authorize(request.onPage)) }
    do throws(AuthenticationError) {
      return try await redeem(try await flow.authorize(silent), of: request.returning?.user)
    } catch {
      guard error.code == .insufficientUserAuthentication else { throw error }
      return try await redeem(try await flow.authorize(request.onPage))
    }
  }

  /// Refreshes with the refresh token (RFC 6749 §6), and with the key to which the session is bound (RFC 9449 §5).
  ///
  /// - Throws: ``AuthenticationError/Code/security`` if the new tokens are not bound to that key, or their ID token
  ///   names another issuer, subject or audience: the response is discarded, and the session is kept.
  public func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await Refresh(provider: self, session: session).tokens()
  }

  /// Revokes the tokens (RFC 7009), and uses the ID token to end the session at the issuer if that works without a
  /// browser (OpenID Connect RP-Initiated Logout §2).
  ///
  /// - Throws: ``AuthenticationError/Code/unsupportedMethod`` if the issuer has no revocation endpoint, refuses this
  ///   client there, or answers with a page that asks a user: whether ending the session invalidated its tokens is then
  ///   unknown.
  public func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {
    let metadata = try await issuer.metadata(with: [\.revocationEndpoint])
    if client.dialect.endsSessionByRefreshToken, let refresh = tokens.refresh,
      let endpoint = metadata.endSessionEndpoint
    {
      return try await endSession(of: refresh, at: endpoint)
    }
    var refusal: AuthenticationError? = .noRevocation
    if let endpoint = metadata.revocationEndpoint {
      let client = client.resolved(by: metadata)
      refusal = try await Revocation(client: client, environment: environment).revoke(tokens, at: endpoint)
    }
    if let identity = tokens.identity, let endpoint = metadata.endSessionEndpoint {
      let asks = await endSessionSilently(identity, at: endpoint)
      if asks, metadata.revocationEndpoint == nil { refusal = .onlyAsksInBrowser }
    }
    if let refusal { throw refusal }
  }

  /// Revokes the access token alone: when the refresh token is revoked, some issuers (Keycloak) end every session of
  /// the person with this client (RFC 7009 §2.1). The refresh token is left to expire.
  public func retire(_ tokens: SessionTokens) async throws(AuthenticationError) {
    let metadata = try await issuer.metadata(with: [\.revocationEndpoint])
    guard let endpoint = metadata.revocationEndpoint, !client.dialect.revokesRefreshTokensOnly else { return }
    let client = client.resolved(by: metadata)
    _ = try await Revocation(client: client, environment: environment).revoke(tokens.accessOnly, at: endpoint)
  }

  func tokenEndpoint() async throws(AuthenticationError) -> TokenEndpoint {
    let metadata = try await issuer.metadata(with: [\.tokenEndpoint])
    guard let url = metadata.tokenEndpoint else { throw .missing("token") }
    return TokenEndpoint(
      url: url, client: client.resolved(by: metadata), environment: environment, nonces: nonces)
  }

  /// Revokes tokens that will not be used, and waits at most 2 seconds for it. Runs in a separate task: a cancelled
  /// call could not send the request.
  ///
  /// - Parameter isSparing: true if the person is already signed in, so that no other session of theirs may end.
  func discard(_ tokens: SessionTokens, isSparing: Bool) async {
    let task = Task { isSparing ? try? await retire(tokens) : try? await revoke(tokens.withoutIdentity) }
    await Task { await environment.clock.wait(for: task, atMost: .seconds(2)) }.value
  }

  /// Forgets every browser sign-in that was begun, but not finished, with this issuer and client.
  public func forgetBegunSignIns() { pending.removeAll() }

  private var flow: AuthorizationCodeFlow {
    AuthorizationCodeFlow(client: client, issuer: issuer, environment: environment, pending: pending)
  }
}
