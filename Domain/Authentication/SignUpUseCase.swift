/// Creates an account and signs the person in, if the provider supports it.
///
/// ```swift
/// let user = try await root.manager.signUp(with: .password(userName: name, password: Secret(typed)))
/// ```
public protocol SignUpUseCase: Sendable {
  /// Creates an account and signs in.
  ///
  /// - Parameter credentials: what the person presents.
  /// - Returns: who has signed in.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/unsupportedMethod`` if the provider cannot sign up.
  @discardableResult
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User
}
