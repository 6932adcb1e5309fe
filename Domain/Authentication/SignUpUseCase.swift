/// Creates an account and signs the person in, where the provider can.
public protocol SignUpUseCase: Sendable {
  /// Throws ``AuthenticationError/Code/unsupportedMethod`` where the provider cannot.
  @discardableResult
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User
}
