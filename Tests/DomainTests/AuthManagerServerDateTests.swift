import AuthenticationDomainTesting
import Testing
import Foundation

@testable import AuthenticationDomain

/// A device whose clock is set between two launches. // failure row 26
@Suite(.timeLimit(.minutes(10))) struct AuthManagerServerDateTests {
  /// Received at noon by a clock that agreed with the provider's.
  func stored(offset: Duration? = .zero, canRefresh: Bool = true) throws -> SessionRecord {
    let access = try AccessToken(
      Secret("access-1"), receivedAt: .noon, lifetime: .seconds(3_600), clockOffset: offset)
    let tokens = SessionTokens(access: access, refresh: canRefresh ? Secret("refresh-1") : nil)
    return SessionRecord(session: AuthSession(user: .ada, tokens: tokens))
  }

  /// Launched when the device's clock shows this much after noon.
  func launched(after seconds: Double, _ record: SessionRecord) async -> Bench {
    let bench = Bench(store: ScriptedSessionStore(record), clock: ManualClock(now: .noon + seconds))
    await bench.manager.restore()
    return bench
  }

  /// Until the noted date has been applied: it takes its turn on the manager.
  func note(_ date: Date, _ bench: Bench) async {
    bench.manager.noteServerDate { date }
    while bench.manager.wantsServerDate { await Task.yield() }
    _ = await bench.manager.isRefreshing
  }

  @Test func `a token that looked good is refreshed once a server shows that it is over`() async throws {
    let bench = await launched(after: 100, try stored())
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    await note(.noon + 3_600, bench)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
    #expect(bench.refreshes == 1)
  }

  @Test func `a token that looked nearly over is used to its end`() async throws {
    let bench = await launched(after: 3_000, try stored())
    await note(.noon + 100, bench)
    bench.clock.advance(by: .seconds(3_400))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    #expect(bench.refreshes == 0)
  }

  @Test(arguments: [ActiveSession.Freshness.expired, .stale])
  func `a session that looked over by a wrong clock is used once a server shows the time`(
    looked: ActiveSession.Freshness
  ) async throws {
    let bench = await launched(after: 7_200, try stored(canRefresh: looked == .stale))
    #expect(bench.manager.state.activeSession?.freshness == looked)
    await note(.noon + 100, bench)
    #expect(bench.manager.state.activeSession?.freshness == .fresh)
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    #expect(bench.refreshes == 0)
  }

  @Test func `a session that is over stays over when a server shows the time`() async throws {
    let bench = await launched(after: 7_200, try stored(canRefresh: false))
    await note(.noon + 3_600, bench)
    #expect(bench.manager.state.activeSession?.freshness == .expired)
    await #expect(throws: AuthenticationError.sessionExpired) { try await bench.manager.validSession() }
  }

  @Test func `no server's time brings back a token that was refused`() async throws {
    let bench = await launched(after: 100, try stored())
    let token = try await bench.manager.validSession().accessToken
    bench.provider.answerRefresh(.failure(.unreachable))
    await #expect(throws: AuthenticationError.unreachable) {
      try await bench.manager.validSession(rejecting: token)
    }
    await note(.noon + 100, bench)
    #expect(bench.manager.state.activeSession?.freshness == .stale)
  }

  @Test func `a clock that was wrong at receipt, and still is, changes nothing`() async throws {
    let bench = await launched(after: 1_000, try stored(offset: .seconds(-600)))
    await note(.noon + 400, bench)
    bench.clock.advance(by: .seconds(2_539))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    bench.clock.advance(by: .seconds(1))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
  }

  @Test func `no server can lengthen a token's life`() async throws {
    let bench = await launched(after: 3_000, try stored())
    await note(.noon - 86_400, bench)
    bench.clock.advance(by: .seconds(3_540))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
  }

  @Test func `a token that was received here is timed by a monotonic clock, and asks for no date`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.manager.noteServerDate {
      Issue.record("asked for a date")
      return nil
    }
  }

  @Test func `one date is enough`() async throws {
    let bench = await launched(after: 100, try stored())
    await note(.noon + 100, bench)
    bench.manager.noteServerDate {
      Issue.record("asked for another date")
      return nil
    }
  }

  @Test func `a provider that told no time leaves nothing to correct`() async throws {
    let bench = await launched(after: 100, try stored(offset: nil))
    bench.manager.noteServerDate {
      Issue.record("asked for a date")
      return nil
    }
  }
}
