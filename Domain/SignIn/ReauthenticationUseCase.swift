import Synchronization

/// Has the user of the current session prove that they are present.
///
/// ```swift
/// try await root.manager.reauthenticate(as: user, with: .password(userName: name, password: Secret(typed)))
/// ```
public protocol ReauthenticationUseCase: Sendable {
  /// Signs in at the provider, and stores nothing unless it is the same user.
  ///
  /// If it is, the new session replaces the session in one write, since some providers keep the time of the sign-in in
  /// the tokens; the replaced tokens are revoked. In every other case the session stays as it is, and the tokens of
  /// another user are revoked.
  ///
  /// - Parameters:
  ///   - user: the user of the current session.
  ///   - credentials: what the user presents, or the answer to the challenge of an earlier call.
  /// - Returns: the same user, as the provider now describes them.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/userMismatch`` if another user has signed in,
  ///   ``AuthenticationError/Code/challengeRequired`` for a second step, which is answered by the same call,
  ///   ``AuthenticationError/Code/unsupportedMethod`` for credentials that identify no user, and
  ///   ``AuthenticationError/Code/notSignedIn`` or ``AuthenticationError/Code/superseded`` if the session is not that
  ///   user's.
  @discardableResult
  func reauthenticate(as user: User, with credentials: any Credentials) async throws(AuthenticationError) -> User
}

extension ValidatingUseCase: ReauthenticationUseCase where Upstream: ReauthenticationUseCase {
  @discardableResult
  public func reauthenticate(
    as user: User, with credentials: any Credentials
  ) async throws(AuthenticationError) -> User {
    try credentials.validate()
    return try await upstream.reauthenticate(as: user, with: credentials)
  }
}

extension InterceptingUseCase: ReauthenticationUseCase where Upstream: ReauthenticationUseCase {
  /// Runs the side effect as after a sign-in: the session is a new one.
  @discardableResult
  public func reauthenticate(
    as user: User, with credentials: any Credentials
  ) async throws(AuthenticationError) -> User {
    try await intercepted(try await upstream.reauthenticate(as: user, with: credentials))
  }
}

extension SignInAttempts {
  /// Attempts that prove who is signed in: each ends as signed in only for this user, and stores nothing for another one.
  ///
  /// They are independent of the attempt in progress, offer only methods that identify a user, keep no step for a
  /// relaunch, and create no account. ``cancel()`` ends them, too.
  ///
  /// - Parameter user: the user of the current session.
  /// - Returns: attempts without methods if the use case cannot prove it, or if the user is anonymous.
  public func reauthenticating(_ user: User) -> SignInAttempts {
    let proof = ProvingUseCase(user: user, upstream: reauthentication)
    let isPossible = reauthentication != nil && !user.isAnonymous
    let attempts = SignInAttempts(
      isPossible ? processes.filter(\.identifiesUser) : [], useCase: proof, pending: nil, links: links,
      clock: dependencies.clock, dropChallenge: { _ in }, makeID: dependencies.makeID,
      taskExecutor: dependencies.taskExecutor)
    let former = contents.withLock { contents in
      defer { contents.reauthenticating = attempts }
      return contents.reauthenticating
    }
    former?.current?.end(.replaced)
    return attempts
  }
}

/// A proof as attempts ask for it.
private struct ProvingUseCase: AuthenticationUseCase {
  let user: User
  let upstream: (any ReauthenticationUseCase)?

  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    guard let upstream else { throw .unsupportedMethod(credentials.method) }
    return try await upstream.reauthenticate(as: user, with: credentials)
  }
}

extension SignInProcess {
  fileprivate var identifiesUser: Bool { method.identifiesUser && presented.identifiesUser }
}

extension AuthenticationError {
  /// Another user has signed in than the one whose session it is.
  public static let userMismatch = Self(
    .userMismatch, "Another user has signed in than the one whose session it is; the session was not changed.",
    suggestion: "Let the user of the session sign in again.")
}
