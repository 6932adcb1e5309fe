import AuthenticationKit
import AuthenticationTesting
import Testing

/// A manager, its use case and its attempts, composed without a root.
@Suite(.timeLimit(.minutes(10))) struct ComposedByHandTests {
  private struct Parts {
    let manager: AuthManager
    let useCase: any AuthenticationUseCase
    let attempts: SignInAttempts
  }

  let provider = ScriptedAuthProvider()
  let store = ScriptedSessionStore()
  let log = Log()

  private func compose() -> Parts {
    let process = SignInProcess(
      .password, forget: { [log] user throws(AuthenticationError) in log.append("forgot \(user.id)") },
      credentials: { _ throws(AuthenticationError) in
        PasswordCredentials(userName: "ada", password: Secret("correct horse"))
      })
    let manager = AuthManager(provider: provider, store: store, clock: ManualClock())
    let useCase = manager.intercept { [log] in log.append("signed in \($0.id)") }.addValidation()
    return Parts(
      manager: manager, useCase: useCase,
      attempts: SignInAttempts([process], useCase: useCase, manager: manager, pending: InMemoryPendingSignIns()))
  }

  private func session(_ number: Int = 1, of user: User = .ada) -> SignInOutcome {
    .session(.sample(number, of: user, receivedAt: ManualClock().now))
  }

  @Test func `each method forgets a user whose session the store does not erase`() async throws {
    let parts = compose()
    provider.answerSignIn(.success(session()))
    try await parts.useCase.login(username: "ada", password: "correct horse")
    store.failWrites(with: .storageUnavailable)
    await #expect(throws: AuthenticationError.storageUnavailable) { try await parts.manager.signOut() }
    #expect(log.lines == ["signed in ada", "forgot ada"])
    store.failWrites(with: nil)
    try await parts.manager.signOut()
    #expect(store.record?.session == nil)
  }

  @Test func `a sign-out ends a proof that waits for its second step`() async throws {
    let parts = compose()
    let challenge = Challenge(kind: .smsCode, handle: Secret("proof"), format: .digits(6))
    provider.answerSignIn(.success(session()), .success(.challenge(challenge)))
    try await parts.useCase.login(username: "ada", password: "correct horse")
    let proof = try parts.attempts.reauthenticating(.ada).begin(.password)
    proof.submit()
    #expect(await proof.finished() == .challenged(challenge, nil))
    try await parts.manager.signOut()
    #expect(await proof.finished() == .ended(.cancelled))
  }

  @Test func `a proof is one of the same user, after which the app's side effect runs`() async throws {
    let parts = compose()
    provider.answerSignIn(
      .success(session()), .success(session(2, of: .grace)), .success(session(3)))
    try await parts.useCase.login(username: "ada", password: "correct horse")
    let proof = try parts.attempts.reauthenticating(.ada).begin(.password)
    proof.submit()
    #expect(await proof.finished() == .failed(.userMismatch))
    #expect(log.lines == ["signed in ada"])
    #expect(parts.manager.state.session == .sample(1, of: .ada, receivedAt: ManualClock().now))
    proof.submit()
    #expect(await proof.finished() == .ended(.signedIn(.ada)))
    #expect(log.lines == ["signed in ada", "signed in ada"])
    #expect(parts.manager.state.session == .sample(3, of: .ada, receivedAt: ManualClock().now))
  }
}
