extension AuthManager: SessionSource {
  /// A session whose access token is valid, renewed first where it must be.
  ///
  /// Inlinable, so that a caller who finds a valid one makes no asynchronous call.
  @inlinable
  public nonisolated func validSession() async throws(AuthenticationError) -> AuthSession {
    if let session = usableSession { return session }
    return try await validSession(rejecting: nil, lasting: nil)
  }

  @usableFromInline
  nonisolated var usableSession: AuthSession? { runtime.session(at: clock.uptime, renewEarly: { renewEarly() }) }

  @inlinable
  public nonisolated func validSession(
    rejecting rejected: AccessToken?
  ) async throws(AuthenticationError) -> AuthSession {
    if rejected == nil, let session = usableSession { return session }
    return try await validSession(rejecting: rejected, lasting: nil)
  }

  /// A session whose access token is valid for longer than `wanted`, by default for longer than its
  /// ``AccessToken/renewalLeeway``.
  ///
  /// Any number of callers share one refresh, which none of them can cancel; a session that is valid is returned without
  /// waiting for anything. Once a refresh has shown that no token of this provider lasts for `wanted`, half of its lifetime is enough.
  ///
  /// - Throws: ``AuthenticationError``; where the refresh fails and the token does not last for `wanted`, why it failed.
  public nonisolated func validSession(
    rejecting rejected: AccessToken? = nil, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    if let rejected, runtime.ignoresRefusal(of: rejected, at: clock.uptime) { throw .accessTokenRefused }
    return try await renewedSession(rejecting: rejected, lasting: wanted)
  }

  /// As ``validSession(rejecting:lasting:)``, where the provider itself has refused the token.
  nonisolated func renewedSession(
    rejecting rejected: AccessToken?, lasting wanted: Duration? = nil
  ) async throws(AuthenticationError) -> AuthSession {
    let session = try await sharedSession(rejecting: rejected, lasting: wanted)
    if let rejected, session.accessToken == rejected {
      await refuse(rejected)
    } else if !isTooShort(session, for: wanted) {
      return session
    }
    // What was waited for had begun for somebody else, and ended with a token that is not enough here: ask again.
    return try await sharedSession(rejecting: rejected, lasting: wanted)
  }

  private func refuse(_ token: AccessToken) { perform(machine.handle(.accessTokenRefused(token))) }

  private nonisolated func isTooShort(_ session: AuthSession, for wanted: Duration?) -> Bool {
    guard wanted != nil, session.tokens.refresh != nil else { return false }
    return runtime.session(at: clock.uptime, rejecting: nil, lasting: wanted) == nil
  }

  private nonisolated func sharedSession(
    rejecting rejected: AccessToken?, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    let uptime = clock.uptime
    if let session = runtime.session(at: uptime, rejecting: rejected, lasting: wanted) { return session }
    let answer = await runtime.renewed(at: uptime, rejecting: rejected, lasting: wanted) { round in
      runtime.limit(round: round, to: patience, by: clock, on: taskExecutor)
      Task.detached(executorPreference: taskExecutor) { await self.renew(rejecting: rejected, lasting: wanted) }
    }
    return try answer.get(lasting: wanted, at: clock.uptime)
  }
}
