import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// How long a token is to last, as each caller wants it.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerLifetimeRequestTests {
  private func start(
    lasting wanted: Duration?, on bench: Bench
  ) -> Task<Result<AuthSession, AuthenticationError>, Never> {
    bench.start { manager async throws(AuthenticationError) in try await manager.validSession(lasting: wanted) }
  }

  @Test(arguments: [3_540, 3_599, 3_600, 7_200, 1_000_000_000_000])
  func `a wish that no token of the provider fulfils is tried once, and then for half of its lifetime`(wanted: Int)
    async throws
  {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(60))
    for (number, wait) in [(2, 1_799), (2, 1), (3, 1_799), (3, 0)] {
      if bench.refreshes < number - 1 { bench.provider.answerRefresh(.success(bench.tokens(number))) }
      for _ in 0..<3 {
        let session = try await bench.manager.validSession(lasting: .seconds(wanted))
        #expect(session.accessToken.value == Secret("access-\(number)"))
      }
      #expect(bench.refreshes == number - 1)
      bench.clock.advance(by: .seconds(wait))
    }
  }

  @Test func `a lifetime that the last session could not provide is tried again with the next`() async throws {
    let bench = Bench()
    for number in [1, 3] {
      try await bench.signIn(as: bench.session(number))
      bench.provider.answerRefresh(.success(bench.tokens(number + 1)))
      #expect(try await bench.manager.validSession(lasting: .seconds(7_200)) == bench.session(number + 1))
    }
    #expect(bench.refreshes == 2)
  }

  @Test func `a wish that a new token fulfils is fulfilled`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(61))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession(lasting: .seconds(3_539)) == bench.session(2))
  }

  @Test func `each caller that joins a refresh that fails gets a result for the lifetime that it asked for`()
    async throws
  {
    let bench = Bench(callerTimeout: .seconds(3_600))
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_300))
    bench.provider.answerRefresh(.failure(.unreachable))
    bench.provider.hold(.refresh)
    let longest = start(lasting: .seconds(600), on: bench)
    await bench.provider.waitForArrival(of: .refresh)
    bench.clock.advance(by: .seconds(250))
    let usual = start(lasting: nil, on: bench)
    let short = start(lasting: .seconds(49), on: bench)
    let long = start(lasting: .seconds(50), on: bench)
    bench.provider.release(.refresh)
    #expect(await longest.value == .failure(.unreachable))
    #expect(await usual.value == .success(.sample(1, receivedAt: .noon)))
    #expect(await short.value == .success(.sample(1, receivedAt: .noon)))
    #expect(await long.value == .failure(.unreachable))
    #expect(bench.refreshes == 1)
  }

  @Test func `a caller that joins an early refresh that fails does not get a token that expires too early for it`()
    async throws
  {
    let bench = Bench(refreshesEarly: true)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_300))
    bench.provider.answerRefresh(.failure(.unreachable))
    bench.provider.hold(.refresh)
    _ = try await bench.manager.validSession()
    await bench.provider.waitForArrival(of: .refresh)
    let joined = start(lasting: .seconds(600), on: bench)
    bench.provider.release(.refresh)
    #expect(await joined.value == .failure(.unreachable))
  }

  @Test func `a refresh that takes too long gives the token to those for whom it lasts`() async throws {
    let bench = Bench(callerTimeout: .seconds(10))
    let session = bench.session(1)
    try await bench.signIn(as: session)
    bench.clock.advance(by: .seconds(3_550))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.hold(.refresh)
    let usual = start(lasting: nil, on: bench)
    await bench.provider.waitForArrival(of: .refresh)
    let long = start(lasting: .seconds(600), on: bench)
    await bench.clock.waitForSleeper(wakingWithin: .seconds(10))
    bench.clock.advance(by: .seconds(10))
    #expect(await usual.value == .success(session))
    #expect(await long.value == .failure(.timedOut))
    bench.provider.release(.refresh)
  }

  @Test(arguments: [3_540, 3_600, 100_000])
  func `a caller that waits for another process's refresh takes its token, where none lasts as long as wanted`(
    wanted: Int
  ) async throws {
    let lock = ScriptedSessionLock()
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(600))
    lock.setHeldElsewhere(true)
    let long = start(lasting: .seconds(wanted), on: bench)
    await bench.clock.waitForSleepers(2)
    let elsewhere = AuthSession.sample(2, receivedAt: bench.clock.now)
    var record = try #require(bench.store.record)
    record.session = elsewhere
    record.writeID = RecordID.random()
    bench.store.replace(record)
    lock.setHeldElsewhere(false)
    bench.clock.advance(by: .seconds(1))
    #expect(await long.value == .success(elsewhere))
    #expect(bench.refreshes == 0)
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    bench.clock.advance(by: .seconds(1_800))
    #expect(try await bench.manager.validSession(lasting: .seconds(wanted)).accessToken.value == Secret("access-3"))
  }

  @Test func `a caller that waits for a lock does not get another process's token that expires too early for it`()
    async throws
  {
    let lock = ScriptedSessionLock()
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_550))
    lock.setHeldElsewhere(true)
    let usual = start(lasting: nil, on: bench)
    await bench.clock.waitForSleepers(2)
    let long = start(lasting: .seconds(600), on: bench)
    let elsewhere = AuthSession.sample(2, receivedAt: bench.clock.now - 3_499)
    bench.store.replace(SessionRecord(session: elsewhere, signedInAt: .noon))
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    lock.setHeldElsewhere(false)
    bench.clock.advance(by: .seconds(1))
    #expect(await usual.value == .success(elsewhere))
    #expect(try await long.value.get().accessToken.value == Secret("access-3"))
  }
}
