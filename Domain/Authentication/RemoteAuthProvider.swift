/// A service that creates, refreshes and ends sessions: your backend, Firebase, an OpenID Connect issuer.
///
/// ``AuthManager`` is its only caller. The manager decides when to call, stores the result, and shares one refresh
/// among all callers; the provider translates one call into requests, and one response into a value or an error. It
/// holds no session.
///
/// ### Choose a provider
///
/// Most apps write none. `AuthProviderConfiguration` has a line for a JSON backend (`.api`, with an `APIContract` for
/// another shape), for any OpenID Connect issuer and its vendors, for Firebase, Supabase and Cognito. Write an adapter
/// for a service with another protocol, and pass it as `.custom(provider, realm:)`.
///
/// ### Implement a provider
///
/// Three calls suffice. ``methods`` lists the credentials that the first one takes, by default user name and password.
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
///
/// A second step is a ``Challenge`` as the outcome; the next request has a ``ChallengeAnswer`` as its credentials.
/// `ProviderConformance` of `AuthenticationTesting` checks an adapter against a script, or against a running server.
///
/// ### Implement a middleware
///
/// A provider that wraps another one forwards every requirement, those with a default included: the compiler does not
/// ask for these.
///
/// ```swift
/// struct AuditedProvider<Upstream: RemoteAuthProvider>: RemoteAuthProvider {
///   let upstream: Upstream
///   var methods: [SignInMethod] { upstream.methods }
///   var createsAccounts: Bool { upstream.createsAccounts }
///   var endsOtherSessions: Bool { upstream.endsOtherSessions }
///
///   func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
///     log("sign-in by \(request.credentials.method.id)")
///     return try await upstream.signIn(request)
///   }
///   func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
///     try await upstream.refresh(session)
///   }
///   func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
///     try await upstream.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
///   }
///   func endSessions(otherThan session: AuthSession) async throws(AuthenticationError) {
///     try await upstream.endSessions(otherThan: session)
///   }
/// }
/// ```
///
/// A rule around the sign-in alone is an ``AuthenticationUseCase``; a rule of all requests is a decorator of the HTTP
/// client.
///
/// ### Errors
///
/// An error of ``refresh(_:)`` decides whether the user stays signed in. ``AuthenticationError/sessionRejected`` and
/// ``AuthenticationError/userDisabled`` end the session; every other error keeps it. Throw these two only for a
/// well-formed refusal (`invalid_grant`), never for a status alone, since a proxy or an overloaded server sends any
/// status. Put the service's code into ``AuthenticationError/Details/providerCode``, and no other text of a response
/// into an error.
///
/// ### Concurrency
///
/// A provider is `Sendable`, and its calls are not isolated. Sign-ins and revocations may overlap with each other and
/// with a refresh; the manager sends one refresh at a time, and holds a lock against other processes meanwhile. Each
/// call must end within a timeout of the provider, since a refresh that never ended would keep every later one waiting.
/// Pass a cancellation on: the task of ``signIn(_:)`` is cancelled when its caller leaves, and a session that is
/// returned after that is revoked.
public protocol RemoteAuthProvider: Sendable {
  /// The methods whose credentials ``signIn(_:)`` understands. By default user name and password.
  var methods: [SignInMethod] { get }

  /// Whether ``signIn(_:)`` creates accounts. By default false.
  var createsAccounts: Bool { get }

  /// Exchanges credentials for a session or a second step.
  ///
  /// - Parameter request: the credentials, and the attributes and hints of the call.
  /// - Returns: a session, or a second step.
  /// - Throws: ``AuthenticationError/invalidCredentials`` if they are refused, ``AuthenticationError/signUpRefused`` if
  ///   no account is created for them, and ``AuthenticationError/unsupportedMethod`` for a kind that the provider does
  ///   not understand, before anything is sent.
  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome

  /// Exchanges the session's refresh token for new tokens (RFC 6749 §6).
  ///
  /// - Parameter session: the session to refresh.
  /// - Returns: the new tokens; without a refresh token among them the one in use stays.
  /// - Throws: ``AuthenticationError/sessionRejected`` only on a well-formed refusal (`invalid_grant`, RFC 6749 §5.2,
  ///   or the provider's equivalent), ``AuthenticationError/sessionExpired`` for a session without a refresh token.
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens

  /// Ends a session at the provider (RFC 7009). Unknown tokens are a success (§2.2).
  ///
  /// - Parameters:
  ///   - tokens: the tokens of the session.
  ///   - keepingOtherSessions: true if the same user is, or may be, signed in with other tokens by now: that session
  ///     must not end with these. A provider that ends one session at a time ignores it.
  /// - Throws: an error after which the revocation is sent again later. A service without revocation returns.
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
      // The work is a separate task as well: it continues after the limit.
      try? await AbandonableCall().run(within: .seconds(2), by: clock) { _ in
        await Task { try? await self.revoke(tokens.withoutIdentity, keepingOtherSessions: keepingOtherSessions) }.value
      }
    }.value
  }
}

