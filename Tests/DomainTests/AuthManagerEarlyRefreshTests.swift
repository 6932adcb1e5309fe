import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// Tokens of an hour whose early point lies at 2,820 s: 20 percent of the lifetime before the last minute.
@Suite(.timeLimit(.minutes(10)), .tags(.concurrency)) struct AuthManagerEarlyRefreshTests {
  let lock = ScriptedSessionLock()
  let bench: Bench

  init() async throws {
    bench = Bench(lock: lock, refreshesEarly: true)
    try await bench.signIn(as: bench.session(1))
  }

  private func ask() async throws -> Secret { try await bench.manager.validSession().accessToken.value }

  // failure rows 28, 34
  @Test(arguments: [2_820, 3_000, 3_539])
  func `from a token's early point on it is refreshed while callers go on with it`(age: Int) async throws {
    bench.clock.advance(by: .seconds(age))
    let refreshed = bench.session(2)
    bench.provider.answerRefresh(.success(refreshed.tokens))
    bench.provider.hold(.refresh)
    for _ in 0..<100 { #expect(try await ask() == Secret("access-1")) }
    await bench.provider.waitForArrival(of: .refresh)
    #expect(try await ask() == Secret("access-1"))
    bench.provider.release(.refresh)
    await lock.waitForRelease()
    #expect(try await ask() == Secret("access-2"))
    #expect(bench.refreshes == 1)
    #expect(bench.store.record?.session == refreshed)
  }

  @Test func `a caller that asks in the last minute waits for the refresh that began early`() async throws {
    bench.clock.advance(by: .seconds(2_820))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.hold(.refresh)
    _ = try await ask()
    await bench.provider.waitForArrival(of: .refresh)
    bench.clock.advance(by: .seconds(720))
    let callers = [bench.startRefresh(), bench.startRefresh()]
    bench.provider.release(.refresh)
    for caller in callers { #expect(try await caller.value.get().accessToken.value == Secret("access-2")) }
    #expect(bench.refreshes == 1)
  }

  // failure row 34
  @Test func `a background refresh that fails waits for a later point, and is not reported`() async throws {
    let bench = Bench(lock: lock, refreshesEarly: true)
    let tenHours = Duration.seconds(36_000)
    try await bench.signIn(as: .sample(1, receivedAt: bench.clock.now, lifetime: tenHours))
    bench.clock.advance(by: .seconds(28_740))
    let refreshed = AuthSession.sample(2, receivedAt: bench.clock.now, lifetime: tenHours)
    bench.provider.answerRefresh(.failure(.unreachable), .success(refreshed.tokens))
    _ = try await bench.manager.validSession()
    await lock.waitForRelease()
    // 19 twentieths of the 7,260 s that were left.
    bench.clock.advance(by: .seconds(6_896))
    for _ in 0..<100 { #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1")) }
    #expect(bench.manager.state.activeSession?.freshness == .fresh)
    bench.clock.advance(by: .seconds(1))
    bench.provider.hold(.refresh)
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    await bench.provider.waitForArrival(of: .refresh, count: 2)
    bench.provider.release(.refresh)
    await lock.waitForRelease()
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
    #expect(bench.refreshes == 2)
  }

  @Test func `a caller whose token was refused does not wait because an early refresh failed`() async throws {
    let session = bench.session(1)
    bench.clock.advance(by: .seconds(2_820))
    bench.provider.answerRefresh(.failure(.unreachable), .success(bench.tokens(2)))
    _ = try await ask()
    await lock.waitForRelease()
    let refreshed = try await bench.manager.validSession(rejecting: session.accessToken)
    #expect(refreshed.accessToken.value == Secret("access-2"))
  }

  @Test func `a caller who wants a token that lasts is answered by that wish alone`() async throws {
    bench.clock.advance(by: .seconds(3_299))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.hold(.refresh)
    let early = try await bench.manager.validSession(lasting: .seconds(300))
    #expect(early.accessToken.value == Secret("access-1"))
    bench.clock.advance(by: .seconds(1))
    let late = bench.start { manager async throws(AuthenticationError) in
      try await manager.validSession(lasting: .seconds(300))
    }
    await bench.provider.waitForArrival(of: .refresh)
    bench.provider.release(.refresh)
    #expect(try await late.value.get().accessToken.value == Secret("access-2"))
    #expect(bench.refreshes == 1)
  }

  // failure row 20
  @Test func `a sign-out while a background refresh runs is not undone by its answer`() async throws {
    bench.clock.advance(by: .seconds(2_820))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.hold(.refresh)
    _ = try await ask()
    await bench.provider.waitForArrival(of: .refresh)
    try await bench.manager.signOut()
    bench.provider.release(.refresh)
    await lock.waitForRelease()
    #expect(bench.manager.state == .signedOut(.requested))
    #expect(bench.store.record?.session == nil)
    #expect(await bench.revokedTokens().map(\.access.value).contains(Secret("access-2")))
  }

  // failure row 16
  @Test func `a process that may exit at any time refreshes nothing while no caller waits for it`() async throws {
    let bench = Bench(lock: lock, refreshesEarly: false)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_539))
    for _ in 0..<100 {
      _ = try await bench.manager.validSession()
      await bench.manager.restore()
    }
    bench.clock.advance(by: .seconds(1))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
    #expect(bench.refreshes == 1)
  }
}
