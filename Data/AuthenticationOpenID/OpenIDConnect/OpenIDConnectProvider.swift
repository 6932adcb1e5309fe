import AuthenticationData
public import AuthenticationDomain

/// Signs in at any OpenID Connect or OAuth 2.1 issuer: in a browser, on another device, or with a password (OpenID
/// Connect Core §3.1, RFC 8628, RFC 6749 §4.3).
///
/// The result of each step is checked before the next one; what was fetched is revoked again where a later step fails.
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
    issuer = try .shared(client.issuer, endpoints: client.endpoints, in: environment)
    pending = PendingAuthorizations(environment.storage, clock: environment.clock)
  }

  /// ``BrowserSignIn``, ``BrowserReturn`` and ``DeviceSignIn``; ``PasswordCredentials`` where the client says so.
  ///
  /// Throws ``AuthenticationError/Code/clientRejected`` with the scopes in its message where the issuer refuses one.
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
    switch credentials {
    case let credentials as BrowserSignIn: .session(try await redeem(try await flow.authorize(credentials)))
    case let credentials as BrowserReturn: .session(try await redeem(try await flow.resume(credentials.url)))
    case let credentials as DeviceSignIn: .session(try await signIn(onAnotherDevice: credentials))
    case let credentials as PasswordCredentials where client.allowsDiscouragedPasswordGrant:
      .session(try await signIn(withPassword: credentials))
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  /// Renews with the refresh token (RFC 6749 §6), and with the key the session is bound to (RFC 9449 §5).
  ///
  /// Throws ``AuthenticationError/Code/security`` if the answer is not bound to the key it was asked for with, or its ID
  /// token names another issuer, subject or audience: it is discarded, and the session is kept.
  public func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await Refresh(provider: self, session: session).tokens()
  }

  /// Revokes the tokens (RFC 7009), and with the ID token ends the session at the issuer where it takes that without a
  /// browser (OpenID Connect RP-Initiated Logout §2).
  ///
  /// Throws ``AuthenticationError/Code/unsupportedMethod`` if the issuer revokes nothing for this client: what the end
  /// of the session did to its tokens is not known then.
  public func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {
    let metadata = try await issuer.metadata(with: [\.revocationEndpoint])
    var isRevoked = false
    if let endpoint = metadata.revocationEndpoint {
      let client = client.resolved(by: metadata)
      isRevoked = try await Revocation(client: client, environment: environment).revoke(tokens, at: endpoint)
    }
    if let identity = tokens.identity, let endpoint = metadata.endSessionEndpoint {
      await endSessionSilently(identity, at: endpoint)
    }
    if !isRevoked { throw .irrevocable }
  }

  /// Revokes the access token alone: with the refresh token some issuers (Keycloak) end every session of the person with
  /// this client (RFC 7009 §2.1). The refresh token is left to its own end.
  public func retire(_ tokens: SessionTokens) async throws(AuthenticationError) {
    let metadata = try await issuer.metadata(with: [\.revocationEndpoint])
    guard let endpoint = metadata.revocationEndpoint else { return }
    let client = client.resolved(by: metadata)
    _ = try await Revocation(client: client, environment: environment).revoke(tokens.accessOnly, at: endpoint)
  }

  func tokenEndpoint() async throws(AuthenticationError) -> TokenEndpoint {
    let metadata = try await issuer.metadata(with: [\.tokenEndpoint])
    guard let url = metadata.tokenEndpoint else { throw .missing("token") }
    return TokenEndpoint(
      url: url, client: client.resolved(by: metadata), environment: environment, nonces: nonces)
  }

  /// Takes back tokens that nobody will use, and keeps nobody waiting for it longer than 2 seconds. In a task of its own:
  /// a call that was cancelled could not send it.
  ///
  /// - Parameter isSparing: where the person is signed in already, so that nothing else of theirs may end.
  func discard(_ tokens: SessionTokens, isSparing: Bool) async {
    let task = Task { isSparing ? try? await retire(tokens) : try? await revoke(tokens.withoutIdentity) }
    await Task { await environment.clock.wait(for: task, atMost: .seconds(2)) }.value
  }

  /// Forgets every browser sign-in that was begun with this issuer and client.
  public func forgetBegunSignIns() { pending.removeAll() }

  private var flow: AuthorizationCodeFlow {
    AuthorizationCodeFlow(client: client, issuer: issuer, environment: environment, pending: pending)
  }
}
