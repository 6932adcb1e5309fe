import AuthenticationKit

/// Renews only what can be stored: this process ends, and a rotated refresh token that it lost would end the session.
struct SavingFirstProvider: ResumingAuthProvider {
  let upstream: any RemoteAuthProvider
  let storage: SessionStorage

  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    try await upstream.signIn(with: credentials)
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try storage.checkSaving()
    return try await upstream.refresh(session)
  }

  func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {
    try await upstream.revoke(tokens)
  }

  func forgetBegunSignIns() { (upstream as? any ResumingAuthProvider)?.forgetBegunSignIns() }

  func retire(_ tokens: SessionTokens) async throws(AuthenticationError) {
    try await upstream.retire(tokens)
  }
}

extension AuthProviderConfiguration {
  func savingFirst(in storage: SessionStorage) -> Self {
    Self(name: name, realm: realm) { environment throws(AuthenticationError) in
      let product = try make(environment)
      return Product(
        provider: SavingFirstProvider(upstream: product.provider, storage: storage),
        allowedOrigins: product.allowedOrigins, proof: product.proof)
    }
  }
}
