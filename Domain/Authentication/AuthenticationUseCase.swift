/// Signs a user in: the one abstract use case that validation, interceptors and the view model compose around.
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
  /// Signs in a user.
  ///
  /// - Parameter credentials: what the user presents.
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

/// Creates an account and signs the user in, if the provider supports it.
///
/// ```swift
/// let user = try await root.manager.signUp(with: .password(userName: name, password: Secret(typed)))
/// ```
public protocol SignUpUseCase: Sendable {
  /// Creates an account and signs in.
  ///
  /// - Parameter credentials: what the user presents.
  /// - Returns: who has signed in.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/unsupportedMethod`` if the provider cannot sign up.
  @discardableResult
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User
}

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

/// How a user must have signed in, as a resource or the app asks for it (RFC 9470 §3).
public struct AuthenticationRequirements: Sendable, Hashable {
  /// Acceptable authentication context classes, the best first (`acr_values`); empty asks for none. The provider may
  /// sign in otherwise (OpenID Connect Core §3.1.2.1): a sign-in is not refused for what its `acr` says.
  public let acrValues: [String]
  /// The longest time since the user last signed in, in seconds (`max_age`); nil asks for none.
  public let maxAge: Duration?

  /// By default nothing is required.
  public init(acrValues: [String] = [], maxAge: Duration? = nil) {
    self.acrValues = acrValues
    self.maxAge = maxAge
  }
}

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
  /// - Parameter onSuccess: the side effect, with the user who has signed in.
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
