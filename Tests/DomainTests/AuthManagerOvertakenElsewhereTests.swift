import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// Records that another process stores while a refresh of this one is in flight.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerOvertakenElsewhereTests {
  private let lock = ScriptedSessionLock()

  private func refreshing(answering result: Result<SessionTokens, AuthenticationError>) async throws -> Bench {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(result)
    bench.provider.hold(.refresh)
    return bench
  }

  // failure row 20, across processes
  @Test func `a sign-out in another process during a refresh is not undone, and the late tokens are revoked`()
    async throws
  {
    let late = SessionTokens.sample(2, receivedAt: .noon + 3_600)
    let bench = try await refreshing(answering: .success(late))
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    bench.store.replace(nil)
    bench.provider.release(.refresh)
    #expect(await caller.value == .failure(.notSignedIn))
    #expect(bench.manager.state == .signedOut(.elsewhere))
    #expect(await bench.revokedTokens() == [late])
    #expect(bench.store.record?.holdsNothing != false)
  }

  // failure row 13: on a refusal the newer session of another process is adopted first.
  @Test func `a refused refresh signs no user out when another process holds a newer session`() async throws {
    let bench = try await refreshing(answering: .failure(.sessionRejected))
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    let newer = bench.session(2)
    bench.store.replace(SessionRecord(session: newer))
    bench.provider.release(.refresh)
    #expect(await caller.value == .success(newer))
    #expect(bench.manager.state == .using(newer))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: newer).withoutIDs)
  }

  @Test func `a revocation that was delivered does not undo another process's refresh meanwhile`() async throws {
    let bench = Bench(lock: lock)
    let old = PendingRevocation(tokens: bench.tokens(7), queuedAt: bench.clock.now)
    bench.store.replace(SessionRecord(session: bench.session(1), pendingRevocations: [old]))
    bench.provider.hold(.revoke)
    await bench.manager.restore()
    await bench.provider.waitForArrival(of: .revoke)
    let newer = bench.session(2)
    bench.store.replace(SessionRecord(session: newer, pendingRevocations: [old]))
    bench.provider.release(.revoke)
    await bench.manager.deliverRevocations()
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: newer).withoutIDs)
  }

  @Test func `signing out ends the session that another process has refreshed meanwhile`() async throws {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    let newer = bench.session(2)
    bench.store.replace(SessionRecord(session: newer))
    try await bench.manager.signOut()
    #expect(await bench.revokedTokens() == [newer.tokens])
    #expect(bench.store.record?.holdsNothing != false)
  }

  // failure row 9, across processes
  @Test func `a refresh that could not be saved is not saved over a later sign-out in another process`() async throws {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.store.failSaves(with: .full)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    _ = try await bench.manager.validSession()
    bench.store.replace(nil)
    bench.store.failSaves(with: nil)
    await bench.clock.waitForSleeper(wakingWithin: .seconds(59))
    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    bench.clock.advance(by: .seconds(60))
    #expect(await states.next() == .signedOut(.elsewhere))
    #expect(await bench.revokedTokens() == [.sample(2, receivedAt: .noon + 3_600)])
    #expect(bench.store.record?.holdsNothing != false)
  }

  @Test func `a sign-in in another process is noticed by one where no user was signed in`() async throws {
    let bench = Bench(lock: lock)
    await #expect(throws: AuthenticationError.notSignedIn) { try await bench.manager.validSession() }
    bench.store.replace(SessionRecord(session: bench.session(1)))
    #expect(try await bench.manager.validSession() == bench.session(1))
  }

  // failure row 13, without a lock
  @Test func `a refusal never erases a session that another process has stored meanwhile`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(.sessionRejected))
    bench.provider.hold(.refresh)
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    bench.store.replace(SessionRecord(session: bench.session(2)))
    bench.provider.release(.refresh)
    #expect(await caller.value == .success(bench.session(2)))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(2)).withoutIDs)
  }
}
