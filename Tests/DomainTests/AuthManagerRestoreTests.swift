import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthManagerRestoreTests {
  // failure row 3
  @Test func `nothing is known until the store has been read, and then at once`() async {
    let bench = Bench()
    #expect(bench.manager.state == .unknown)
    #expect(await bench.manager.restore() == .signedOut(.absent))
    #expect(bench.manager.state == .signedOut(.absent))
  }

  // failure row 4
  @Test func `the store is read once, without any network call`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    await bench.manager.restore()
    await bench.manager.restore()
    _ = try await bench.manager.validSession()
    #expect(try await bench.manager.isAuthenticated())
    #expect(bench.store.messages == [.read])
    #expect(bench.provider.messages == [])
  }

  // failure row 1
  @Test func `a locked store, which may prompt, is asked again after a while, and nothing is written`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    bench.store.failReads(with: .locked)
    // Half of 2 s, then half of 4 s.
    for (wait, reads) in [(0, 1), (0, 1), (999, 1), (1, 2), (1_999, 2), (1, 3)] {
      bench.clock.advance(by: .milliseconds(wait))
      await #expect(throws: AuthenticationError.locked) { try await bench.manager.validSession() }
      await #expect(throws: AuthenticationError.locked) { try await bench.manager.isAuthenticated() }
      #expect(bench.manager.state == .unavailable(.locked))
      #expect(bench.store.messages == Array(repeating: .read, count: reads))
    }
    bench.store.failReads(with: nil)
    bench.clock.advance(by: .seconds(60))
    #expect(try await bench.manager.validSession() == .sample(receivedAt: .noon))
  }

  // failure row 1
  @Test func `each restore and each sign-out reads a locked store at once`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    bench.store.failReads(with: .locked)
    #expect(await bench.manager.restore() == .unavailable(.locked))
    #expect(await bench.manager.restore() == .unavailable(.locked))
    await #expect(throws: AuthenticationError.locked) { try await bench.manager.signOut() }
    #expect(bench.store.messages == [.read, .read, .read])
    bench.store.failReads(with: nil)
    #expect(await bench.manager.restore() == .using(.sample(receivedAt: .noon)))
  }

  // failure row 7
  @Test func `a corrupt store is not erased`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    bench.store.failReads(with: .corrupt)
    #expect(await bench.manager.restore() == .unavailable(.corrupt))
    await #expect(throws: AuthenticationError.corrupt) { try await bench.manager.validSession() }
    #expect(bench.store.messages == [.read])
  }

  // failure row 19
  @Test func `a launch while offline keeps the session, and says that it is stale`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(7_200))
    let bench = Bench(stored: .sample(receivedAt: .noon), clock: clock)
    bench.provider.answerRefresh(.failure(.unreachable))
    let old = AuthSession.sample(receivedAt: .noon)
    #expect(await bench.manager.restore() == .using(old, .stale))
    await #expect(throws: AuthenticationError.unreachable) { try await bench.manager.validSession() }
    #expect(bench.manager.state == .using(old, .stale))
    #expect(try await bench.manager.isAuthenticated())
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: old).withoutIDs)
  }

  @Test func `an expired session that cannot be refreshed says so, and stays stored`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(3_600))
    let old = AuthSession.sample(receivedAt: .noon, canRefresh: false)
    let bench = Bench(stored: old, clock: clock)
    #expect(await bench.manager.restore() == .using(old, .expired))
    await #expect(throws: AuthenticationError.sessionExpired) { try await bench.manager.validSession() }
    #expect(try await bench.manager.isAuthenticated() == false)
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: old).withoutIDs)
    #expect(bench.store.messages == [.read])
    #expect(bench.provider.messages == [])
  }

  @Test func `a session that cannot be refreshed is used to its last second, then it has expired`() async throws {
    let bench = Bench()
    let session = bench.session(canRefresh: false)
    try await bench.signIn(as: session)
    bench.clock.advance(by: .milliseconds(3_599_999))
    #expect(try await bench.manager.validSession() == session)
    bench.clock.advance(by: .milliseconds(1))
    await #expect(throws: AuthenticationError.sessionExpired) { try await bench.manager.validSession() }
    #expect(bench.manager.state == .using(session, .expired))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: session, signedInAt: .noon))
  }

  // failure row 26
  @Test(arguments: [-3_600, -315_360_000]) func `a session received in the future is refreshed before it is used`(
    jump: Int
  )
    async throws
  {
    let clock = ManualClock()
    clock.jumpWallClock(by: .seconds(jump))
    let bench = Bench(stored: .sample(1, receivedAt: .noon), clock: clock)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
  }

  // failure row 26
  @Test(arguments: [-3_600, -315_360_000]) func `a wall clock set back lengthens no session's life`(jump: Int)
    async throws
  {
    let clock = ManualClock()
    clock.jumpWallClock(by: .seconds(jump))
    let session = AuthSession.sample(1, receivedAt: .noon, canRefresh: false)
    let bench = Bench(stored: session, clock: clock)
    #expect(try await bench.manager.validSession() == session)
    clock.advance(by: .seconds(3_600))
    await #expect(throws: AuthenticationError.sessionExpired) { try await bench.manager.validSession() }
  }

  // failure row 4
  @Test func `a store that hangs keeps no caller longer than its timeout`() async throws {
    let store = HangingStore()
    let clock = ManualClock()
    let manager = AuthManager(
      provider: ScriptedAuthProvider(), store: store, clock: clock, policy: .bench(callerTimeout: .seconds(5)))
    let caller = Task { await #expect(throws: AuthenticationError.timedOut) { try await manager.validSession() } }
    await store.wasRead.waitForArrivals(1)
    #expect(manager.state == .unknown)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    _ = await caller.value
    store.open()
    #expect(await manager.restore() == .using(.sample(receivedAt: .noon)))
    #expect(store.reads == 1)
  }
}
