import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// The lock that keeps two processes from refreshing one session at once.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerLockTests {
  private let lock = ScriptedSessionLock()

  /// A bench whose token has just ended.
  private func expiredBench() async throws -> Bench {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    return bench
  }

  /// One whose answer is lost, and whose lock another process has by then: it waits for that.
  private func refreshWithoutItsLock(_ bench: Bench) async -> Task<Result<AuthSession, AuthenticationError>, Never> {
    bench.provider.hold(.refresh)
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    lock.takeBack()
    lock.setHeldElsewhere(true)
    bench.provider.release(.refresh)
    await bench.clock.waitForSleeper(wakingWithin: .milliseconds(15))
    await bench.clock.waitForSleepers(2)
    return caller
  }

  @Test func `a session that no other process has refreshed is refreshed under the lock`() async throws {
    let bench = try await expiredBench()
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.hold(.refresh)
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    #expect(lock.acquisitions == 1)
    #expect(lock.releases == 0)
    bench.provider.release(.refresh)
    #expect(await caller.value == .success(bench.session(2)))
    await bench.manager.restore()
    #expect(lock.releases == 1)
  }

  @Test(arguments: [AuthenticationError.unreachable, .sessionRejected])
  func `the lock is released after a refresh that failed`(error: AuthenticationError) async throws {
    let bench = try await expiredBench()
    bench.provider.answerRefresh(.failure(error))
    await #expect(throws: error) { try await bench.manager.validSession() }
    // A call of the keeper, which comes after the end of the refresh.
    _ = try await bench.manager.isAuthenticated()
    #expect(lock.acquisitions == 1)
    #expect(lock.releases == 1)
  }

  // failure row 14
  @Test func `a lock that is never released is waited for no longer than the timeout`() async throws {
    lock.setHeldElsewhere(true)
    let bench = try await expiredBench()
    let caller = bench.startRefresh()
    await bench.clock.waitForSleepers(2)
    bench.clock.advance(by: .seconds(60))
    #expect(await caller.value == .failure(.timedOut))
    #expect(bench.refreshes == 0)
    #expect(bench.store.record != nil)
  }

  @Test func `waiting for another process is reported once for each refresh`() async throws {
    lock.setHeldElsewhere(true)
    let bench = try await expiredBench()
    var events = bench.manager.events().makeAsyncIterator()
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    let caller = bench.startRefresh()
    for _ in 1...3 {
      await bench.clock.waitForSleeper(wakingWithin: .milliseconds(15))
      bench.clock.advance(by: .milliseconds(15))
    }
    await bench.clock.waitForSleeper(wakingWithin: .milliseconds(15))
    lock.setHeldElsewhere(false)
    bench.clock.advance(by: .milliseconds(15))
    #expect(try await caller.value.get().accessToken.value == Secret("access-2"))
    #expect(await events.next()?.name == .lockWait)
    #expect(await events.next()?.name == .refresh)
  }

  @Test func `a refresh that no caller waits for any more does not wait for the lock either`() async throws {
    lock.setHeldElsewhere(true)
    let bench = try await expiredBench()
    var states = bench.manager.states().makeAsyncIterator()
    let caller = bench.startRefresh()
    await bench.clock.waitForSleepers(2)
    bench.clock.advance(by: .seconds(60))
    #expect(await caller.value == .failure(.timedOut))
    while let state = await states.next(), state.activeSession?.freshness != .stale {}
    lock.setHeldElsewhere(false)
    bench.clock.advance(by: .seconds(1))
    #expect(try await bench.manager.isAuthenticated())
    #expect(lock.acquisitions == 0)
  }

  @Test func `a lock that fails keeps the session, and the caller hears of it`() async throws {
    lock.fail(with: .locked)
    let bench = try await expiredBench()
    await #expect(throws: AuthenticationError.locked) { try await bench.manager.validSession() }
    #expect(bench.manager.state.activeSession?.freshness == .stale)
    #expect(lock.releases == 0)
  }

  // failure row 20
  @Test func `a sign-out while a refresh waits for the lock leaves nothing to refresh`() async throws {
    lock.setHeldElsewhere(true)
    let bench = try await expiredBench()
    let caller = bench.startRefresh()
    await bench.clock.waitForSleepers(2)
    try await bench.manager.clear()
    #expect(await caller.value == .failure(.notSignedIn))
    lock.setHeldElsewhere(false)
    bench.clock.advance(by: .milliseconds(15))
    await lock.waitForRelease()
    #expect(bench.refreshes == 0)
    #expect(bench.store.record?.holdsNothing != false)
    #expect(bench.manager.state == .signedOut(.requested))
  }

  // failure row 22
  @Test func `a sign-in while a refresh waits for the lock is not refreshed in its place`() async throws {
    lock.setHeldElsewhere(true)
    let bench = try await expiredBench()
    let caller = bench.startRefresh()
    await bench.clock.waitForSleepers(2)
    let grace = bench.session(2, of: .grace)
    try await bench.signIn(as: grace)
    #expect(await caller.value == .failure(.superseded))
    lock.setHeldElsewhere(false)
    bench.clock.advance(by: .milliseconds(15))
    await lock.waitForRelease()
    #expect(try await bench.manager.validSession() == grace)
    #expect(bench.refreshes == 0)
  }

  // failure row 12
  @Test func `of two managers on one store one refreshes, and the other takes its answer`() async throws {
    let one = try await expiredBench()
    let two = Bench(store: one.store, lock: lock, clock: one.clock)
    let refreshed = one.session(2)
    one.provider.answerRefresh(.success(refreshed.tokens))
    one.provider.hold(.refresh)
    let first = one.startRefresh()
    await one.provider.waitForArrival(of: .refresh)
    let second = two.startRefresh()
    // The second manager looks at the lock again after 15 milliseconds.
    await one.clock.waitForSleeper(wakingWithin: .milliseconds(15))
    one.provider.release(.refresh)
    #expect(await first.value == .success(refreshed))
    await lock.waitForRelease()
    one.clock.advance(by: .milliseconds(15))
    #expect(await second.value == .success(refreshed))
    #expect(two.refreshes == 0)
    #expect(two.manager.state == .using(refreshed))
  }

  @Test func `a kept lock that the system took back is taken anew before the next refresh`() async throws {
    let lock = ScriptedSessionLock()
    let bench = try await Bench.refreshing(lock: lock)
    bench.provider.release(.refresh)
    bench.store.failWrites(with: .full)
    let second = try await bench.manager.validSession()
    lock.takeBack()
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    _ = try await bench.manager.validSession(rejecting: second.accessToken)
    #expect((lock.acquisitions, lock.releases) == (2, 1))
  }

  @Test func `a token is sent once more only under the lock, which the system may have taken back`() async throws {
    let bench = try await expiredBench()
    let refreshed = bench.session(2)
    bench.provider.answerRefresh(
      .failure(AuthenticationError(.connectionLost, "Lost.")), .success(bench.tokens(2)))
    let caller = await refreshWithoutItsLock(bench)
    #expect(bench.refreshes == 1)
    lock.setHeldElsewhere(false)
    bench.clock.advance(by: .milliseconds(15))
    #expect(await caller.value == .success(refreshed))
    await bench.manager.restore()
    #expect(bench.refreshes == 2)
    #expect((lock.acquisitions, lock.releases) == (2, 2))
  }

  @Test func `a lock that the system takes back before the token is sent is taken again first`() async throws {
    let bench = Bench(lock: FleetingLock(upstream: lock))
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.hold(.refresh)
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    #expect(lock.isStillHeld)
    bench.provider.release(.refresh)
    #expect(await caller.value == .success(bench.session(2)))
    await bench.manager.restore()
    #expect((lock.acquisitions, lock.releases) == (2, 2))
  }

  @Test func `a lock that does not come back is waited for no longer than the timeout, and not released twice`()
    async throws
  {
    let bench = try await expiredBench()
    bench.provider.answerRefresh(.failure(AuthenticationError(.connectionLost, "Lost.")))
    let caller = await refreshWithoutItsLock(bench)
    bench.clock.advance(by: .seconds(60))
    #expect(await caller.value == .failure(.timedOut))
    await bench.manager.restore()
    #expect(bench.refreshes == 1)
    #expect((lock.acquisitions, lock.releases) == (1, 1))
    #expect(bench.store.record?.refreshJournal?.sends == 1, "a refusal later on is a loss")
  }

  @Test func `a kept lock that came to its end with a refresh is not released again`() async throws {
    let lock = ScriptedSessionLock()
    let bench = try await Bench.refreshing(lock: lock)
    bench.provider.release(.refresh)
    bench.store.failWrites(with: .full)
    let second = try await bench.manager.validSession()
    bench.store.failWrites(with: nil)
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    _ = try await bench.manager.validSession(rejecting: second.accessToken)
    try await bench.manager.signOut()
    #expect((lock.acquisitions, lock.releases) == (1, 1))
  }

  @Test func `no other process may refresh before the tokens that this process refreshed are stored`() async throws {
    let lock = ScriptedSessionLock()
    let bench = try await Bench.refreshing(lock: lock)
    bench.provider.release(.refresh)
    bench.store.failWrites(with: .full)
    let second = try await bench.manager.validSession()
    #expect((lock.acquisitions, lock.releases) == (1, 0))
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    _ = try await bench.manager.validSession(rejecting: second.accessToken)
    await bench.clock.waitForSleeper(wakingWithin: .seconds(59))
    bench.clock.advance(by: .seconds(60))
    await bench.clock.waitForSleeper(wakingWithin: .seconds(59))
    #expect((lock.acquisitions, lock.releases) == (1, 0))
    bench.store.failWrites(with: nil)
    bench.clock.advance(by: .seconds(60))
    await lock.waitForRelease()
    #expect((lock.acquisitions, lock.releases) == (1, 1))
    // It is taken anew by the next refresh, and released.
    bench.provider.answerRefresh(.success(bench.tokens(4)))
    _ = try await bench.manager.validSession(lasting: .seconds(7_200))
    await lock.waitForRelease()
    #expect((lock.acquisitions, lock.releases) == (2, 2))
  }
}

/// Lost as soon as it was taken for the first time, as by a process that is suspended at that moment.
private struct FleetingLock: SessionLock {
  let upstream: ScriptedSessionLock

  func tryAcquire() throws(AuthenticationError) -> Bool {
    guard try upstream.tryAcquire() else { return false }
    if upstream.acquisitions == 1 { upstream.takeBack() }
    return true
  }

  var isStillHeld: Bool { upstream.isStillHeld }
  func release() { upstream.release() }
}
