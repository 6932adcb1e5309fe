import AuthenticationData
import AuthenticationDomain

extension OpenIDConnectProvider {
  /// Exchanges a code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5).
  ///
  /// - Parameter person: who must have signed in; nil if anybody may.
  func redeem(
    _ grant: AuthorizationGrant, of person: User? = nil
  ) async throws(AuthenticationError) -> AuthSession {
    let transaction = grant.transaction
    var form = FormBody([
      "grant_type": "authorization_code", "code": grant.code.reveal(), "redirect_uri": transaction.redirectURI,
      "code_verifier": transaction.verifier.reveal(),
    ])
    for resource in client.resources { form.add("resource", resource) }
    let endpoint = try await tokenEndpoint()
    let response = try await endpoint.send(form, provenBy: transaction.proofKey)
    let tokens = try endpoint.tokens(
      of: response, askedFor: transaction.scopes, boundTo: transaction.proofKey, refusal: .codeRefused)
    let session = try await session(with: tokens, from: response, askedFor: transaction.scopes) { expected in
      expected.nonce = transaction.nonce
      expected.requirements = transaction.requirements
      expected.essentialContexts = client.essentialContexts
      expected.code = grant.code
    }
    if let person, person.id != session.user.id {
      await discard(tokens, isSparing: true)
      throw .refused(by: .subject, "The issuer signed in somebody else than the person who was to go on.")
    }
    return session
  }

  /// Exchanges a password for tokens (RFC 6749 §4.3), which RFC 9700 §2.4 discourages.
  func signIn(withPassword credentials: PasswordCredentials) async throws(AuthenticationError) -> AuthSession {
    let endpoint = try await tokenEndpoint()
    let client = endpoint.client
    var form = FormBody([
      "grant_type": "password", "username": credentials.userName, "password": credentials.password.reveal(),
    ])
    form.add(requestOf: client)
    for name in client.dialect.passwordAttributes { form.add(name, SignInAttributes.current[name]?.reveal()) }
    let key = newProofKey()
    let response = try await endpoint.send(form, provenBy: key)
    if response.isWordlessRefusal { throw .invalidCredentials }
    let tokens = try endpoint.tokens(of: response, askedFor: client.askedScopes, boundTo: key)
    return try await session(with: tokens, from: response, askedFor: client.askedScopes, mayLackIDToken: true)
  }

  /// Signs in with a code that the person types on another device (RFC 8628 §3).
  func signIn(onAnotherDevice credentials: DeviceSignIn) async throws(AuthenticationError) -> AuthSession {
    let endpoint = try await tokenEndpoint()
    let client = endpoint.client
    let authorization = try await authorizeDevice(client)
    let start = environment.clock.uptime
    let key = newProofKey()
    await credentials.show(authorization.prompt)
    let response = try await authorization.answer(from: endpoint, provenBy: key, since: start)
    let scopes = client.askedScopes
    let tokens = try endpoint.tokens(of: response, askedFor: scopes, boundTo: key, refusal: .deviceCodeRefused)
    return try await session(with: tokens, from: response, askedFor: scopes, mayLackIDToken: true)
  }

  private func authorizeDevice(_ client: OpenIDClient) async throws(AuthenticationError) -> DeviceAuthorization {
    guard let url = try await issuer.endpoint(\.deviceAuthorizationEndpoint) else {
      throw .missing("device authorization")
    }
    var form = FormBody()
    form.add(requestOf: client)
    let response = try await environment.httpClient.send(HTTPRequest(posting: form, to: url, by: client))
    guard response.isSuccess else {
      let now = environment.clock.now
      throw client.dialect.refusals.meaning(of: response, now: now)
        ?? OAuthErrorResponseMapper.map(response, refusal: .requestRefused, now: now)
    }
    return try DeviceAuthorizationResponseMapper.map(response)
  }

  func newProofKey() -> ProofKey? { client.bindsTokens ? ProofOfPossessionKey().stored : nil }
}

extension FormBody {
  /// Adds the client's scopes and resources to a request that goes directly to the issuer (RFC 6749 §3.3, RFC 8707
  /// §2.2).
  mutating func add(requestOf client: OpenIDClient) {
    let scopes = client.askedScopes
    add("scope", scopes.isEmpty ? nil : scopes.joined(separator: " "))
    for resource in client.resources { add("resource", resource) }
    add("audience", client.audience)
  }
}
