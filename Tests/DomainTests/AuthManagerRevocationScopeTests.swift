import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// A provider that ends all sessions of a user with one revocation, as some do: the manager says whether the user is
/// signed in again.
@Suite(.timeLimit(.minutes(10))) struct AuthManagerRevocationScopeTests {
  private struct Provider: RemoteAuthProvider {
    let upstream: ScriptedAuthProvider
    let log: Log

    func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
      try await upstream.signIn(request)
    }

    func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
      try await upstream.refresh(session)
    }

    func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
      log.append("\(keepingOtherSessions ? "end" : "revoke") \(tokens.access.value.reveal())")
      try await upstream.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
    }
  }

  private let scripted = ScriptedAuthProvider()
  private let log = Log()
  private let clock = ManualClock()

  private func manager(_ store: ScriptedSessionStore = ScriptedSessionStore()) -> AuthManager {
    AuthManager(provider: Provider(upstream: scripted, log: log), store: store, clock: clock)
  }

  private func signIn(_ manager: AuthManager, _ number: Int, of user: User) async throws {
    scripted.answerSignIn(.success(.session(.sample(number, of: user, receivedAt: clock.now))))
    try await manager.signIn(with: .password(userName: user.id, password: Secret("correct horse")))
    await manager.deliverRevocations()
  }

  @Test func `a user who signs in again ends the old session alone, so that the new session lives`() async throws {
    let manager = manager()
    try await signIn(manager, 1, of: .ada)
    try await signIn(manager, 2, of: .ada)
    #expect(log.lines == ["end access-1"])
  }

  @Test func `another user's tokens are revoked`() async throws {
    let manager = manager()
    try await signIn(manager, 1, of: .ada)
    try await signIn(manager, 2, of: .grace)
    #expect(log.lines == ["revoke access-1"])
  }

  @Test func `a sign-out that is delivered after the next sign-in ends no session of that user`() async throws {
    let manager = manager()
    try await signIn(manager, 1, of: .ada)
    scripted.answerRevocation(.failure(.unreachable))
    try await manager.signOut()
    #expect(await manager.deliverRevocations() == [.unreachable])
    #expect(Set(log.lines) == ["revoke access-1"])
    try await signIn(manager, 2, of: .ada)
    #expect(log.lines.last == "end access-1")
  }

  @Test func `tokens of a cancelled sign-in of another user are revoked`() async throws {
    let manager = manager()
    try await signIn(manager, 1, of: .grace)
    scripted.answerSignIn(.success(.session(.sample(2, of: .ada, receivedAt: clock.now))))
    scripted.hold(.signIn)
    let call = Task { try await manager.signIn(with: .password(userName: "ada", password: Secret("correct horse"))) }
    await scripted.waitForArrival(of: .signIn, count: 2)
    call.cancel()
    scripted.release(.signIn)
    await #expect(throws: AuthenticationError.cancelled) { try await call.value }
    await scripted.waitForArrival(of: .revoke)
    await manager.deliverRevocations()
    #expect(log.lines == ["revoke access-2"])
  }

  @Test func `late tokens of another user's refresh are revoked`() async throws {
    let manager = manager()
    try await signIn(manager, 1, of: .grace)
    clock.advance(by: .seconds(3_600))
    scripted.answerRefresh(.success(.sample(2, receivedAt: clock.now)))
    scripted.hold(.refresh)
    let call = Task { try? await manager.validSession() }
    await scripted.waitForArrival(of: .refresh)
    try await signIn(manager, 3, of: .ada)
    scripted.release(.refresh)
    _ = await call.value
    await scripted.waitForArrival(of: .revoke, count: 2)
    #expect(log.lines == ["revoke access-1", "revoke access-2"])
  }

  @Test func `a revocation that is in flight when the app drops the manager is noted in the store`() async throws {
    let store = ScriptedSessionStore()
    weak var dropped: AuthManager?
    do {
      let manager = manager(store)
      dropped = manager
      try await signIn(manager, 1, of: .ada)
      scripted.hold(.revoke)
      try await manager.signOut()
      await scripted.waitForArrival(of: .revoke)
      #expect(try store.read()?.pendingRevocations.count == 1)
    }
    #expect(dropped == nil)
    scripted.release(.revoke)
    while try store.read()?.pendingRevocations.isEmpty == false { await Task.yield() }
  }
}
