import AuthenticationDomain

/// A provider that nothing in a measurement may reach.
struct UnusedProvider: RemoteAuthProvider {
  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome { throw .unused }
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens { throw .unused }
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) { throw .unused }
}

extension AuthenticationError {
  fileprivate static let unused = Self(.unsupportedMethod, "A measurement reached the provider.")
}
