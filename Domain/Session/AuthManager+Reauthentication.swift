extension AuthManager: ReauthenticationUseCase {
  /// Signs in at the provider, and makes the session current only if it is the same user's. An attempt in progress, the
  /// challenge that it asks and the steps that are kept for a relaunch stay as they are; a root removes those steps after
  /// a proof, as after each sign-in.
  ///
  /// A caller whose task is cancelled gets ``AuthenticationError/Code/cancelled`` immediately; tokens that come later
  /// are revoked.
  @discardableResult
  public nonisolated func reauthenticate(
    as user: User, with credentials: any Credentials
  ) async throws(AuthenticationError) -> User {
    try credentials.validate()
    guard credentials.method.identifiesUser else { throw .unsupportedMethod(credentials.method) }
    return try await AbandonableCall<User>().run(on: taskExecutor) { call in
      do throws(AuthenticationError) {
        return .success(try await self.reauthenticate(for: call, as: user, with: credentials))
      } catch {
        return .failure(error)
      }
    }
  }

  private func reauthenticate(
    for call: AbandonableCall<User>, as user: User, with credentials: any Credentials
  ) async throws(AuthenticationError) -> User {
    if call.isAbandoned { throw .cancelled }
    try check(isCurrent: user)
    let startedAt = clock.uptime
    var result: Result<SignInOutcome, AuthenticationError>
    do { result = .success(try await provider.signIn(with: credentials)) } catch { result = .failure(error) }
    if case .success(.session(let session)) = result, session.user.id == user.id {
      do { try await checkSignIn(session) } catch {
        discard(session)
        SignInReceipt.current?.noteRefusal()
        result = .failure(error)
      }
    }
    monitor.report(AuthenticationEvent(.signIn, duration: clock.uptime - startedAt, failure: result.failure))
    guard call.settle() else {
      if case .success(.session(let session)) = result { discard(session) }
      throw .cancelled
    }
    switch try result.get() {
    case .challenge(let challenge): throw .challengeRequired(challenge)
    case .session(let session):
      guard session.user.id == user.id else {
        discard(session)
        SignInReceipt.current?.noteRefusal()
        throw .userMismatch
      }
      transaction { handle(.userProved(session, at: clock.now)) }
      try check(isCurrent: user)
      SignInReceipt.current?.note(machine.record.session)
      return session.user
    }
  }

  private func check(isCurrent user: User) throws(AuthenticationError) {
    let state = readNow()
    if case .unavailable(let error) = state { throw error }
    guard let current = state.user else { throw .notSignedIn }
    if current.id != user.id { throw .superseded }
  }
}
