import AuthenticationKit
import AuthenticationTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct RootManagerTests {
  let provider = ScriptedAuthProvider()
  let store = ScriptedSessionStore()
  let log = Log()

  private func manager() -> RootManager {
    let process = SignInProcess(
      .password, forget: { [log] user throws(AuthenticationError) in log.append("forgot \(user.id)") },
      credentials: { _ throws(AuthenticationError) in
        PasswordCredentials(userName: "ada", password: Secret("correct horse"))
      })
    return RootManager(
      AuthManager(provider: provider, store: store, clock: ManualClock()), InMemoryPendingSignIns(),
      onSignIn: { [log] in log.append("signed in \($0.id)") }, attempts: { SignInAttempts([process], useCase: $0) })
  }

  private func session(_ number: Int = 1, of user: User = .ada) -> SignInOutcome {
    .session(.sample(number, of: user, receivedAt: ManualClock().now))
  }

  @Test func `each method forgets a user whose session the store does not erase`() async throws {
    let manager = manager()
    provider.answerSignIn(.success(session()))
    try await manager.login(username: "ada", password: "correct horse")
    store.failWrites(with: .storageUnavailable)
    await #expect(throws: AuthenticationError.storageUnavailable) { try await manager.signOut() }
    #expect(log.lines == ["signed in ada", "forgot ada"])
    store.failWrites(with: nil)
    try await manager.signOut()
    #expect(store.record?.session == nil)
  }

  @Test func `a sign-out ends a proof that waits for its second step`() async throws {
    let manager = manager()
    let challenge = Challenge(kind: .smsCode, handle: Secret("proof"), format: .digits(6))
    provider.answerSignIn(.success(session()), .success(.challenge(challenge)))
    try await manager.login(username: "ada", password: "correct horse")
    let proof = try manager.attempts.reauthenticating(.ada).begin(.password)
    proof.submit()
    #expect(await proof.settled() == .challenged(challenge, nil))
    try await manager.signOut()
    #expect(await proof.settled() == .ended(.cancelled))
  }

  @Test func `a proof at the root is a proof of the same user, after which the app's side effect runs`() async throws {
    let manager = manager()
    provider.answerSignIn(
      .success(session()), .success(session(2, of: .grace)), .success(session(3)))
    try await manager.login(username: "ada", password: "correct horse")
    let proof = try manager.attempts.reauthenticating(.ada).begin(.password)
    proof.submit()
    #expect(await proof.settled() == .failed(.userMismatch))
    #expect(log.lines == ["signed in ada"])
    #expect(manager.state.session == .sample(1, of: .ada, receivedAt: ManualClock().now))
    proof.submit()
    #expect(await proof.settled() == .ended(.signedIn(.ada)))
    #expect(log.lines == ["signed in ada", "signed in ada"])
    #expect(manager.state.session == .sample(3, of: .ada, receivedAt: ManualClock().now))
  }
}
