import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ExistingSessionTests {
  @Test func `a session of another library is stored and current, and no user is asked`() async throws {
    let bench = Bench()
    #expect(try await bench.manager.adopt(bench.session()) == .ada)
    #expect(bench.manager.state == .using(bench.session()))
    #expect(bench.store.record?.session == bench.session())
    #expect(bench.provider.messages == [])
  }

  @Test func `a session that is adopted again does not replace its refreshed tokens`() async throws {
    let bench = Bench()
    try await bench.manager.adopt(bench.session())
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    _ = try await bench.manager.validSession(rejecting: bench.session().accessToken)
    #expect(try await bench.manager.adopt(bench.session()) == .ada)
    #expect(bench.store.record?.session?.tokens == bench.tokens(2))
    #expect(await bench.revokedTokens() == [])
  }

  @Test func `adopting a session goes through the decorators`() async throws {
    let bench = Bench()
    let seen = Log()
    try await bench.manager.intercept { seen.append($0.id) }.adopt(bench.session())
    #expect(seen.lines == [User.ada.id])
  }

  @Test func `a session without a user is refused, and nothing changes`() async throws {
    let bench = Bench()
    let unnamed = AuthSession(user: User(id: ""), tokens: bench.tokens(1))
    await #expect(throws: AuthenticationError(.invalidRequest, "")) {
      try await bench.manager.addValidation().adopt(unnamed)
    }
    #expect(bench.store.messages == [])
  }

  @Test func `a cancelled adoption revokes nothing: the old store's session is still in use`() async {
    let (store, provider) = (HangingStore(), ScriptedAuthProvider())
    let manager = AuthManager(provider: provider, store: store, clock: ManualClock())
    let session = AuthSession.sample(2, of: .grace, receivedAt: .noon)
    let adoption = Task { () async -> AuthenticationError? in
      do throws(AuthenticationError) { try await manager.adopt(session) } catch { return error }
      return nil
    }
    await store.wasRead.waitForArrivals(1)
    adoption.cancel()
    #expect(await adoption.value == .cancelled)
    for _ in 0..<9 { store.open() }
    await manager.deliverRevocations()
    #expect(provider.revocations == [])
    #expect(manager.state.user == .ada)
  }

  @Test func `a user who returns unlocks the stored session without the provider`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    #expect(try await bench.manager.signIn(with: .unlock) == .ada)
    #expect(bench.provider.messages == [])
    await #expect(throws: AuthenticationError.notSignedIn) { try await Bench().manager.signIn(with: .unlock) }
  }

  @Test func `an app's own credentials of that method go to its provider`() async throws {
    struct Fingerprint: Credentials {
      var method: SignInMethod { .unlock }
    }
    let bench = Bench()
    bench.provider.answerSignIn(.success(.session(bench.session())))
    #expect(try await bench.manager.signIn(with: Fingerprint()) == .ada)
    #expect(bench.provider.messages == [.signIn(.unlock)])
  }

  @Test(arguments: [false, true])
  func `an unlock of a session that has expired succeeds only where it can be refreshed`(canRefresh: Bool) async throws
  {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now, canRefresh: canRefresh))
    bench.clock.advance(by: .seconds(3_601))
    let unlocked = bench.start { manager async throws(AuthenticationError) in
      try await manager.signIn(with: .unlock)
    }
    #expect(await unlocked.value == (canRefresh ? .success(.ada) : .failure(.sessionExpired)))
    #expect(bench.provider.messages == [])
  }

  @Test func `a store that stays locked is not "no user"`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    bench.store.failReads(with: .userPresenceRequired)
    await #expect(throws: AuthenticationError.userPresenceRequired) { try await bench.manager.signIn(with: .unlock) }
  }

  @Test func `a store that hangs does not hold an unlock that is given up`() async {
    let store = HangingStore()
    let manager = AuthManager(provider: ScriptedAuthProvider(), store: store, clock: ManualClock())
    let unlock = Task { () async -> AuthenticationError? in
      do throws(AuthenticationError) { try await manager.signIn(with: .unlock) } catch { return error }
      return nil
    }
    await store.wasRead.waitForArrivals(1)
    unlock.cancel()
    #expect(await unlock.value == .cancelled)
    store.open()
  }
}
