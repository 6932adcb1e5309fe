import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// A store that says one thing and has done another. // failure row 9
@Suite(.timeLimit(.minutes(10))) struct AuthManagerDoubtfulStoreTests {
  let lock = ScriptedSessionLock()

  /// Once the record whose save seemed to fail was saved again.
  func triedAgain(
    _ bench: Bench, until isDone: (AuthenticationState) -> Bool = { $0.activeSession?.unsaved == nil }
  ) async {
    bench.store.failAfterSaves(with: nil)
    // The retry waits for half a minute at most; a revocation in progress may sleep as well, for a minute.
    await bench.clock.waitForSleeper(wakingWithin: .seconds(59))
    bench.clock.advance(by: .seconds(59))
    for await state in bench.manager.states() where isDone(state) { return }
  }

  @Test(arguments: [nil, User.ada, .grace])
  func `a sign-in that was stored, and reported as failed, revokes no new tokens`(before: User?) async throws {
    let bench = Bench(lock: lock)
    if let before { try await bench.signIn(as: bench.session(1, of: before)) }
    bench.store.failAfterSaves(with: .full)
    let session = bench.session(2)
    try await bench.signIn(as: session)
    await triedAgain(bench)
    #expect(bench.manager.state == .using(session))
    #expect(await !bench.revokedTokens().contains(session.tokens))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: session, signedInAt: .noon))
  }

  @Test func `a revocation that cannot be taken out of the queue does not take the others with it`() async throws {
    let bench = Bench(lock: lock)
    bench.provider.answerRevocation(.failure(.unreachable))
    for number in 1...2 {
      try await bench.signIn(as: bench.session(number))
      try await bench.manager.signOut()
    }
    _ = await bench.revokedTokens()
    bench.provider.answerRevocation(.success(()), .failure(.unreachable))
    bench.store.failSaves(with: .full)
    _ = await bench.revokedTokens()
    #expect(bench.store.record?.pendingRevocations.count == 2)
  }

  @Test func `a sign-out makes room on a full disk for its revocation, and for its news to other processes`()
    async throws
  {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    let signInID = try #require(bench.store.record?.signInID)
    bench.provider.answerRevocation(.failure(.unreachable))
    bench.store.failSaves(with: .full, untilDeletion: true)
    try await bench.manager.signOut()
    let record = try #require(bench.store.record)
    #expect(record.session == nil && record.endedSignIns.map(\.id) == [signInID])
    #expect(record.pendingRevocations.map(\.tokens) == [bench.session(1).tokens])
  }

  @Test(arguments: [false, true])
  func `a sign-in that was stored, and said not to be, does not return over its own refresh`(
    isHidden: Bool
  ) async throws {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(1))
    bench.store.failAfterSaves(with: .full)
    if isHidden { bench.store.failReadsAfterSave(with: .locked) }
    bench.provider.hold(.revoke)
    try await bench.signIn(as: bench.session(2))
    await bench.provider.waitForArrival(of: .revoke)
    var refreshed = try #require(bench.store.record).refreshed(to: 3)
    refreshed.pendingRevocations = []
    bench.store.replace(refreshed)
    bench.store.failReads(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state.session == refreshed.session)
    bench.provider.release(.revoke)
    let revoked = await bench.revokedTokens()
    #expect(revoked == [.sample(1, receivedAt: .noon)])
    #expect(bench.store.record?.withoutIDs == refreshed.withoutIDs)
  }

  @Test func `a sign-in that was stored, and said not to be, stays over where the user before is back`() async throws {
    let bench = Bench(lock: lock)
    bench.provider.hold(.revoke)
    try await bench.signIn(as: bench.session(1))
    bench.store.failAfterSaves(with: .full)
    bench.store.failReadsAfterSave(with: .locked)
    try await bench.signIn(as: bench.session(2, of: .grace))
    let later = try #require(bench.store.record).signedIn("later", 3, at: .noon + 60)
    bench.store.replace(later)
    bench.store.failReads(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state.session == later.session)
    bench.provider.release(.revoke)
    #expect(await Set(bench.revokedTokens()) == [.sample(1, receivedAt: .noon), .sample(2, receivedAt: .noon)])
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: later.session, signedInAt: .noon + 60))
  }

  @Test func `a sign-out that seemed to fail is not undone by a refresh elsewhere`() async throws {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    let refreshed = try #require(bench.store.record).refreshed(to: 2)
    bench.store.failWrites(with: .full)
    bench.store.failReadsAfterSave(with: .locked)
    bench.provider.hold(.revoke)
    _ = try? await bench.manager.signOut()
    bench.store.replace(refreshed)
    bench.store.failReads(with: nil)
    bench.store.failWrites(with: nil)
    bench.provider.release(.revoke)
    #expect(await bench.revokedTokens().contains(bench.session(2).tokens))
    #expect(bench.manager.state == .signedOut(.requested))
    #expect(bench.store.record?.holdsNothing != false)
  }

  // failure row 1
  @Test(arguments: [true, false])
  func `a sign-in waits for a store that cannot be read, and revokes the session that it replaces`(isShared: Bool)
    async throws
  {
    let owed = PendingRevocation(tokens: .sample(8, receivedAt: .noon), queuedAt: .noon, userID: "grace")
    let held = SessionRecord(session: .sample(1, receivedAt: .noon), pendingRevocations: [owed])
    let bench = Bench(store: ScriptedSessionStore(held), lock: isShared ? lock : nil)
    bench.store.failReads(with: .locked)
    let session = bench.session(2)
    try await bench.signIn(as: session)
    #expect(bench.manager.state == .using(session, unsaved: .locked))
    #expect(bench.store.record == held)
    bench.store.failReads(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state == .using(session))
    #expect(await Set(bench.revokedTokens()) == [owed.tokens, .sample(1, receivedAt: .noon)])
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: session, signedInAt: .noon))
  }

  @Test(arguments: [false, true])
  func `no session returns from a store that was read only after another user signed in and out`(
    isShared: Bool
  ) async throws {
    let bench = Bench(
      store: ScriptedSessionStore(SessionRecord(session: .sample(1, receivedAt: .noon), signedInAt: .noon)),
      lock: isShared ? lock : nil)
    bench.store.failReads(with: .locked)
    try await bench.signIn(as: bench.session(2, of: .grace))
    await #expect(throws: AuthenticationError.locked) { try await bench.manager.signOut() }
    bench.store.failReads(with: nil)
    #expect(await bench.manager.restore() == .signedOut(.requested))
    #expect(await Set(bench.revokedTokens()) == [.sample(1, receivedAt: .noon), .sample(2, receivedAt: .noon)])
    #expect(bench.store.record?.holdsNothing != false)
  }

  @Test func `a later sign-in elsewhere survives a sign-in and a sign-out while the store was unreadable`() async throws
  {
    let bench = Bench(store: ScriptedSessionStore(SessionRecord()), lock: lock)
    bench.store.failReads(with: .locked)
    try await bench.signIn(as: bench.session(2, of: .grace))
    _ = try? await bench.manager.signOut()
    let later = SessionRecord().signedIn("later", 3, at: .noon + 60)
    bench.store.replace(later)
    bench.store.failReads(with: nil)
    #expect(await bench.manager.restore().session == later.session)
    #expect(bench.store.record?.session == later.session)
  }

  @Test func `a session for which the user did not unlock the store is saved once the user continues`() async throws {
    let bench = Bench(store: ScriptedSessionStore(SessionRecord()))
    let declined = AuthenticationError(.userPresenceRequired, "Not unlocked.")
    bench.store.failWrites(with: declined)
    let session = bench.session(1)
    try await bench.signIn(as: session)
    #expect(bench.manager.state == .using(session, unsaved: declined))
    bench.store.failWrites(with: nil)
    #expect(await bench.manager.restore() == .using(session))
    #expect(bench.store.record?.session == session)
  }

  @Test func `a sign-in that could not be stored is stored over a refresh that another process has journalled`()
    async throws
  {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.store.failWrites(with: .full)
    bench.store.failReadsAfterSave(with: .locked)
    let session = bench.session(2)
    try await bench.signIn(as: session)
    bench.store.replace(
      SessionRecord(
        session: .sample(1, receivedAt: .noon), signedInAt: .noon, refreshJournal: RefreshJournalEntry(begunAt: .noon)))
    bench.store.failReads(with: nil)
    bench.store.failWrites(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state == .using(session))
    _ = await bench.revokedTokens()
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: session, signedInAt: .noon))
  }

  @Test func `a sign-in that was stored, and said not to be, is over where its revocation is queued`() async throws {
    let bench = Bench(lock: lock)
    bench.store.failAfterSaves(with: .full)
    bench.store.failReadsAfterSave(with: .locked)
    let session = bench.session(1)
    try await bench.signIn(as: session)
    bench.store.replace(try #require(bench.store.record).signedOut())
    bench.store.failReads(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state == .signedOut(.elsewhere))
    #expect(await bench.revokedTokens() == [session.tokens])
  }

  @Test func `a sign-in that certainly was not stored is stored over the older session's refresh`() async throws {
    let bench = Bench(lock: lock)
    bench.provider.hold(.revoke)
    try await bench.signIn(as: bench.session(1))
    bench.store.failWrites(with: .full)
    let session = bench.session(2)
    try await bench.signIn(as: session)
    bench.store.replace(SessionRecord(session: bench.session(3), signedInAt: .noon))
    bench.store.failWrites(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state == .using(session))
    bench.provider.release(.revoke)
    #expect(await bench.revokedTokens().contains(.sample(3, receivedAt: .noon)))
  }

  @Test func `a user who signed in is not shown as the user before, whatever could be stored`() async throws {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.store.failWrites(with: .full)
    bench.store.failReadsAfterSave(with: .locked)
    let session = bench.session(2, of: .grace)
    try await bench.signIn(as: session)
    bench.store.replace(SessionRecord(session: bench.session(3), signedInAt: .noon))
    bench.store.failReads(with: nil)
    bench.store.failWrites(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state == .using(session))
  }

  @Test func `a sign-out that was stored, and said not to be, ends no later sign-in`() async throws {
    let bench = Bench(lock: lock)
    try await bench.signIn(as: bench.session(1))
    bench.store.failAfterSaves(with: .full)
    bench.provider.hold(.revoke)
    try await bench.manager.signOut()
    let later = bench.session(2)
    bench.store.replace(SessionRecord(session: later))
    await triedAgain(bench) { $0.session != nil }
    #expect(bench.manager.state == .using(later))
    #expect(bench.store.record?.session == later)
    bench.provider.release(.revoke)
  }

  @Test func `tokens of a refresh that may be stored are revoked after a sign-out elsewhere`() async throws {
    let bench = try await Bench.refreshing(lock: lock)
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    bench.store.failAfterSaves(with: .full)
    bench.store.failReadsAfterSave(with: .locked)
    bench.provider.release(.refresh)
    let refreshed = try await caller.value.get()
    bench.store.replace(nil)
    bench.store.failReads(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state == .signedOut(.elsewhere))
    #expect(await bench.revokedTokens() == [refreshed.tokens])
  }

  @Test(arguments: [false, true])
  func `a sign-in that was stored, and said not to be, lends its refreshes no precedence`(isHidden: Bool) async throws {
    let bench = Bench(lock: lock)
    bench.store.failWrites(with: .full)
    try await bench.signIn(as: bench.session(1))
    bench.store.failWrites(with: nil)
    bench.store.failAfterSaves(with: .full)
    if isHidden { bench.store.failReadsAfterSave(with: .locked) }
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.hold(.refresh)
    let caller = bench.start { manager async throws(AuthenticationError) in
      try await manager.validSession(lasting: .seconds(3_600))
    }
    await bench.provider.waitForArrival(of: .refresh)
    bench.store.failReads(with: .locked)
    bench.provider.release(.refresh)
    _ = await caller.value
    let later = bench.session(3)
    var record = try #require(bench.store.record).signedIn("later", 3)
    record.pendingRevocations = []
    bench.store.replace(record)
    bench.store.failReads(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state == .using(later))
    #expect(bench.store.record?.session == later)
  }

  // failure row 9
  @Test func `a journal that was written, and said not to be, does not bring back a spent token`() async throws {
    let bench = try await Bench.refreshing(lock: lock)
    bench.provider.release(.refresh)
    bench.store.failWrites(with: .full)
    let second = try await bench.manager.validSession()
    bench.store.failWrites(with: nil)
    bench.store.failAfterSaves(with: .full)
    bench.store.failReadsAfterSave(with: .locked)
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    let third = try await bench.manager.validSession(rejecting: second.accessToken)
    #expect(bench.store.record?.session == second)
    bench.store.failReads(with: nil)
    await triedAgain(bench)
    #expect(bench.manager.state == .using(third))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: third, signedInAt: .noon))
  }

  // failure row 7
  @Test func `a sign-in replaces a shared store that is corrupt`() async throws {
    let bench = Bench(lock: lock)
    bench.store.failReads(with: .corrupt)
    try await bench.signIn(as: bench.session(1))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(1), signedInAt: .noon))
  }
}
