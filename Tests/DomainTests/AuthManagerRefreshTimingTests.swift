import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// When a refresh is tried, tried again, and left alone.
@Suite(.timeLimit(.minutes(10))) struct AuthManagerRefreshTimingTests {
  // failure row 26
  @Test(arguments: [3_600, -3_600, 315_360_000, -315_360_000])
  func `a wall clock that jumps causes no refresh, and delays none`(jump: Int) async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.jumpWallClock(by: .seconds(jump))
    bench.clock.advance(by: .milliseconds(3_539_999))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.clock.advance(by: .milliseconds(1))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
    bench.clock.jumpWallClock(by: .seconds(-2 * jump))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
    #expect(bench.refreshes == 1)
  }

  // failure row 26
  @Test(arguments: [3_600, 315_360_000]) func `a launch with the wall clock set forward refreshes once`(jump: Int)
    async throws
  {
    let clock = ManualClock()
    clock.jumpWallClock(by: .seconds(jump))
    let bench = Bench(stored: .sample(1, receivedAt: .noon), clock: clock)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    for _ in 0..<10 { _ = try await bench.manager.validSession() }
    #expect(bench.refreshes == 1)
  }

  // failure row 28
  @Test func `a device that slept through the end refreshes on the first use`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(1_000_000))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
  }

  // failure row 34
  @Test func `a refresh that fails while the token is valid is not tried again at each use`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.provider.answerRefresh(.failure(.unreachable))
    bench.clock.advance(by: .seconds(3_540))
    for wait in [0, 1, 29_999, 29_999] {
      bench.clock.advance(by: .milliseconds(wait))
      #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
      #expect(bench.refreshes == 1)
    }
    #expect(bench.manager.state.activeSession?.freshness == .fresh)
    bench.clock.advance(by: .milliseconds(1))
    await #expect(throws: AuthenticationError.unreachable) { try await bench.manager.validSession() }
    #expect(bench.refreshes == 2)
  }

  // failure row 34
  @Test func `while the provider is down, each waiting caller gets the error without a request of its own`()
    async throws
  {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(.unreachable))
    func ask(_ times: Int) async {
      for _ in 0..<times {
        await #expect(throws: AuthenticationError.unreachable) { try await bench.manager.validSession() }
      }
    }
    // The first failure is forgiven; then half of 1 s, then half of a quarter of 50 s.
    let steps = [(0, 100, 2), (499, 100, 2), (1, 1, 3), (49_500, 1, 4), (6_249, 100, 4), (1, 1, 5)]
    for (wait, calls, refreshes) in steps {
      bench.clock.advance(by: .milliseconds(wait))
      await ask(calls)
      #expect(bench.refreshes == refreshes)
    }
    #expect(bench.store.record?.session == .sample(1, receivedAt: .noon))
  }

  // failure row 34
  @Test func `a provider that says when to come back is left alone until then, and a part of that more`() async throws {
    let bench = Bench()
    let session = bench.session(1)
    try await bench.signIn(as: session)
    bench.provider.answerRefresh(.failure(.rateLimited.with(\.retryAfter, .seconds(30))), .success(bench.tokens(2)))
    let refused = await #expect(throws: AuthenticationError.self) {
      try await bench.manager.validSession(rejecting: session.accessToken)
    }
    #expect(refused == .rateLimited)
    bench.clock.advance(by: .milliseconds(33_749))
    let again = await #expect(throws: AuthenticationError.self) { try await bench.manager.validSession() }
    #expect(again == .rateLimited)
    #expect(bench.refreshes == 1)
    bench.clock.advance(by: .milliseconds(1))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
  }

  @Test func `no provider can lock a user out for longer than a minute`() async throws {
    let bench = Bench()
    let session = bench.session(1)
    try await bench.signIn(as: session)
    bench.provider.answerRefresh(.failure(.rateLimited.with(\.retryAfter, .seconds(86_400))), .success(bench.tokens(2)))
    _ = try? await bench.manager.validSession(rejecting: session.accessToken)
    bench.clock.advance(by: .seconds(60))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
  }

  @Test func `a new sign-in does not inherit the rate limit of the last session`() async throws {
    let bench = Bench()
    let ada = bench.session(1)
    try await bench.signIn(as: ada)
    bench.provider.answerRefresh(.failure(.rateLimited.with(\.retryAfter, .seconds(30))), .success(bench.tokens(3)))
    _ = try? await bench.manager.validSession(rejecting: ada.accessToken)
    let grace = bench.session(2, of: .grace)
    try await bench.signIn(as: grace)
    #expect(try await bench.manager.validSession() == grace)
    let refreshed = try await bench.manager.validSession(rejecting: grace.accessToken)
    #expect(refreshed.accessToken.value == Secret("access-3"))
  }

  @Test func `an answer that takes too long is waited for no longer, and used when it comes`() async throws {
    let bench = Bench(callerTimeout: .seconds(10))
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    let refreshed = bench.session(2)
    bench.provider.answerRefresh(.success(refreshed.tokens))
    bench.provider.hold(.refresh)
    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    let callers = [bench.startRefresh(), bench.startRefresh()]
    await bench.provider.waitForArrival(of: .refresh)
    await bench.clock.waitForSleeper(wakingWithin: .seconds(10))
    bench.clock.advance(by: .seconds(10))
    for caller in callers { #expect(await caller.value == .failure(.timedOut)) }

    let patient = bench.startRefresh()
    bench.provider.release(.refresh)
    #expect(await patient.value == .success(refreshed))
    #expect(await states.next() == .using(refreshed))
    #expect(bench.refreshes == 1)
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: refreshed, signedInAt: .noon))
  }

  @Test func `a caller whose early refresh takes too long is given the token that is still valid`() async throws {
    let bench = Bench(callerTimeout: .seconds(10))
    let session = bench.session(1)
    try await bench.signIn(as: session)
    bench.clock.advance(by: .seconds(3_550))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.hold(.refresh)
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    await bench.clock.waitForSleeper(wakingWithin: .seconds(10))
    bench.clock.advance(by: .seconds(10))
    #expect(await caller.value == .success(session))
    bench.provider.release(.refresh)
  }
}
