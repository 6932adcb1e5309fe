extension AuthenticationError {
  static let proofLost = Self(
    .invalidRequest, "A use case made a new SignInRequest from one that reauthenticates a user; nothing was sent.",
    suggestion: "Pass the request on, or a copy of it with other credentials or attributes.")
}

/// Signs a user in: the one abstract use case that validation, interceptors and the view model compose around.
///
/// ### Choose a use case
///
/// `MainRoot.useCase` validates the credentials, signs in by the manager, and runs the app's action after it.
/// ``AuthManager`` is a use case without these decorators. A view model and the attempts call the use case of their
/// root.
///
/// ### Implement a middleware
///
/// ``intercept(_:)`` runs an action after each success, and ``addValidation()`` refuses malformed credentials: most
/// apps need no other decorator. One that refuses or changes a sign-in is a use case around another one. It passes the
/// request on, or a copy of it: a new ``SignInRequest`` loses the additions of the call, and one that loses
/// ``SignInRequest/reauthenticatedUser`` is refused.
///
/// ```swift
/// struct CountingUseCase<Upstream: AuthenticationUseCase>: AuthenticationUseCase {
///   let upstream: Upstream
///   func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
///     count(request.credentials.method)
///     return try await upstream.signIn(request)
///   }
/// }
/// ```
///
/// ### Errors
///
/// An error reaches the caller and the attempt as it is, and changes no session. A second step is no error but an
/// outcome, ``SignInOutcome/challenge(_:)``; the shorter calls, which return a user, throw it.
///
/// ### Concurrency
///
/// Conforming types state their isolation; a call runs on the caller's executor until it suspends. Several calls may
/// run at the same time: the manager keeps the session of the latest one, and the others end with
/// ``AuthenticationError/superseded``.
public protocol AuthenticationUseCase: Sendable {
  /// Signs in a user, creates an account, or has the user of the session prove that they are present.
  ///
  /// - Parameter request: the credentials, and the additions of the call.
  /// - Returns: the session, or the challenge that the provider asks first.
  /// - Throws: ``AuthenticationError`` if the sign-in failed;
  ///   ``AuthenticationError/unsupportedMethod`` if the provider does not understand the credentials, or creates no
  ///   accounts. In a closure, such as a task's, Swift infers that type only if it is written:
  ///
  ///   ```swift
  ///   Task {
  ///     do throws(AuthenticationError) {
  ///       try await useCase.login(username: name, password: typed)
  ///     } catch {
  ///       show(error.code)
  ///     }
  ///   }
  ///   ```
  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome
}

extension AuthenticationUseCase {
  /// Signs in with a user name and a password.
  ///
  /// - Parameters:
  ///   - username: the user name, as typed.
  ///   - password: the password, as typed.
  /// - Returns: the user.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/challengeRequired`` if the provider asks for a second
  ///   step.
  @discardableResult
  public func login(username: String, password: String) async throws(AuthenticationError) -> User {
    try await signIn(with: .password(userName: username, password: Secret(password)))
  }

