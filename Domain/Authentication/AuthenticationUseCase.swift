/// Signs a person in: the one abstract use case that validation, interceptors and the view model compose around.
///
/// Conforming types state their isolation; a call runs on the caller's executor until it suspends.
public protocol AuthenticationUseCase: Sendable {
  /// Signs in a person.
  ///
  /// - Returns: who it is.
  /// - Throws: ``AuthenticationError``, where nobody new is signed in. In a closure, such as a task's, Swift infers that
  ///   type only where it is written:
  ///
  ///   ```swift
  ///   Task {
  ///     do throws(AuthenticationError) {
  ///       try await useCase.signIn(with: credentials)
  ///     } catch {
  ///       show(error.code)
  ///     }
  ///   }
  ///   ```
  @discardableResult
  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User
}

extension AuthenticationUseCase {
  /// Signs in with a user name and a password, under the ancestor's name.
  @discardableResult
  public func login(username: String, password: String) async throws(AuthenticationError) -> User {
    try await signIn(with: .password(userName: username, password: Secret(password)))
  }
}
