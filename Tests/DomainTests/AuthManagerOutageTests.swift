import AuthenticationDomainTesting
import Foundation
import Testing

@testable import AuthenticationDomain

/// An outage does not outlast itself.
@Suite(.timeLimit(.minutes(10))) struct AuthManagerOutageTests {
  /// A manager whose token has just expired, and whose jitter is as long as it can be.
  private struct Outage {
    let clock = ManualClock()
    let provider = ScriptedAuthProvider()
    let manager: AuthManager

    init(_ failure: AuthenticationError, refreshesEarly: Bool = false) async throws {
      manager = AuthManager(
        provider: provider, store: ScriptedSessionStore(), clock: clock, policy: refreshesEarly ? .standard : .bench(),
        random: { 0.999 })
      provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
      try await manager.signIn(with: .sample)
      clock.advance(by: .seconds(3_600))
      provider.answerRefresh(.failure(failure))
    }

    var refreshes: Int { provider.refreshes.count }

    func failure() async -> AuthenticationError? {
      do throws(AuthenticationError) {
        _ = try await manager.validSession()
        return nil
      } catch {
        return error
      }
    }

    /// Asks once a second until nothing is sent for a call.
    func untilHeld() async {
      var before = -1
      for _ in 0..<1_000 where before < refreshes {
        before = refreshes
        clock.advance(by: .seconds(1))
        _ = await failure()
      }
    }

    func restoreProvider() { provider.answerRefresh(.success(.sample(2, receivedAt: clock.now))) }
  }

  // failure row 34
  @Test(arguments: [60, 300, 900])
  func `after an outage in which nothing was reached no caller is refused for longer than 10 seconds`(length: Int)
    async throws
  {
    let outage = try await Outage(.unreachable)
    for _ in 0..<length {
      #expect(await outage.failure() == .unreachable)
      outage.clock.advance(by: .seconds(1))
    }
    // The schedule spares the network: a caller a second is not a try a second.
    #expect(outage.refreshes < length / 2)
    outage.restoreProvider()
    var refusals = 0
    while await outage.failure() != nil {
      refusals += 1
      try #require(refusals <= 10)
      outage.clock.advance(by: .seconds(1))
    }
    #expect(outage.manager.state.activeSession?.freshness == .fresh)
  }

  // failure row 34
  @Test(arguments: [AuthenticationError.serverFailed, .rateLimited, .timedOut, .unexpectedResponse], [60, 300, 900])
  func `after an outage of the provider no caller is refused for longer than 20 seconds`(
    failure: AuthenticationError, length: Int
  ) async throws {
    let outage = try await Outage(failure)
    for _ in 0..<length {
      #expect(await outage.failure() != nil)
      outage.clock.advance(by: .seconds(1))
    }
    #expect(outage.refreshes < length / 3)
    outage.restoreProvider()
    var refusals = 0
    while await outage.failure() != nil {
      refusals += 1
      try #require(refusals <= 20)
      outage.clock.advance(by: .seconds(1))
    }
    #expect(outage.manager.state.activeSession?.freshness == .fresh)
  }

  @Test(arguments: [AuthenticationError.unreachable, .serverFailed, .timedOut, .unexpectedResponse])
  func `a refresh by hand asks the provider each time, whatever failed before`(
    failure: AuthenticationError
  ) async throws {
    let outage = try await Outage(failure)
    for _ in 0..<900 {
      let before = outage.refreshes
      await #expect(throws: failure) { try await outage.manager.refreshNow() }
      try #require(outage.refreshes > before)
      outage.clock.advance(by: .seconds(1))
    }
    outage.restoreProvider()
    #expect(try await outage.manager.refreshNow().accessToken.value == Secret("access-2"))
  }

  @Test func `a refresh by hand of a token that has expired is one request`() async throws {
    let outage = try await Outage(.unreachable)
    outage.provider.answerRefresh(.success(.sample(2, receivedAt: outage.clock.now)))
    await #expect(throws: AuthenticationError.unreachable) { try await outage.manager.refreshNow() }
    #expect(try await outage.manager.refreshNow().accessToken.value == Secret("access-2"))
    #expect(outage.refreshes == 2)
  }

  @Test func `a request by hand asks the provider at once, and other callers get its token, too`() async throws {
    let outage = try await Outage(.serverFailed)
    await outage.untilHeld()
    outage.restoreProvider()
    let before = outage.refreshes
    #expect(await outage.failure() == .unreachable)
    #expect(outage.refreshes == before)
    #expect(try await outage.manager.validSession(byHand: true).accessToken.value == Secret("access-2"))
    #expect(outage.refreshes == before + 1)
    #expect(await outage.failure() == nil)
  }

  @Test func `a session that is asked for by hand is returned without a request while it is valid`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    #expect(try await bench.manager.validSession(byHand: true) == bench.session(1))
    #expect(bench.refreshes == 0)
  }

  @Test func `restoring asks the provider again, in the background`() async throws {
    let outage = try await Outage(.serverFailed, refreshesEarly: true)
    await outage.untilHeld()
    outage.restoreProvider()
    outage.provider.hold(.refresh)
    let before = outage.refreshes
    #expect(await outage.manager.restore().activeSession?.freshness == .stale)
    await outage.provider.waitForArrival(of: .refresh, count: before + 1)
    outage.provider.release(.refresh)
    #expect(try await outage.manager.validSession().accessToken.value == Secret("access-2"))
    #expect(outage.refreshes == before + 1)
  }

  @Test func `in a process that may exit at any time the first caller after restoring asks the provider`() async throws
  {
    let outage = try await Outage(.serverFailed)
    await outage.untilHeld()
    outage.restoreProvider()
    outage.provider.hold(.refresh)
    let before = outage.refreshes
    #expect(await outage.manager.restore().activeSession?.freshness == .stale)
    #expect(await !outage.manager.isRefreshing)
    outage.provider.release(.refresh)
    #expect(try await outage.manager.validSession().accessToken.value == Secret("access-2"))
    #expect(outage.refreshes == before + 1)
  }

  @Test func `a launch sends nothing`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(7_200))
    let bench = Bench(stored: .sample(1, receivedAt: .noon), clock: clock)
    #expect(await bench.manager.restore().activeSession?.freshness == .stale)
    #expect(bench.refreshes == 0)
  }

  @Test func `callers by hand share the request in flight`() async throws {
    let bench = try await Bench.refreshing()
    let first = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    let others = (0..<3).map { _ in
      bench.start { manager async throws(AuthenticationError) in try await manager.refreshNow() }
    }
    bench.provider.release(.refresh)
    for caller in [first] + others {
      #expect(try await caller.value.get().accessToken.value == Secret("access-2"))
    }
    #expect(bench.refreshes == 1)
  }

  @Test func `the provider's own wait holds for callers by hand as well, and the error says how long`() async throws {
    let outage = try await Outage(.rateLimited.with(\.retryAfter, .seconds(30)))
    #expect(await outage.failure() == .rateLimited)
    outage.clock.advance(by: .seconds(10))
    outage.restoreProvider()
    await outage.manager.restore()
    for byHand in [true, false] {
      let error = await #expect(throws: AuthenticationError.self) {
        try await outage.manager.validSession(byHand: byHand)
      }
      #expect(error == .rateLimited)
      // 30 seconds, and the part of a quarter more by which clients are spread.
      #expect(error?.retryAfter.map { $0 > .seconds(20) && $0 <= .seconds(27.5) } == true)
    }
    #expect(outage.refreshes == 1)
    outage.clock.advance(by: .seconds(28))
    #expect(await outage.failure() == nil)
  }

  @Test func `a caller that the schedule refuses is told so, with the wait until the next try`() async throws {
    let outage = try await Outage(.unexpectedResponse)
    await outage.untilHeld()
    let before = outage.refreshes
    let held = try #require(await outage.failure())
    #expect(held == .unreachable)
    #expect(held.message.contains("not asked") && held.message.contains("unexpected_response"))
    let wait = try #require(held.retryAfter)
    #expect(outage.refreshes == before)
    outage.clock.advance(by: wait)
    #expect(await outage.failure() == .unexpectedResponse)
  }

  @Test func `a provider that is reached ends the wait for an earlier failure`() async throws {
    let outage = try await Outage(.serverFailed)
    await outage.untilHeld()
    #expect(outage.manager.isHeldOff)
    outage.clock.advance(by: .milliseconds(1))
    outage.manager.noteProviderReached()
    outage.restoreProvider()
    // The notice and the caller race: the notice is the keeper's business.
    while await outage.failure() != nil { await Task.yield() }
    #expect(!outage.manager.isHeldOff)
  }

  @Test func `a sign-in that the provider answers, if only with a refusal, ends the wait`() async throws {
    let outage = try await Outage(.serverFailed)
    await outage.untilHeld()
    outage.clock.advance(by: .milliseconds(1))
    outage.restoreProvider()
    outage.provider.answerSignIn(.failure(.invalidCredentials))
    await #expect(throws: AuthenticationError.invalidCredentials) { try await outage.manager.signIn(with: .sample) }
    while await outage.failure() != nil { await Task.yield() }
    #expect(outage.manager.state.activeSession?.freshness == .fresh)
  }

  @Test(arguments: [AuthenticationError.rateLimited, .serverFailed], [true, false])
  func `a time that the provider asked for is kept by the next process, and by a launch`(
    error: AuthenticationError, isBeforeExpiry: Bool
  ) async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(isBeforeExpiry ? 60 : 3_600))
    bench.provider.answerRefresh(.failure(error.with(\.retryAfter, .seconds(50))))
    _ = try? await bench.manager.refreshNow()
    #expect(bench.refreshes == 1)

    let next = Bench(store: bench.store, clock: bench.clock)
    next.provider.answerRefresh(.success(bench.tokens(2)))
    bench.clock.advance(by: .seconds(30))
    do throws(AuthenticationError) {
      try await next.manager.refreshNow()
      #expect(isBeforeExpiry)
    } catch {
      #expect(!isBeforeExpiry && error == .rateLimited && error.retryAfter == .seconds(20))
    }
    #expect(next.refreshes == 0)
    #expect(next.manager.state.user == .ada)

    bench.clock.advance(by: .seconds(20))
    try await next.manager.refreshNow()
    #expect(next.refreshes == 1)
    #expect(bench.store.record?.retryAt == nil)
  }

  @Test func `a time that a clock ahead has noted keeps no refresh from the provider`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(
      .failure(AuthenticationError.rateLimited.with(\.retryAfter, .seconds(90))), .success(bench.tokens(2)))
    _ = try? await bench.manager.refreshNow()
    var record = try #require(bench.store.record)
    record.retryAt = bench.clock.now + 90
    let next = Bench(store: ScriptedSessionStore(record), clock: bench.clock)
    next.provider.answerRefresh(.success(bench.tokens(2)))
    try await next.manager.refreshNow()
    #expect(next.refreshes == 1)
  }
}
