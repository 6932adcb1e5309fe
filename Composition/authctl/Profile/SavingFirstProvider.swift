import AuthenticationKit

/// Renews only what can be stored: this process ends, and a rotated refresh token that it lost would end the session.
struct SavingFirstProvider: ResumingAuthProvider, WrappingAuthProvider {
  let upstream: any RemoteAuthProvider
  let storage: SessionStorage
  private let ends: AsyncStream<Never>
  private let end: AsyncStream<Never>.Continuation

  init(upstream: any RemoteAuthProvider, storage: SessionStorage) {
    self.upstream = upstream
    self.storage = storage
    (ends, end) = AsyncStream.makeStream()
  }

  var methods: [SignInMethod] { upstream.methods }
  var accountAbilities: Set<AccountAbility>? { upstream.accountAbilities }

  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    defer { end.finish() }
    return try await upstream.signIn(with: credentials)
  }

  /// Waits for a sign-in that its caller has left: only then its page and its verifier are gone.
  func signInEnded(within limit: Duration) async {
    let alarm = Task { [end] in
      try await Task.sleep(for: limit)
      end.finish()
    }
    for await _ in ends {}
    alarm.cancel()
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
        allowedOrigins: product.allowedOrigins, proof: product.proof, processes: product.processes)
    }
  }
}
