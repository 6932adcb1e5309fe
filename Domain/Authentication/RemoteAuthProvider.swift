/// Any service that creates, refreshes and ends sessions: your own backend, Firebase, an OpenID Connect issuer.
///
/// A provider holds no session: the caller passes one in. Each call must end within a timeout of the provider's own,
/// since a refresh that never ended would keep every later one waiting. Each failure must be classified: only
/// ``AuthenticationError/Code/sessionRejected`` ends a session; every other error keeps it.
///
/// ```swift
/// struct MembersProvider: RemoteAuthProvider {
///   func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
///     guard let password = credentials as? PasswordCredentials else { throw .unsupportedMethod(credentials.method) }
///     return .session(try await notes.login(password.userName, password.password.reveal()))
///   }
///   func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
///     try await notes.refresh(session.tokens.refresh)
///   }
///   func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) { try await notes.logout(tokens) }
/// }
/// ```
public protocol RemoteAuthProvider: Sendable {
  /// The methods whose credentials ``signIn(with:)`` understands. By default user name and password.
  var methods: [SignInMethod] { get }

  /// The account services that work at this service, among those that the type conforms to; nil if all of them do.
  var accountAbilities: Set<AccountAbility>? { get }

  /// Exchanges credentials for a session or a second step. Calls may overlap. The task is cancelled when its caller
  /// leaves; a session that is returned after that is revoked.
  ///
  /// - Parameter credentials: what the user presents.
  /// - Returns: a session, or a second step.
  /// - Throws: ``AuthenticationError/Code/invalidCredentials`` if they are refused, and
  ///   ``AuthenticationError/Code/unsupportedMethod`` for a kind that the provider does not understand.
  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome

  /// Exchanges the session's refresh token for new tokens (RFC 6749 §6).
  ///
  /// - Parameter session: the session to refresh.
  /// - Returns: the new tokens.
  /// - Throws: ``AuthenticationError/Code/sessionRejected`` only on a well-formed refusal (`invalid_grant`,
  ///   RFC 6749 §5.2, or the provider's own equivalent).
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens

  /// Ends a session at the provider (RFC 7009). Unknown tokens are a success (§2.2).
  func revoke(_ tokens: SessionTokens) async throws(AuthenticationError)

  /// Revokes tokens of a user who is, or may be, signed in with other tokens by now: that session must not end with
  /// them. By default the same as ``revoke(_:)``, for a provider that ends one session at a time.
  func retire(_ tokens: SessionTokens) async throws(AuthenticationError)
}

extension RemoteAuthProvider {
  public var methods: [SignInMethod] { [.password] }
  public var accountAbilities: Set<AccountAbility>? { nil }

  public func retire(_ tokens: SessionTokens) async throws(AuthenticationError) { try await revoke(tokens) }
}

/// What a provider returns for credentials: a session, or a second step.
public enum SignInOutcome: Sendable, Equatable {
  /// Signed in.
  case session(AuthSession)
  /// Not signed in yet: a ``ChallengeAnswer`` to this continues the sign-in.
  case challenge(Challenge)
}

/// A provider that can create accounts.
public protocol SignUpProvider: RemoteAuthProvider {
  /// Creates the account and signs in to it, or asks for a second step.
  ///
  /// - Parameter credentials: what the user presents.
  /// - Returns: a session, or a second step.
  /// - Throws: ``AuthenticationError/Code/signUpRefused`` if the provider refuses to create the account, and
  ///   ``AuthenticationError/Code/unsupportedMethod`` for credentials that it does not understand.
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome
}

/// A provider that keeps what a begun sign-in needs later, such as a code verifier (RFC 7636 §4.1).
public protocol ResumingAuthProvider: RemoteAuthProvider {
  /// Forgets what is kept of every sign-in that has begun and not ended; called after a sign-in and after a sign-out.
  /// It may block, as the storage does; what cannot be removed must expire soon.
  func forgetBegunSignIns()
}

/// A provider that can check whether a session is still valid there.
public protocol SessionValidatingProvider: RemoteAuthProvider {
  /// Checks whether a session is still valid at the provider.
  ///
  /// - Parameter session: the session to check.
  /// - Returns: false only on a well-formed refusal.
  /// - Throws: ``AuthenticationError`` if the provider cannot be reached or fails.
  func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool
}

/// A provider around another one, whose abilities it passes on.
package protocol WrappingAuthProvider: RemoteAuthProvider {
  var upstream: any RemoteAuthProvider { get }
}

extension RemoteAuthProvider {
  /// The provider, or what it wraps, as a type that has an ability.
  func part<Ability>(_ type: Ability.Type) -> Ability? {
    if let part = self as? Ability { return part }
    return (self as? any WrappingAuthProvider)?.upstream.part(type)
  }
}
