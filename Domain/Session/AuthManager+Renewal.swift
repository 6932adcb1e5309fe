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
    // A renewal that had begun before the refusal failed, and the token was kept: ask again, now that it is refused.
    return try await sharedSession(rejecting: rejected, lasting: wanted)
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
    return try answer.get()
  }

  private func renew(
    rejecting rejected: AccessToken?, lasting wanted: Duration?, isEarly: Bool = false
  ) async {
    restore()
    // A token that is renewed early, or settled, counts as one that is about to end.
    let leeway = isEarly || mustSettleFirst ? machine.record.session?.accessToken.renewalLeeway : nil
    let left = self.remaining
    let remaining = leeway.map { min(left ?? $0, $0) } ?? left
    let effects = machine.handle(.renewalRequested(rejected: rejected, remaining: remaining, wanted: wanted))
    perform(effects)
    for case .refresh(let session, let generation) in effects {
      let wasOvertaken = await refresh(session, generation: generation)
      if wasOvertaken { await renew(rejecting: nil, lasting: nil) }
    }
  }

  private nonisolated func renewEarly() {
    Task.detached(executorPreference: taskExecutor) { await self.renewIfEarly() }
  }

  /// What was due when a caller saw it may have been done since.
  private func renewIfEarly() async {
    let canRenew = machine.record.session?.tokens.refresh != nil
    guard let point = timing.renewEarlyAt(canRenew: canRenew), clock.uptime >= point else { return }
    await renew(rejecting: nil, lasting: nil, isEarly: true)
  }

  /// Renews under the lock that other processes respect. True where the session is no longer the one
  /// that was to be renewed.
  private func refresh(_ session: AuthSession, generation: Int) async -> Bool {
    if let refusal = timing.refusal(at: clock.uptime) {
      perform(machine.handle(.refreshNotSent(generation: generation, refusal, remaining: remaining)))
      return false
    }
    do throws(AuthenticationError) {
      try await acquireLock()
    } catch {
      return notSent(session, generation: generation, because: error)
    }
    defer { releaseLock() }
    while true {
      if let unread = begin(generation) { return notSent(session, generation: generation, because: unread) }
      guard machine.generation == generation else { return true }
      var result: Result<SessionTokens, AuthenticationError>
      if let rejection = takePendingRejection(of: generation) {
        result = .failure(rejection)
      } else {
        do { result = .success(try await provider.refresh(session)) } catch { result = .failure(error) }
      }
      // What another process did meanwhile, a sign-out above all, is not overwritten.
      var wasOvertaken = false
      let effects = exclusively {
        lockedOut = readStoreAgain(suspicion: result.rejection != nil) ?? lockedOut
        wasOvertaken = machine.generation != generation
        if let lockedOut, let rejection = result.rejection, !wasOvertaken {
          pendingRejection = (generation, rejection)
          result = .failure(lockedOut)
        }
        return answered(result, of: session, generation)
      }
      guard effects.contains(where: \.isRefresh) else { return wasOvertaken }
    }
  }

  private func takePendingRejection(of generation: Int) -> AuthenticationError? {
    defer { pendingRejection = nil }
    return pendingRejection.flatMap { $0.generation == generation ? $0.error : nil }
  }

  private func notSent(_ session: AuthSession, generation: Int, because error: AuthenticationError) -> Bool {
    timing.noteFailure(error, of: session.accessToken, at: clock.uptime, backoff: backoff)
    perform(machine.handle(.refreshNotSent(generation: generation, error, remaining: remaining)))
    // Those who wait would otherwise not hear of a session that came while the lock was awaited.
    return machine.generation != generation
  }

  /// Writes the journal. Answers why the token may not be sent: who cannot read may hold one that was replaced, and who
  /// is kept out does not know what is being written. A full disk stops nobody, although a loss in a crash at this moment
  /// would then look like a plain refusal: a session that cannot be renewed at all is worse.
  private func begin(_ generation: Int) -> AuthenticationError? {
    exclusively {
      if let refusal = lockedOut ?? readStoreAgain() { return refusal }
      perform(machine.handle(.refreshBegan(generation: generation, at: clock.now)))
      return nil
    }
  }

  private func answered(
    _ result: Result<SessionTokens, AuthenticationError>, of session: AuthSession, _ generation: Int
  ) -> [SessionMachine.Effect] {
    let effects = machine.handle(
      .refreshAnswered(
        generation: generation, result, of: session.user.id, remaining: remaining, at: clock.now))
    if case .failure(let error) = result, !effects.contains(where: \.isRefresh) {
      timing.noteFailure(error, of: session.accessToken, at: clock.uptime, backoff: backoff)
    }
    perform(effects)
    return effects
  }

  var remaining: Duration? { timing.endsAt.map { $0 - clock.uptime } }
}

extension SessionMachine.Effect {
  fileprivate var isRefresh: Bool {
    if case .refresh = self { true } else { false }
  }
}

extension Result<SessionTokens, AuthenticationError> {
  /// Perhaps because somebody else has used the refresh token.
  fileprivate var rejection: AuthenticationError? {
    if case .failure(let error) = self, error.code == .sessionRejected { error } else { nil }
  }
}
