/// Refuses blank or malformed credentials before anything is sent.
public struct ValidatingUseCase<Upstream: AuthenticationUseCase>: AuthenticationUseCase {
  let upstream: Upstream

  @discardableResult
  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try credentials.validate()
    return try await upstream.signIn(with: credentials)
  }
}

extension ValidatingUseCase: SignUpUseCase where Upstream: SignUpUseCase {
  @discardableResult
  public func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try credentials.validate()
    return try await upstream.signUp(with: credentials)
  }
}

extension AuthenticationUseCase {
  /// Validates credentials before they reach this use case.
  public func addValidation() -> ValidatingUseCase<Self> { ValidatingUseCase(upstream: self) }
}
