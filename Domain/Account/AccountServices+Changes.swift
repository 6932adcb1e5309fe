extension AccountServices {
  /// Asks with a valid session, and once more with a refreshed one if the provider refuses its access token.
  func withSession<Answer>(
    _ ask: (AuthSession) async throws(AuthenticationError) -> Answer
  ) async throws(AuthenticationError) -> Answer {
    let session = try await manager.validSession(byHand: true)
    do throws(AuthenticationError) {
      let answer = try await ask(session)
      manager.noteProviderReached()
      return answer
    } catch {
      guard error.code == .accessTokenRefused else { throw error }
      return try await ask(try await manager.validSession(rejecting: session.accessToken))
    }
  }

  /// Changes something with a valid session. A caller whose task is cancelled leaves at once; the change goes on, and
  /// what it brings is kept: tokens that nobody took would be lost, and the person signed out.
  func change(
    _ ability: AccountAbility,
    _ ask: @escaping @Sendable (AuthSession) async throws(AuthenticationError) -> AccountStep
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await uninterrupted { () async throws(AuthenticationError) in
      let (step, session) = try await withSession { session throws(AuthenticationError) in
        (try await ask(session), session)
      }
      return try await conclude(ability, step, of: session)
    }
  }

  /// As ``change(_:_:)``, for a change that ends with the provider's response.
  func changeAtOnce(
    _ ability: AccountAbility, _ ask: @escaping @Sendable (AuthSession) async throws(AuthenticationError) -> Void
  ) async throws(AuthenticationError) {
    _ = try await change(ability) { session throws(AuthenticationError) -> AccountStep in
      try await ask(session)
      return .done
    }
  }

  /// The work is never cancelled, only left.
  func uninterrupted<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    try await AbandonableCall<Value>().run(on: manager.taskExecutor) { [manager] _ in
      await Task(executorPreference: manager.taskExecutor) { () async -> Result<Value, AuthenticationError> in
        do throws(AuthenticationError) { return .success(try await work()) } catch { return .failure(error) }
      }.value
    }
  }

  /// Keeps the session that a service returned. One for nobody who is signed in here is revoked.
  ///
  /// - Throws: ``AuthenticationError/Code/security`` if it is the session of another person.
  func conclude(
    _ ability: AccountAbility, _ step: AccountStep, of session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch step {
    case .challenge(let challenge): return .challenge(challenge)
    case .session(let changed) where changed.user.id != session?.user.id:
      await manager.discard(changed)
      if session != nil { throw .otherPerson }
    case .session(let changed): try await manager.take(changed, upgrading: true)
    case .done: break
    }
    await onChange(ability)
    return .done
  }

  /// The session of who is signed in; nil if nobody is.
  func sessionIfAny() async throws(AuthenticationError) -> AuthSession? {
    do throws(AuthenticationError) {
      return try await manager.validSession(byHand: true)
    } catch {
      let isNobody = [.notSignedIn, .sessionExpired, .ambiguousLoss].contains(error.code)
      guard isNobody || error.code.disposition == .endsSession else { throw error }
      return nil
    }
  }
}
