import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

@Suite(.timeLimit(.minutes(10))) struct AuthManagerSignOutTests {
  // origin B4
  @Test func `signing out erases the session everywhere`() async throws {
    let bench = Bench()
    let ada = bench.session()
    try await bench.signIn(as: ada)
    try await bench.manager.signOut()
    #expect(bench.manager.state == .signedOut(.requested))
    #expect(bench.store.record?.session == nil)
    #expect(await bench.revokedTokens() == [ada.tokens])
    #expect(bench.store.record?.withoutIDs == SessionRecord(endReason: .requested))
    await #expect(throws: AuthenticationError.notSignedIn) { try await bench.manager.validSession() }
    #expect(try await bench.manager.isAuthenticated() == false)
  }

  @Test func `signing out does not wait for the provider`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    bench.provider.hold(.revoke)
    try await bench.manager.signOut()
    #expect(bench.manager.state == .signedOut(.requested))
    await bench.provider.waitForArrival(of: .revoke)
    bench.provider.release(.revoke)
    await bench.manager.deliverRevocations()
    #expect(bench.store.record?.holdsNothing != false)
  }

  @Test func `clearing tells the provider nothing`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    try await bench.manager.clear()
    #expect(await bench.revokedTokens() == [])
    #expect(bench.store.record?.withoutIDs == SessionRecord(endReason: .requested))
    #expect(bench.manager.state == .signedOut(.requested))
  }

  @Test func `clearing leaves nothing of an earlier sign-out that was made offline`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    bench.provider.answerRevocation(.failure(.unreachable))
    try await bench.manager.signOut()
    await bench.manager.deliverRevocations()
    #expect(bench.store.record?.pendingRevocations.count == 1)
    try await bench.manager.clear()
    #expect(bench.store.record?.holdsNothing != false)
    #expect(await bench.manager.hasPendingRevocations == false)
  }

  // failure row 33
  @Test func `a sign-out while offline is delivered by the next launch`() async throws {
    let first = Bench(stored: .sample(receivedAt: .noon))
    first.provider.answerRevocation(.failure(.unreachable))
    try await first.manager.signOut()
    #expect(await first.revokedTokens().isEmpty == false)
    let owed = PendingRevocation(tokens: first.tokens(1), queuedAt: .noon, userID: User.ada.id)
    #expect(first.store.record?.withoutIDs == SessionRecord(endReason: .requested, pendingRevocations: [owed]))

    let second = Bench(store: first.store)
    await second.manager.restore()
    #expect(await second.revokedTokens() == [first.tokens(1)])
    #expect(second.store.record?.holdsNothing != false)
    #expect(second.manager.state == .signedOut(.requested))
  }

  @Test func `one revocation that fails does not hold up the others`() async throws {
    let owed = [1, 2, 3].map { PendingRevocation(tokens: .sample($0, receivedAt: .noon), queuedAt: .noon) }
    let bench = Bench(store: ScriptedSessionStore(SessionRecord(pendingRevocations: owed)))
    bench.provider.answerRevocation(.failure(.unreachable), .success(()))
    #expect(await bench.revokedTokens() == [bench.tokens(1), bench.tokens(2), bench.tokens(3)])
    #expect(bench.store.record?.pendingRevocations == [owed[0]])
  }

  // failure row 33
  @Test(arguments: [true, false])
  func `a revocation owed for more than thirty days is tried a last time`(isOffline: Bool) async throws {
    let owed = PendingRevocation(tokens: .sample(receivedAt: .noon), queuedAt: .noon)
    let clock = ManualClock()
    clock.advance(by: .seconds(2_592_001))
    let bench = Bench(store: ScriptedSessionStore(SessionRecord(pendingRevocations: [owed])), clock: clock)
    if isOffline { bench.provider.answerRevocation(.failure(.unreachable)) }
    #expect(await bench.revokedTokens() == [owed.tokens])
    #expect(bench.store.record?.holdsNothing != false)
  }

  // failure row 33
  @Test func `a revocation that a clock ahead had queued is sent once at a time`() async throws {
    let owed = PendingRevocation(tokens: .sample(receivedAt: .noon), queuedAt: .noon + 86_400)
    let bench = Bench(store: ScriptedSessionStore(SessionRecord(pendingRevocations: [owed])))
    bench.provider.answerRevocation(.failure(.unreachable))
    #expect(await bench.revokedTokens() == [owed.tokens])
    let counted = PendingRevocation(tokens: owed.tokens, queuedAt: .noon)
    #expect(bench.store.record?.withoutIDs == SessionRecord(pendingRevocations: [counted]))
  }

  // failure row 1
  @Test(arguments: [AuthenticationError.locked, .corrupt])
  func `signing out of a store that cannot be read fails and erases nothing`(error: AuthenticationError) async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    bench.store.failReads(with: error)
    await #expect(throws: error) { try await bench.manager.signOut() }
    await #expect(throws: error) { try await bench.manager.clear() }
    #expect(bench.manager.state == .unavailable(error))
    #expect(bench.store.messages == [.read, .read])
  }

  @Test func `a session that could not be erased is gone from memory, and erased later`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    await bench.manager.restore()
    bench.store.failWrites(with: .full)
    await #expect(throws: AuthenticationError.full) { try await bench.manager.clear() }
    #expect(bench.manager.state == .signedOut(.requested))
    #expect(bench.store.record != nil)

    await bench.clock.waitForSleeper(wakingWithin: .seconds(1))
    bench.store.failWrites(with: nil)
    try await bench.signIn(as: bench.session(2, of: .grace))
    try await bench.manager.clear()
    #expect(bench.store.record?.holdsNothing != false)
  }

  @Test func `signing out again erases at once a session that the store refused to erase`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    bench.store.failWrites(with: .full)
    for _ in 1...2 {
      await #expect(throws: AuthenticationError.full) { try await bench.manager.signOut() }
      #expect(bench.store.record?.session != nil)
    }
    bench.store.failWrites(with: nil)
    try await bench.manager.signOut()
    #expect(bench.store.record?.session == nil)
    #expect(await bench.revokedTokens() == [bench.tokens(1)])
  }

  @Test func `erasing again keeps why the session ended`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    // No revocation that succeeds lets the record be written meanwhile.
    bench.provider.answerRevocation(.failure(.unreachable))
    bench.store.failWrites(with: .full)
    await #expect(throws: AuthenticationError.full) {
      try await bench.manager.endSession(because: .credentialRevoked) { _ in true }
    }
    bench.store.failWrites(with: nil)
    try await bench.manager.signOut()
    #expect(bench.manager.state == .signedOut(.credentialRevoked))
    #expect(bench.store.record?.endReason == .credentialRevoked)
  }

  @Test func `a sign-in that could not be stored is not stored after the sign-out`() async throws {
    let bench = Bench()
    bench.store.failWrites(with: .full)
    try await bench.signIn(as: bench.session())
    await bench.clock.waitForSleeper(wakingWithin: .seconds(1))
    bench.store.failWrites(with: nil)
    try await bench.manager.clear()
    bench.clock.advance(by: .seconds(60))
    await bench.manager.restore()
    #expect(bench.store.record?.withoutIDs == SessionRecord(endReason: .requested))
  }

  @Test func `signing out twice is signing out once`() async throws {
    let bench = Bench(stored: .sample(receivedAt: .noon))
    try await bench.manager.signOut()
    try await bench.manager.signOut()
    #expect(await bench.revokedTokens() == [bench.tokens(1)])
  }

  @Test func `a user may sign in while the last sign-out is still being delivered`() async throws {
    let bench = Bench(stored: .sample(1, receivedAt: .noon))
    bench.provider.hold(.revoke)
    try await bench.manager.signOut()
    await bench.provider.waitForArrival(of: .revoke)
    try await bench.signIn(as: bench.session(2, of: .grace))
    bench.provider.release(.revoke)
    #expect(await bench.revokedTokens() == [bench.tokens(1)])
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(2, of: .grace), signedInAt: .noon))
    #expect(bench.manager.state == .using(bench.session(2, of: .grace)))
  }

  // failure row 33
  @Test func `a disk too full for the queue of revocations still forgets the session`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.store.failSaves(with: .full)
    bench.provider.answerRevocation(.failure(.unreachable))
    try await bench.manager.signOut()
    #expect(bench.store.record?.holdsNothing != false)
    #expect(bench.manager.state == .signedOut(.requested))
    await bench.manager.deliverRevocations()
    #expect(await bench.manager.hasPendingRevocations, "kept in memory until it is delivered")
  }

  @Test func `a process that runs for long gives up a revocation that it could not deliver for 30 days`() async throws {
    let bench = Bench()
    bench.provider.answerRevocation(.failure(.unreachable))
    try await bench.signIn(as: bench.session(1))
    try await bench.manager.signOut()
    let second = bench.session(2)
    try await bench.signIn(as: second)
    let tries = await bench.revokedTokens().count
    bench.clock.advance(by: .seconds(30 * 86_400))
    #expect(await bench.revokedTokens().count == tries + 1)
    #expect(await bench.manager.hasPendingRevocations)
    bench.clock.advance(by: .seconds(1))
    #expect(await bench.revokedTokens().count == tries + 2)
    #expect(await bench.manager.hasPendingRevocations == false)
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: second, signedInAt: .noon))
  }
}
