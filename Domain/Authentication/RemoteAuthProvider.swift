/// Any service that creates, refreshes and ends sessions: your own backend, Firebase, an OpenID Connect issuer.
///
/// A provider holds no session: the caller passes one in. Each call must end within a timeout of the provider's own,
/// since a refresh that never ended would keep every later one waiting. Each failure must be classified: a
/// refresh that throws ``AuthenticationError/sessionRejected`` or ``AuthenticationError/userDisabled`` ends the
/// session; every other error keeps it.
///
/// ```swift
/// struct MembersProvider: RemoteAuthProvider {
///   func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
///     guard let password = request.credentials as? PasswordCredentials, !request.createsAccount else {
///       throw .unsupportedMethod(request.credentials.method)
///     }
///     return .session(try await notes.login(password.userName, password.password.reveal()))
///   }
///   func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
///     try await notes.refresh(session.tokens.refresh)
///   }
///   func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
///     try await notes.logout(tokens)
///   }
/// }
/// ```
public protocol RemoteAuthProvider: Sendable {
  /// The methods whose credentials ``signIn(_:)`` understands. By default user name and password.
  var methods: [SignInMethod] { get }

  /// Whether ``signIn(_:)`` creates accounts. By default false.
  var createsAccounts: Bool { get }

  /// Exchanges credentials for a session or a second step. Calls may overlap. The task is cancelled when its caller
  /// leaves; a session that is returned after that is revoked.
  ///
  /// - Parameter request: what the user presents, and what the call adds.
  /// - Returns: a session, or a second step.
  /// - Throws: ``AuthenticationError/invalidCredentials`` if they are refused,
  ///   ``AuthenticationError/signUpRefused`` if no account is created for them, and
  ///   ``AuthenticationError/unsupportedMethod`` for a kind that the provider does not understand.
  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome

  /// Exchanges the session's refresh token for new tokens (RFC 6749 §6).
  ///
  /// - Parameter session: the session to refresh.
  /// - Returns: the new tokens.
  /// - Throws: ``AuthenticationError/sessionRejected`` only on a well-formed refusal (`invalid_grant`,
  ///   RFC 6749 §5.2, or the provider's own equivalent).
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens

  /// Ends a session at the provider (RFC 7009). Unknown tokens are a success (§2.2).
  ///
  /// - Parameters:
  ///   - tokens: the tokens of the session.
  ///   - keepingOtherSessions: true if the same user is, or may be, signed in with other tokens by now: that session
  ///     must not end with these. A provider that ends one session at a time ignores it.
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError)

  /// Whether ``endSessions(otherThan:)`` works. By default false.
  var endsOtherSessions: Bool { get }

  /// Ends the sessions that the same user has on other devices. By default it throws
  /// ``AuthenticationError/unsupportedMethod``.
  ///
  /// - Parameter session: the session that asks for it, which is revoked afterwards.
  /// - Throws: ``AuthenticationError/accessTokenRefused`` if the access token has expired: it is refreshed, and the
  ///   call is repeated.
  func endSessions(otherThan session: AuthSession) async throws(AuthenticationError)
}

extension RemoteAuthProvider {
  public var methods: [SignInMethod] { [.password] }
  public var createsAccounts: Bool { false }
  public var endsOtherSessions: Bool { false }

  public func endSessions(otherThan session: AuthSession) async throws(AuthenticationError) {
    throw .otherSessionsUnsupported
  }

  /// Revokes the tokens of a sign-in that failed, and waits at most 2 seconds for it. Runs in a separate task: a
  /// cancelled call could not send the request.
  ///
  /// - Parameters:
  ///   - tokens: they will not be used.
  ///   - keepingOtherSessions: true if the user may be signed in already, so that no other session of theirs may end.
  ///   - clock: measures the wait.
  package func discard(
    _ tokens: SessionTokens, keepingOtherSessions: Bool = true, by clock: any AuthenticationClock
  ) async {
    await Task {
      // The work is a task of its own as well: it goes on after the limit.
      try? await AbandonableCall().run(within: .seconds(2), by: clock) { _ in
        await Task { try? await self.revoke(tokens.withoutIdentity, keepingOtherSessions: keepingOtherSessions) }.value
      }
    }.value
  }
}

/// A provider that keeps what a begun sign-in needs later, such as a code verifier (RFC 7636 §4.1).
public protocol ResumingAuthProvider: RemoteAuthProvider {
  /// Forgets what is kept of every sign-in that has begun and not ended; called after a sign-in and after a sign-out.
  /// It may block, as the storage does; what cannot be removed must expire soon.
  func forgetBegunSignIns()
}

/// A provider whose refresh token gets access tokens for several resources (RFC 8707 §2.2).
public protocol ResourceAuthProvider: RemoteAuthProvider {
  /// Exchanges the session's refresh token for an access token of one resource.
  ///
  /// - Parameters:
  ///   - session: the session whose refresh token is sent.
  ///   - resource: what the access token is to be for.
  /// - Returns: the new tokens. A new refresh token is kept even if the access token is not one for the resource.
  /// - Throws: as ``RemoteAuthProvider/refresh(_:)`` does, and ``AuthenticationError/resourceRefused`` if the provider
  ///   gives this session no token for the resource.
  func refresh(
    _ session: AuthSession, for resource: ProtectedResource
  ) async throws(AuthenticationError) -> ResourceTokens
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

extension WrappingAuthProvider {
  package var createsAccounts: Bool { upstream.createsAccounts }
  package var endsOtherSessions: Bool { upstream.endsOtherSessions }

  package func endSessions(otherThan session: AuthSession) async throws(AuthenticationError) {
    try await upstream.endSessions(otherThan: session)
  }
}

extension AuthenticationError {
  static let otherSessionsUnsupported = Self(
    .unsupportedMethod, "This provider cannot end the sessions of other devices.",
    suggestion: "Sign out on this device, or use a provider whose endsOtherSessions is true.")
}

extension RemoteAuthProvider {
  /// Refreshes for one resource, if the provider or what it wraps can do that.
  package func tokens(
    of session: AuthSession, for resource: ProtectedResource
  ) async throws(AuthenticationError) -> ResourceTokens {
    guard let provider = part((any ResourceAuthProvider).self) else {
      throw AuthenticationError(
        .resourceRefused, "This provider gets no access tokens for further resources.",
        suggestion: "Use the session's own token, or a provider that is a ResourceAuthProvider.")
    }
    return try await provider.refresh(session, for: resource)
  }

  /// The provider, or what it wraps, as a type that has an ability.
  package func part<Ability>(_ type: Ability.Type) -> Ability? {
    if let part = self as? Ability { return part }
    return (self as? any WrappingAuthProvider)?.upstream.part(type)
  }
}
