import AuthenticationData
import AuthenticationDomain

/// The random values of a transaction, generated before its redirect URI is known: 256 bits each, 43 characters (RFC
/// 7636 §4.1, §7.1; RFC 9700 §4.7.1).
struct AuthorizationDraft: Sendable, Redacted {
  let client: OpenIDClient
  let environment: AuthProviderConfiguration.Environment
  let state: String
  let nonce: String
  let verifier: Secret
  let proofKey: ProofKey?

  init(client: OpenIDClient, environment: AuthProviderConfiguration.Environment) {
    self.client = client
    self.environment = environment
    state = Base64URL.encode(environment.randomBytes(32))
    nonce = Base64URL.encode(environment.randomBytes(32))
    verifier = Secret(Base64URL.encode(environment.randomBytes(32)))
    proofKey = client.bindsTokens ? ProofOfPossessionKey().stored : nil
  }

  func transaction(
    redirectURI: String, for request: BrowserSignIn, expectsIssuer: Bool
  ) -> AuthorizationTransaction {
    let needsConsent = request.prompt.isEmpty && client.needsConsent
    return transaction(redirectURI, request, needsConsent ? [.consent] : request.prompt, expectsIssuer)
  }

  private func transaction(
    _ redirectURI: String, _ request: BrowserSignIn, _ prompt: [BrowserSignIn.Prompt], _ expectsIssuer: Bool
  ) -> AuthorizationTransaction {
    AuthorizationTransaction(
      state: state, nonce: nonce, verifier: verifier, issuer: client.issuer, clientID: client.clientID,
      redirectURI: redirectURI, startedAt: environment.clock.now, scopes: client.askedScopes,
      requirements: request.requirements, prompt: prompt.map(\.value), proofKey: proofKey, expectsIssuer: expectsIssuer)
  }
}
