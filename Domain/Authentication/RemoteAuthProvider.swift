/// Any service that creates, renews and ends sessions: your own backend, Firebase, an OpenID Connect issuer.
///
/// A provider holds no session: it is given one and answers, each time within a bound of its own, since a renewal that
/// never ended would keep every later one waiting. Each failure must be classified, for only
/// ``AuthenticationError/Code/sessionRejected`` ends a session; every other error keeps it.
public protocol RemoteAuthProvider: Sendable {
  /// Exchanges credentials for a session or a second step. Calls may overlap. The task is cancelled once its caller has
  /// given up; a session that is returned all the same is revoked.
  ///
  /// Throws ``AuthenticationError/Code/invalidCredentials`` where they are refused, and
  /// ``AuthenticationError/Code/unsupportedMethod`` for a kind it does not understand.
  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome

  /// Renews the tokens. Throws ``AuthenticationError/Code/sessionRejected`` only on a well-formed refusal
  /// (`invalid_grant`, RFC 6749 §5.2, or the provider's own equivalent).
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens

  /// Ends a session at the provider (RFC 7009). Unknown tokens are a success (§2.2).
  func revoke(_ tokens: SessionTokens) async throws(AuthenticationError)

  /// Takes back tokens of a person who is, or may be, signed in with others by now: that session must not end with them.
  /// By default the same as ``revoke(_:)``, for a provider that ends one session at a time.
  func retire(_ tokens: SessionTokens) async throws(AuthenticationError)
}

extension RemoteAuthProvider {
  public func retire(_ tokens: SessionTokens) async throws(AuthenticationError) { try await revoke(tokens) }
}

/// What a provider answers to credentials: a session, or a second step.
public enum SignInOutcome: Sendable, Equatable {
  /// Signed in.
  case session(AuthSession)
  /// Not signed in yet: a ``ChallengeAnswer`` to this goes on.
  case challenge(Challenge)
}

/// A provider that can create accounts.
public protocol SignUpProvider: RemoteAuthProvider {
  /// Creates the account and signs in to it, or asks for a second step.
  ///
  /// Throws ``AuthenticationError/Code/signUpRefused`` where the provider will not create it, and
  /// ``AuthenticationError/Code/unsupportedMethod`` for credentials it does not understand.
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome
}

/// A provider that keeps what a sign-in must find again after a relaunch, such as a code verifier (RFC 7636 §4.1).
public protocol ResumingAuthProvider: RemoteAuthProvider {
  /// Forgets every sign-in that was begun and has not ended; called after a sign-in and after a sign-out. It may block as
  /// the storage does; what cannot be removed must be worthless soon.
  func forgetBegunSignIns()
}

/// A provider that can say whether a session is still good there.
public protocol SessionValidatingProvider: RemoteAuthProvider {
  /// False only on a well-formed refusal; an outage throws.
  func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool
}
