import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// Sessions that end with their access token of an hour: nothing refreshes it, or only the token itself does.
@Suite(.timeLimit(.minutes(10)), .tags(.concurrency)) struct AuthManagerEndingSessionTests {
  /// Its early point lies at 60 percent of its lifetime: 2,160 s.
  private func selfRefreshing(
    _ number: Int, _ bench: Bench, lifetime: Duration = .seconds(3_600)
  ) throws -> AuthSession {
    let session = AuthSession.sample(number, receivedAt: bench.clock.now, lifetime: lifetime)
    let tokens = session.tokens
    return AuthSession(
      user: .ada, tokens: SessionTokens(access: tokens.access, refresh: tokens.access.value))
  }

  private func states(of bench: Bench) async -> AsyncStream<AuthenticationState>.Iterator {
    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    return states
  }

  @Test func `a token that refreshes itself is refreshed before its end although no caller asks`() async throws {
    let bench = Bench(refreshesEarly: true)
    try await bench.signIn(as: try selfRefreshing(1, bench))
    var states = await states(of: bench)
    await bench.clock.waitForSleeper(wakingWithin: .seconds(2_160))
    bench.clock.advance(by: .seconds(2_159))
    #expect(bench.refreshes == 0)
    let next = AuthSession.sample(2, receivedAt: bench.clock.now)
    bench.provider.answerRefresh(.success(next.tokens))
    bench.clock.advance(by: .seconds(1))
    #expect(await states.next()?.session?.accessToken.value == Secret("access-2"))
    #expect(bench.refreshes == 1)
  }

  @Test func `its end is published if the provider cannot be reached until then`() async throws {
    let lock = ScriptedSessionLock()
    let bench = Bench(lock: lock, refreshesEarly: true)
    let session = try selfRefreshing(1, bench)
    try await bench.signIn(as: session)
    var states = await states(of: bench)
    bench.provider.answerRefresh(.failure(.unreachable))
    await bench.clock.waitForSleeper(wakingWithin: .seconds(2_160))
    bench.clock.advance(by: .seconds(2_160))
    await lock.waitForRelease()
    while await bench.manager.isRefreshing { await Task.yield() }
    #expect(bench.manager.state.activeSession?.freshness == .fresh)
    // Three quarters of the rest.
    await bench.clock.waitForSleeper(wakingWithin: .seconds(1_080))
    bench.clock.advance(by: .seconds(1_080))
    await lock.waitForRelease()
    while await bench.manager.isRefreshing { await Task.yield() }
    await bench.clock.waitForSleeper(wakingWithin: .seconds(360))
    bench.clock.advance(by: .seconds(360))
    #expect(await states.next() == .using(session, .expired))
    #expect(bench.manager.state.activeSession?.expiresAt == session.accessToken.expiresAt)
    #expect(try await bench.manager.isAuthenticated() == false)
    #expect(bench.refreshes == 2)
  }

  @Test func `a session that nothing refreshes is published as expired when its token expires`() async throws {
    let bench = Bench(refreshesEarly: true)
    let session = AuthSession.sample(1, receivedAt: bench.clock.now, canRefresh: false)
    try await bench.signIn(as: session)
    var states = await states(of: bench)
    #expect(bench.manager.state.activeSession?.expiresAt == bench.clock.now + 3_600)
    await bench.clock.waitForSleeper(wakingWithin: .seconds(3_600))
    bench.clock.advance(by: .seconds(3_600))
    #expect(await states.next() == .using(session, .expired))
    #expect(bench.refreshes == 0)
  }

  @Test func `an ended session is expired at the next launch, and not stale`() async throws {
    let bench = Bench(refreshesEarly: true)
    try await bench.signIn(as: try selfRefreshing(1, bench))
    let later = Bench(store: bench.store, refreshesEarly: true)
    later.clock.advance(by: .seconds(3_600))
    #expect(await later.manager.restore().activeSession?.freshness == .expired)
  }

  @Test(arguments: [true, false], [3_600, 3_601])
  func `a token that refreshes itself is not sent after its end, and the user stays signed in`(
    refreshesEarly: Bool, age: Int
  ) async throws {
    let bench = Bench(refreshesEarly: refreshesEarly)
    let session = try selfRefreshing(1, bench)
    try await bench.signIn(as: session)
    let later = Bench(store: bench.store, refreshesEarly: refreshesEarly)
    later.clock.advance(by: .seconds(age))
    later.provider.answerRefresh(.failure(.sessionRejected))
    await later.manager.restore()
    await #expect(throws: AuthenticationError.sessionExpired) { try await later.manager.validSession() }
    await #expect(throws: AuthenticationError.sessionExpired) { try await later.manager.validSession(byHand: true) }
    await #expect(throws: AuthenticationError.sessionExpired) { try await later.manager.refreshNow() }
    #expect(later.manager.state == .using(session, .expired))
    #expect(later.refreshes == 0)
  }

  @Test func `a token of 12 seconds is refreshed twice in 18 seconds`() async throws {
    let bench = Bench(refreshesEarly: true)
    try await bench.signIn(as: try selfRefreshing(1, bench, lifetime: .seconds(12)))
    var states = await states(of: bench)
    for number in 2...3 {
      await bench.clock.waitForSleeper(wakingWithin: .seconds(7.2))
      bench.clock.advance(by: .seconds(7))
      #expect(bench.refreshes == number - 2)
      bench.provider.answerRefresh(.success(try selfRefreshing(number, bench, lifetime: .seconds(12)).tokens))
      bench.clock.advance(by: .milliseconds(250))
      #expect(await states.next()?.session?.accessToken.value == Secret("access-\(number)"))
    }
    bench.clock.advance(by: .seconds(3.5))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-3"))
    #expect(bench.refreshes == 2)
  }

  @Test func `a session with a refresh token has no known end`() async throws {
    let bench = Bench(refreshesEarly: true)
    try await bench.signIn(as: bench.session(1))
    #expect(bench.manager.state.activeSession?.expiresAt == nil)
  }

  @Test(arguments: [(1_799, 0), (1_801, 1)])
  func `a command refreshes such a token in the second half of its lifetime`(age: Int, count: Int) async throws {
    let bench = Bench()
    try await bench.signIn(as: try selfRefreshing(1, bench))
    let later = Bench(store: bench.store)
    later.clock.advance(by: .seconds(age))
    later.provider.answerRefresh(.success(AuthSession.sample(2, receivedAt: later.clock.now).tokens))
    let session = try await later.manager.validSession()
    #expect(session.accessToken.value == Secret(count == 0 ? "access-1" : "access-2"))
    #expect(later.refreshes == count)
  }
}
