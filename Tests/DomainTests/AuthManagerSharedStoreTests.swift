import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// Two processes, one store: tokens refreshed elsewhere are adopted, under the lock.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerSharedStoreTests {
  private let lock = ScriptedSessionLock()

  /// A bench whose token has just ended.
  private func expiredBench() async throws -> Bench {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    return bench
  }

  // failure row 13
  @Test func `a session that another process has refreshed is adopted, not refreshed again`() async throws {
    let bench = try await expiredBench()
    let newer = bench.session(2)
    bench.store.replace(SessionRecord(session: newer))
    #expect(try await bench.manager.validSession() == newer)
    await lock.waitForRelease()
    #expect(bench.manager.state == .using(newer))
    #expect(bench.refreshes == 0)
    #expect(lock.acquisitions == 1)
    #expect(lock.releases == 1)
  }

  // failure row 13
  @Test func `a refresh waits for the process that is at it, and takes its answer`() async throws {
    lock.setHeldElsewhere(true)
    let bench = try await expiredBench()
    let caller = bench.startRefresh()
    // The lock is looked at again after 15 milliseconds.
    await bench.clock.waitForSleeper(wakingWithin: .milliseconds(15))
    let newer = bench.session(2)
    bench.store.replace(SessionRecord(session: newer))
    lock.setHeldElsewhere(false)
    bench.clock.advance(by: .milliseconds(15))
    #expect(await caller.value == .success(newer))
    await lock.waitForRelease()
    #expect(bench.refreshes == 0)
    #expect(lock.releases == 1)
  }

  @Test func `a sign-out in another process is noticed before anything is refreshed`() async throws {
    let bench = try await expiredBench()
    bench.store.replace(nil)
    await #expect(throws: AuthenticationError.notSignedIn) { try await bench.manager.validSession() }
    #expect(bench.manager.state == .signedOut(.elsewhere))
    #expect(bench.refreshes == 0)
    #expect(bench.store.record?.holdsNothing != false)
  }

  // failure row 22
  @Test func `when another process signs in another user, no caller gets that user's session`() async throws {
    let bench = try await expiredBench()
    let grace = bench.session(2, of: .grace)
    bench.store.replace(SessionRecord(session: grace))
    await #expect(throws: AuthenticationError.superseded) { try await bench.manager.validSession() }
    #expect(try await bench.manager.validSession() == grace)
    #expect(bench.manager.state == .using(grace))
    #expect(bench.refreshes == 0)
  }

  @Test func `an adopted session that has ended too is refreshed`() async throws {
    let bench = try await expiredBench()
    let older = AuthSession.sample(2, receivedAt: .noon)
    bench.store.replace(SessionRecord(session: older))
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    #expect(try await bench.manager.validSession() == bench.session(3))
    #expect(bench.provider.refreshes == [older])
    for _ in 0..<lock.acquisitions { await lock.waitForRelease() }
    #expect(lock.acquisitions == lock.releases)
  }

  // failure row 9
  @Test func `a session that could not be stored is not replaced by the older one in the store`() async throws {
    let bench = try await expiredBench()
    bench.store.failWrites(with: .full)
    let unsaved = bench.session(2)
    bench.provider.answerRefresh(.success(unsaved.tokens))
    #expect(try await bench.manager.validSession() == unsaved)
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    #expect(try await bench.manager.validSession(rejecting: unsaved.accessToken) == bench.session(3))
    #expect(bench.provider.refreshes.last == unsaved)
  }

  // failure row 13
  @Test func `a token that may have been replaced elsewhere is not sent while the store cannot tell`() async throws {
    let bench = try await expiredBench()
    bench.store.failReads(with: .locked)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    await #expect(throws: AuthenticationError.locked) { try await bench.manager.validSession() }
    #expect(bench.refreshes == 0)
    #expect(bench.manager.state.activeSession?.freshness == .stale)
    bench.store.failReads(with: nil)
    #expect(try await bench.manager.validSession() == bench.session(2))
  }

  /// A bench whose session was refused while the store could not be read, or was held by another process.
  private func refusedBench(isHeld: Bool, because error: AuthenticationError = .locked) async throws -> Bench {
    let bench = try await Bench.refreshing(answering: .failure(.sessionRejected), lock: ScriptedSessionLock())
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    if isHeld { bench.store.keepOut(with: error) } else { bench.store.failReads(with: error) }
    bench.provider.release(.refresh)
    #expect(await caller.value == .failure(error))
    #expect(bench.manager.state.activeSession?.freshness == .stale)
    bench.store.keepOut(with: nil)
    bench.store.failReads(with: nil)
    return bench
  }

  // failure row 13
  @Test(arguments: [false, true])
  func `a refused session may be an old one, and is kept until the store can be had`(isHeld: Bool) async throws {
    let bench = try await refusedBench(isHeld: isHeld)
    let newer = bench.session(2)
    bench.store.replace(SessionRecord(session: newer, signedInAt: .noon))
    #expect(try await bench.manager.validSession() == newer)
    #expect(bench.refreshes == 1)
  }

  @Test(arguments: [false, true])
  func `a refused session ends once the store holds no newer one, and is not sent again`(isHeld: Bool) async throws {
    let bench = try await refusedBench(isHeld: isHeld)
    await #expect(throws: AuthenticationError.sessionRejected) { try await bench.manager.validSession() }
    #expect(bench.manager.state == .signedOut(.rejected))
    #expect(bench.store.record?.holdsNothing != false)
    #expect(bench.refreshes == 1)
  }

  @Test func `a refusal is no loss, although the user did not unlock the store when it came`() async throws {
    let declined = AuthenticationError(.userPresenceRequired, "Not unlocked.")
    let bench = try await refusedBench(isHeld: false, because: declined)
    await #expect(throws: AuthenticationError.sessionRejected) { try await bench.manager.validSession() }
    #expect(bench.manager.state == .signedOut(.rejected))
  }

  @Test func `without a lock the store is not read again`() async throws {
    let bench = Bench(stored: .sample(1, receivedAt: .noon))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    _ = try await bench.manager.validSession()
    #expect(bench.store.messages.filter { $0 == .read }.count == 1)
  }
}
