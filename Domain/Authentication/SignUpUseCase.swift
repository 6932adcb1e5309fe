/// Creates an account and signs the person in, if the provider supports it.
public protocol SignUpUseCase: Sendable {
  /// Creates an account and signs in.
  ///
  /// - Parameter credentials: what the person presents.
  /// - Returns: who has signed in.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/unsupportedMethod`` if the provider cannot sign up.
  @discardableResult
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User
}
