/// Signs a person in: the one abstract use case that validation, interceptors and the view model compose around.
///
/// Conforming types state their isolation; a call runs on the caller's executor until it suspends.
public protocol AuthenticationUseCase: Sendable {
  /// Signs in and answers who it is. Throws where nobody new is signed in; see ``AuthenticationError/Code``.
  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User
}

extension AuthenticationUseCase {
  /// Signs in with a user name and a password, under the ancestor's name.
  @discardableResult
  public func login(username: String, password: String) async throws(AuthenticationError) -> User {
    try await signIn(with: .password(userName: username, password: Secret(password)))
  }
}
