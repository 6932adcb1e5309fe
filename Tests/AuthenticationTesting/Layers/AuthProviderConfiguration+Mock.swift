public import AuthenticationData
public import AuthenticationDomain

extension AuthProviderConfiguration {
  /// A provider that needs no server: every sign-in has this user, or this failure. For tests, previews and local
  /// work.
  public static func mock(_ result: Result<User, AuthenticationError>) -> Self {
    Self(name: "mock") { environment throws(AuthenticationError) in
      Product(provider: MockAuthProvider(result: result, clock: environment.clock), allowedOrigins: [])
    }
  }
}

/// Accepts any credentials; its tokens last an hour and can always be refreshed.
struct MockAuthProvider: RemoteAuthProvider {
  let result: Result<User, AuthenticationError>
  let clock: any AuthenticationClock

  var createsAccounts: Bool { true }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    .session(AuthSession(user: try result.get(), tokens: .sample(receivedAt: clock.now)))
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    .sample(receivedAt: clock.now)
  }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {}
}
