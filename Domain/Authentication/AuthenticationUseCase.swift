/// Signs a person in: the one abstract use case that validation, interceptors and the view model compose around.
///
/// Conforming types state their isolation; a call runs on the caller's executor until it suspends.
///
/// ```swift
/// struct CountingUseCase<Upstream: AuthenticationUseCase>: AuthenticationUseCase {
///   let upstream: Upstream
///   func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
///     count(credentials.method)
///     return try await upstream.signIn(with: credentials)
///   }
/// }
/// ```
public protocol AuthenticationUseCase: Sendable {
  /// Signs in a person.
  ///
  /// - Parameter credentials: what the person presents.
  /// - Returns: who has signed in.
  /// - Throws: ``AuthenticationError`` if the sign-in failed. In a closure, such as a task's, Swift infers that type
  ///   only if it is written:
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
  /// Signs in with a user name and a password.
  ///
  /// - Parameters:
  ///   - username: the user name, as typed.
  ///   - password: the password, as typed.
  /// - Returns: who has signed in.
  /// - Throws: ``AuthenticationError``, as ``signIn(with:)`` does.
  @discardableResult
  public func login(username: String, password: String) async throws(AuthenticationError) -> User {
    try await signIn(with: .password(userName: username, password: Secret(password)))
  }
}
