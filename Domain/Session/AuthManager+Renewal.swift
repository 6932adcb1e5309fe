extension AuthManager {
  func renew(
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
      if wasOvertaken, runtime.isAwaited { await renew(rejecting: nil, lasting: wanted) }
    }
  }

  nonisolated func renewEarly() {
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
    var holdsLock = true
    defer { if holdsLock { releaseLock() } }
    while true {
      if let lock, !lock.isStillHeld {
        // The process was suspended meanwhile, and another one may be renewing.
        holdsLock = false
        do { try await acquireLock() } catch { return notSent(session, generation: generation, because: error) }
        holdsLock = true
      }
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
