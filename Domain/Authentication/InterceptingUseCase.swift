/// Runs a side effect after each success, before the call returns.
///
/// A caller that is cancelled while the side effect runs gets ``AuthenticationError/Code/cancelled`` immediately. The
/// person stays signed in, as the states show, and the side effect continues in a cancelled task.
public struct InterceptingUseCase<Upstream: AuthenticationUseCase>: AuthenticationUseCase {
  let upstream: Upstream
  let taskExecutor: (any TaskExecutor)?
  let onSuccess: @Sendable (User) async -> Void

  @discardableResult
  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await intercepted(try await upstream.signIn(with: credentials))
  }

  func intercepted(_ user: User) async throws(AuthenticationError) -> User {
    try await AbandonableCall.run(on: taskExecutor) { [onSuccess] () async throws(AuthenticationError) in
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
  ///
  /// - Parameter onSuccess: the side effect, with the person who has signed in.
  public func intercept(_ onSuccess: @escaping @Sendable (User) async -> Void) -> InterceptingUseCase<Self> {
    intercept(on: nil, onSuccess)
  }

  /// - Parameter taskExecutor: where the side effect runs; by default the system's pool.
  package func intercept(
    on taskExecutor: (any TaskExecutor)?, _ onSuccess: @escaping @Sendable (User) async -> Void
  ) -> InterceptingUseCase<Self> {
    InterceptingUseCase(upstream: self, taskExecutor: taskExecutor, onSuccess: onSuccess)
  }
}
