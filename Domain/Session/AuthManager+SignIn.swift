extension AuthManager: AuthenticationUseCase, SignUpUseCase {
  /// Signs in at the provider, stores the session, then makes it current. Credentials that are blank or malformed are
  /// refused before the provider is asked, with or without a ``ValidatingUseCase`` around the manager.
  ///
  /// If the store refuses the new session, the sign-in still succeeds: ``ActiveSession/unsaved`` says why, and saving
  /// is tried again. A caller whose task is cancelled gets ``AuthenticationError/Code/cancelled`` immediately, whatever
  /// the provider and the store do; tokens that come later are revoked.
  ///
  /// - Parameter credentials: what the person presents.
  /// - Returns: who has signed in.
  /// - Throws: ``AuthenticationError`` if there is no new session; one that existed is kept until another replaces it.
  @discardableResult
  public nonisolated func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await attempt(.signIn(provider), with: credentials)
  }

  /// Creates an account and signs in, as ``signIn(with:)`` does.
  ///
  /// - Parameter credentials: what the person presents.
  /// - Returns: who has signed in.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/unsupportedMethod`` if the provider cannot sign up.
  @discardableResult
  public nonisolated func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    guard let provider = provider.part((any SignUpProvider).self) else { throw .signUpUnsupported }
    return try await attempt(.signUp(provider), with: credentials)
  }

  private nonisolated func attempt(
    _ intent: SignInIntent, with credentials: any Credentials
  ) async throws(AuthenticationError) -> User {
    try credentials.validate()
    if credentials is UnlockCredentials {
      return try await AbandonableCall.run(on: taskExecutor) { () async throws(AuthenticationError) in
        try await self.unlock()
      }
    }
    return try await AbandonableCall<User>().run(on: taskExecutor) { call in
      do throws(AuthenticationError) {
        return .success(try await self.signIn(for: call, intent, with: credentials))
      } catch {
        return .failure(error)
      }
    }
  }

  private func signIn(
    for call: AbandonableCall<User>, _ intent: SignInIntent, with credentials: any Credentials
  ) async throws(AuthenticationError) -> User {
    if call.isAbandoned { throw .cancelled }
    let state = readNow()
    if let existing = credentials as? ExistingSession, let user = state.usableUser, user.id == existing.session.user.id
    {
      guard call.settle() else { throw .cancelled }
      SignInReceipt.current?.note(state.session)
      return user
    }
    handle(.signInStarted)
    let attempt = machine.attempt
    let startedAt = clock.uptime
    var result: Result<SignInOutcome, AuthenticationError>
    // The app or another library keeps such a session: whatever becomes of it here, its tokens are not revoked.
    let isAdopted = credentials is ExistingSession
    if let existing = credentials as? ExistingSession {
      result = .success(.session(existing.session))
    } else {
      do { result = .success(try await intent.send(credentials)) } catch { result = .failure(error) }
    }
    var refused: AuthSession?
    if case .success(.session(let session)) = result {
      do { try await checkSignIn(session) } catch { (refused, result) = (session, .failure(error)) }
    }
    monitor.report(AuthenticationEvent(.signIn, duration: clock.uptime - startedAt, failure: result.failure))
    if result.showsReach { noteProviderReached() }
    // Whoever a store that was unavailable holds is known before the answer counts.
    readNow()
    if let refused { refuse(isAdopted ? nil : refused, of: attempt) }
    guard call.settle() else {
      if !isAdopted, case .success(.session(let session)) = result { discard(session) }
      throw .cancelled
    }
    let isCurrent = attempt == machine.attempt
    // Before it is published: who follows the states then knows whose attempt made it.
    if isCurrent, case .success(.session(let session)) = result { SignInReceipt.current?.note(session) }
    transaction { handle(.signInAnswered(attempt: attempt, result, at: clock.now)) }
    switch try result.get() {
    case _ where !isCurrent: throw .superseded
    case .session(let session):
      forgetLeftovers()
      othersRemain = nil
      return session.user
    case .challenge(let challenge): throw .challengeRequired(challenge)
    }
  }
}

extension AuthManager {
  /// Forgets a challenge that nobody will answer; does nothing if another one is asked by now.
  public func dropChallenge(_ challenge: Challenge) { handle(.challengeDropped(challenge)) }

  /// Keeps what the provider now says of the person who is signed in. New tokens of somebody who no longer is are
  /// revoked.
  ///
  /// - Throws: ``AuthenticationError/Code/notSignedIn`` if nobody is, and ``AuthenticationError/Code/superseded`` if
  ///   somebody else is.
  func take(_ session: AuthSession, upgrading: Bool) throws(AuthenticationError) {
    transaction { handle(.userChanged(session.user, upgrading ? session.tokens : nil, at: clock.now)) }
    guard let current = machine.record.session else { throw .notSignedIn }
    if current.user.id != session.user.id { throw .superseded }
  }

  /// Revokes the tokens of a session that nobody here asked for.
  func discard(_ session: AuthSession) {
    transaction { handle(.tokensOrphaned(session.tokens, of: session.user.id, at: clock.now)) }
  }

  /// Revokes the tokens of a session that the app refused. The challenge that it ended is spent.
  private func refuse(_ session: AuthSession?, of attempt: Int) {
    if let session { discard(session) }
    if attempt == machine.attempt, let challenge = machine.challenge { handle(.challengeDropped(challenge)) }
    SignInReceipt.current?.noteRefusal()
  }

  private func unlock() throws(AuthenticationError) -> User {
    switch restore() {
    case .signedIn(let active):
      if active.freshness == .expired { throw .sessionExpired }
      SignInReceipt.current?.note(active.session)
      return active.session.user
    case .unavailable(let error): throw error
    case .signedOut(let reason): throw reason.error
    default: throw .notSignedIn
    }
  }
}

extension Result where Failure == AuthenticationError {
  /// Whether the provider has responded, also with a refusal of what was entered.
  fileprivate var showsReach: Bool { failure.map { $0.code.disposition == .attempt } ?? true }
}

extension AuthenticationState {
  /// Who need not sign in again: what another store still holds of this person may be spent by now.
  fileprivate var usableUser: User? {
    if case .signedIn(let active) = self, active.freshness != .expired { active.session.user } else { nil }
  }
}

/// What the provider is asked to do with credentials.
private enum SignInIntent: Sendable {
  case signIn(any RemoteAuthProvider)
  case signUp(any SignUpProvider)

  func send(_ credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    switch self {
    case .signIn(let provider): try await provider.signIn(with: credentials)
    case .signUp(let provider): try await provider.signUp(with: credentials)
    }
  }
}
