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
  /// Any number of callers share one renewal, which none of them can cancel; a session that is valid is answered
  /// without waiting for anything.
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
    guard let rejected, session.accessToken == rejected else { return session }
    // What was waited for had begun before the refusal, and ended with the token kept: ask again, now that it is refused.
    await refuse(rejected)
    return try await sharedSession(rejecting: rejected, lasting: wanted)
  }

  private func refuse(_ token: AccessToken) { perform(machine.handle(.accessTokenRefused(token))) }

  private nonisolated func sharedSession(
    rejecting rejected: AccessToken?, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    let uptime = clock.uptime
    if let session = runtime.session(at: uptime, rejecting: rejected, lasting: wanted) { return session }
    let answer = await runtime.renewed(at: uptime, rejecting: rejected, lasting: wanted) { round in
      runtime.limit(round: round, to: patience, by: clock, on: taskExecutor)
      Task.detached(executorPreference: taskExecutor) { await self.renew(rejecting: rejected, lasting: wanted) }
    }
    return try answer.get()
  }
}