  /// Signs in where no second step is expected.
  ///
  /// - Parameter credentials: the user's credentials.
  /// - Returns: the user.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/challengeRequired`` if the provider asks for a second
  ///   step: answer ``AuthenticationError/Details/challenge`` by the same call.
  @discardableResult
  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await signIn(SignInRequest(credentials)).session().user
  }

  /// Creates an account and signs in, where no second step is expected.
  ///
  /// - Parameter credentials: the user's credentials.
  /// - Returns: the user.
  /// - Throws: as ``signIn(with:)`` does; ``AuthenticationError/unsupportedMethod`` if the provider creates no
  ///   accounts.
  @discardableResult
  public func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await signIn(SignInRequest(credentials, createsAccount: true)).session().user
  }

  /// Has the user of the current session prove that they are present.
  ///
  /// If the same user has signed in, the new session replaces the session in one write, since some providers keep the
  /// time of the sign-in in the tokens; the replaced tokens are revoked. In every other case the session stays as it
  /// is, and the tokens of another user are revoked.
  ///
  /// - Parameters:
  ///   - user: the user of the current session.
  ///   - credentials: the user's credentials, or the answer to the challenge of an earlier call.
  /// - Returns: the same user, as the provider now describes them.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/userMismatch`` if another user has signed in,
  ///   ``AuthenticationError/challengeRequired`` for a second step, which is answered by the same call,
  ///   ``AuthenticationError/unsupportedMethod`` for credentials that identify no user, and
  ///   ``AuthenticationError/notSignedIn`` or ``AuthenticationError/superseded`` if the session is not that
  ///   user's.
  @discardableResult
  public func reauthenticate(
    as user: User, with credentials: any Credentials
  ) async throws(AuthenticationError) -> User {
    try await SignInRequest(credentials, reauthenticating: user).send(to: self).session().user
  }

  /// Refuses blank or malformed credentials before they reach this use case.
  public func addValidation() -> some AuthenticationUseCase { ValidatingUseCase(upstream: self) }

  /// Runs a side effect after each success, before the call returns; it does not run when the sign-in fails or asks for
  /// another step.
  ///
  /// A caller that is cancelled while the side effect runs gets ``AuthenticationError/cancelled`` immediately. The
  /// user stays signed in, as the states show, and the side effect continues in a cancelled task.
  ///
  /// - Parameter onSuccess: the side effect, with the signed-in user.
  public func intercept(_ onSuccess: @escaping @Sendable (User) async -> Void) -> some AuthenticationUseCase {
    intercept(on: nil, onSuccess)
  }

  /// - Parameter taskExecutor: where the side effect runs; by default the system's pool.
  package func intercept(
    on taskExecutor: (any TaskExecutor)?, _ onSuccess: @escaping @Sendable (User) async -> Void
  ) -> some AuthenticationUseCase {
    InterceptingUseCase(upstream: self, taskExecutor: taskExecutor, onSuccess: onSuccess)
  }
}

private struct ValidatingUseCase<Upstream: AuthenticationUseCase>: AuthenticationUseCase {
  let upstream: Upstream

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    try request.credentials.validate()
    return try await upstream.signIn(request)
  }
}

private struct InterceptingUseCase<Upstream: AuthenticationUseCase>: AuthenticationUseCase {
  let upstream: Upstream
  let taskExecutor: (any TaskExecutor)?
  let onSuccess: @Sendable (User) async -> Void

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    let outcome = try await upstream.signIn(request)
    guard case .session(let session) = outcome else { return outcome }
    return try await AbandonableCall.run(on: taskExecutor) { [onSuccess] () async throws(AuthenticationError) in
      // A task that the closure begins may sign in elsewhere.
      await SignInRequest.$isReauthenticating.withValue(false) { await onSuccess(session.user) }
      return outcome
    }
  }
}

/// How a user must have signed in, as a resource or the app asks for it (RFC 9470 §3).
public struct AuthenticationRequirements: Sendable, Hashable {
  /// Acceptable authentication context classes, the best first (`acr_values`); empty asks for none. The provider may
  /// sign in otherwise (OpenID Connect Core §3.1.2.1): a sign-in is not refused for its `acr`.
  public let acrValues: [String]
  /// The longest time since the user last signed in, in seconds (`max_age`); nil asks for none.
  public let maxAge: Duration?
  /// Scopes that must be granted besides those that are asked for anyway (`scope`, RFC 6750 §3.1); empty asks for
  /// nothing.
  public let scopes: [String]
  /// The claims that the resource wants from the provider, as JSON (`claims`, OpenID Connect Core §5.5): a claims
  /// challenge of Microsoft Entra ID. Nil asks for nothing.
  public let claims: String?

  /// By default nothing is required.
  public init(acrValues: [String] = [], maxAge: Duration? = nil, scopes: [String] = [], claims: String? = nil) {
    self.acrValues = acrValues
    self.maxAge = maxAge
    self.scopes = scopes
    self.claims = claims
  }
}

extension SignInRequest {
  /// Signs in; a session of another user is no proof, also if a decorator has replaced the credentials.
  func send(to useCase: any AuthenticationUseCase) async throws(AuthenticationError) -> SignInOutcome {
    let result = await Self.$isReauthenticating.withValue(reauthenticatedUser != nil) {
      await Result.of { () async throws(AuthenticationError) in try await useCase.signIn(self) }
    }
    let outcome = try result.get()
    if let user = reauthenticatedUser, case .session(let session) = outcome, !session.user.isSame(as: user) {
      throw .superseded
    }
    return outcome
  }
}