/// A provider that keeps data of a begun sign-in, such as a code verifier (RFC 7636 §4.1).
///
/// The data belongs to one sign-in, must survive a relaunch, and is useless after its end. Keep it in the secure
/// storage that the configuration's environment has, with an expiry of some minutes.
///
/// ### Implement the removal
///
/// ```swift
/// extension NotesProvider: ResumingAuthProvider {
///   public func forgetBegunSignIns() { try? storage.delete("code verifier") }
/// }
/// ```
///
/// A provider that wraps another one conforms as well, and forwards the call: the manager asks the outermost provider
/// alone.
///
/// ### Concurrency
///
/// The manager calls it after each sign-in that made a session and after each sign-out, from an executor that may
/// block. A sign-in that is pending then loses its data as well.
public protocol ResumingAuthProvider: RemoteAuthProvider {
  /// Forgets the data of every sign-in that has begun and not ended; called after a sign-in and after a sign-out.
  /// It may block, as the storage does; data that cannot be removed must expire soon.
  func forgetBegunSignIns()
}

/// A provider whose refresh token gets access tokens for several resources (RFC 8707 §2.2).
///
/// ### Choose separate tokens
///
/// Implement it if the service issues a separate access token for each API. The session's own token can be sent to
/// further origins without it: `MainRoot.Options.allowedOrigins`. A provider that wraps another one conforms as well,
/// and forwards the call; otherwise each resource is refused.
///
/// ### Implement the refresh
///
/// The new refresh token is kept, also if the access token is not one for the resource: then return
/// ``ResourceTokens/init(_:refusal:)`` with the refusal.
///
/// ```swift
/// extension NotesProvider: ResourceAuthProvider {
///   public func refresh(
///     _ session: AuthSession, for resource: ProtectedResource
///   ) async throws(AuthenticationError) -> ResourceTokens {
///     throw .resourceRefused  // this service has one token for all of its APIs
///   }
/// }
/// ```
///
/// ### Errors
///
/// A failure of one resource does not affect the session: throw ``AuthenticationError/resourceRefused`` for a resource
/// that the provider refuses, and ``AuthenticationError/sessionRejected`` only if it refuses the refresh token itself.
///
/// ### Concurrency
///
/// ``AuthManager`` asks for a resource's token when a call needs it, one refresh after the other, since a refresh token
/// that is replaced at each use must not be sent twice.
public protocol ResourceAuthProvider: RemoteAuthProvider {
  /// Exchanges the session's refresh token for an access token of one resource.
  ///
  /// - Parameters:
  ///   - session: the session whose refresh token is sent.
  ///   - resource: the resource of the access token.
  /// - Returns: the new tokens. A new refresh token is kept even if the access token is not one for the resource.
  /// - Throws: as ``RemoteAuthProvider/refresh(_:)`` does, and ``AuthenticationError/resourceRefused`` if the provider
  ///   gives this session no token for the resource.
  func refresh(
    _ session: AuthSession, for resource: ProtectedResource
  ) async throws(AuthenticationError) -> ResourceTokens
}

/// A provider that can check whether a session is still valid there.
///
/// ### Implement the check
///
/// Return false only for a well-formed refusal, such as a 401 with a challenge: the session is then refreshed once, and
/// the provider asked again; it ends only if the refresh is rejected.
///
/// ```swift
/// struct CheckedNotesProvider: SessionValidatingProvider {
///   let upstream: NotesProvider
///   let client: any HTTPClient
///
///   func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool {
///     let authorization = session.accessToken.authorization.reveal()
///     let response = try await client.send(HTTPRequest(.get, url, headers: ["Authorization": authorization]))
///     if response.isSuccess { return true }
///     if response.status == 401, response.headers["WWW-Authenticate"] != nil { return false }
///     throw .unexpectedResponse
///   }
///   func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
///     try await upstream.signIn(request)
///   }
///   func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
///     try await upstream.refresh(session)
///   }
///   func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
///     try await upstream.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
///   }
/// }
/// ```
///
/// A provider that wraps another one conforms as well, and forwards the call: the manager asks the outermost provider
/// alone.
///
/// ### Errors
///
/// Every failure but a refusal is an error, which ``AuthManager/isValid()`` throws to its caller. A refused access
/// token is false, and not ``AuthenticationError/accessTokenRefused``. ``AuthenticationError/sessionRejected`` and
/// ``AuthenticationError/userDisabled`` count as false there.
///
/// ### Concurrency
///
/// The call is not isolated, and calls may overlap with each other and with every other call of the provider. The
/// caller of ``AuthManager/isValid()`` leaves at once when its task is cancelled.
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
  /// Refreshes for one resource, if the provider or a wrapped one can do that.
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

  /// The provider, or a wrapped one, as a type that has an ability.
  package func part<Ability>(_ type: Ability.Type) -> Ability? {
    if let part = self as? Ability { return part }
    return (self as? any WrappingAuthProvider)?.upstream.part(type)
  }
}
