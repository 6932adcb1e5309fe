/// Runs a side effect after each success, before the caller hears of it.
public struct InterceptingUseCase<Upstream: AuthenticationUseCase>: AuthenticationUseCase {
  let upstream: Upstream
  let onSuccess: @Sendable (User) async -> Void

  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    let user = try await upstream.signIn(with: credentials)
    await onSuccess(user)
    return user
  }
}

extension InterceptingUseCase: SignUpUseCase where Upstream: SignUpUseCase {
  public func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    let user = try await upstream.signUp(with: credentials)
    await onSuccess(user)
    return user
  }
}

extension AuthenticationUseCase {
  /// Composes a side effect around this use case; it does not run when the sign-in fails.
  public func intercept(_ onSuccess: @escaping @Sendable (User) async -> Void) -> InterceptingUseCase<Self> {
    InterceptingUseCase(upstream: self, onSuccess: onSuccess)
  }
}
