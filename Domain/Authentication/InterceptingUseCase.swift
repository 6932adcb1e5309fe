/// Runs a side effect after each success, before the caller hears of it.
///
/// A caller who is cancelled while it runs gets ``AuthenticationError/Code/cancelled`` at once. Who is signed in stays
/// signed in, as the states say, and the side effect goes on in a task that is cancelled.
public struct InterceptingUseCase<Upstream: AuthenticationUseCase>: AuthenticationUseCase {
  let upstream: Upstream
  let onSuccess: @Sendable (User) async -> Void

  @discardableResult
  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await intercepted(try await upstream.signIn(with: credentials))
  }

  private func intercepted(_ user: User) async throws(AuthenticationError) -> User {
    try await AbandonableCall.run { [onSuccess] () async throws(AuthenticationError) in
      await onSuccess(user)
      return user
    }
  }
}

extension InterceptingUseCase: SignUpUseCase where Upstream: SignUpUseCase {
  @discardableResult
  public func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await intercepted(try await upstream.signUp(with: credentials))
  }
}

extension AuthenticationUseCase {
  /// Composes a side effect around this use case; it does not run when the sign-in fails.
  public func intercept(_ onSuccess: @escaping @Sendable (User) async -> Void) -> InterceptingUseCase<Self> {
    InterceptingUseCase(upstream: self, onSuccess: onSuccess)
  }
}
