public import AuthenticationDomain

/// The manager of a ``MainRoot``: what it signs in is validated first, and ``MainRoot/Options/onSignIn`` runs after it.
///
/// It is an ``AuthManager`` behind the root's decorators. An `AuthManager` of your own has none until you compose them.
///
/// ```swift
/// let user = try await root.manager.signIn(with: .password(userName: name, password: Secret(password)))
/// for await state in root.manager.states() { show(state) }
/// ```
public struct RootManager: Sendable {
  let manager: AuthManager
  package let attempts: SignInAttempts
  private let decorated: ValidatingUseCase<InterceptingUseCase<AuthManager>>

  /// - Parameters:
  ///   - taskExecutor: where side effects run; by default the system's pool.
  ///   - makeAttempts: composes the ways to sign in over the decorated use case; they end with the session.
  package init(
    _ manager: AuthManager, _ pending: any PendingSignInStore, taskExecutor: (any TaskExecutor)? = nil,
    onSignIn: @escaping @Sendable (User) async -> Void = { _ in },
    attempts makeAttempts: (any AuthenticationUseCase & SignUpUseCase) -> SignInAttempts
  ) {
    self.manager = manager
    decorated =
      manager.intercept(on: taskExecutor) { user in
        await pending.removeAll()
        await onSignIn(user)
      }
      .addValidation()
    attempts = makeAttempts(decorated)
  }
}

extension RootManager: AuthenticationUseCase, SignUpUseCase {
  @discardableResult
  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await decorated.signIn(with: credentials)
  }

  @discardableResult
  public func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await decorated.signUp(with: credentials)
  }
}

extension RootManager: ReauthenticationUseCase {
  /// As ``AuthManager/reauthenticate(as:with:)``; ``MainRoot/Options/onSignIn`` runs after it, since the session is new.
  @discardableResult
  public func reauthenticate(
    as user: User, with credentials: any Credentials
  ) async throws(AuthenticationError) -> User {
    try await decorated.reauthenticate(as: user, with: credentials)
  }
}
