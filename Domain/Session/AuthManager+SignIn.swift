extension AuthManager: AuthenticationUseCase, SignUpUseCase {
  /// Signs in at the provider, stores the session, then makes it current. Credentials that are blank or malformed are
  /// refused before the provider is asked, whether or not a ``ValidatingUseCase`` stands before it.
  ///
  /// Throws where there is no new session: one that existed is kept until another replaces it. A store that refuses the
  /// new session is no failure: the state says ``ActiveSession/unsaved``, and saving is tried again.
  @discardableResult
  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    let attempt = try beginAttempt(with: credentials)
    let result: Result<SignInOutcome, AuthenticationError>
    do { result = .success(try await provider.signIn(with: credentials)) } catch { result = .failure(error) }
    return try finish(attempt, result)
  }

  /// Creates an account and signs in. Throws ``AuthenticationError/Code/unsupportedMethod`` where the provider cannot.
  @discardableResult
  public func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    guard let provider = provider as? any SignUpProvider else { throw .signUpUnsupported }
    let attempt = try beginAttempt(with: credentials)
    let result: Result<SignInOutcome, AuthenticationError>
    do { result = .success(try await provider.signUp(with: credentials)) } catch { result = .failure(error) }
    return try finish(attempt, result)
  }

  private func beginAttempt(with credentials: any Credentials) throws(AuthenticationError) -> Int {
    try credentials.validate()
    restore()
    perform(machine.handle(.signInStarted))
    return machine.attempt
  }

  private func finish(
    _ attempt: Int, _ result: Result<SignInOutcome, AuthenticationError>
  ) throws(AuthenticationError) -> User {
    restore()
    if case .success(let outcome) = result, Task.isCancelled {
      if case .session(let session) = outcome {
        commit(.tokensOrphaned(session.tokens, of: session.user.id, at: clock.now))
      }
      throw .cancelled
    }
    let isCurrent = attempt == machine.attempt
    commit(.signInAnswered(attempt: attempt, result, at: clock.now))
    switch try result.get() {
    case _ where !isCurrent: throw .superseded
    case .session(let session): return session.user
    case .challenge(let challenge): throw .challengeRequired(challenge)
    }
  }
}
