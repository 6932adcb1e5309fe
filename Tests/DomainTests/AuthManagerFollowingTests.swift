import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthManagerFollowingTests {
  /// A manager that has restored this session from a store that others write, too, and its states from then on.
  func following(_ number: Int = 1) async -> (Bench, AsyncStream<AuthenticationState>.AsyncIterator) {
    let session = AuthSession.sample(number, receivedAt: .noon)
    let bench = Bench(store: ScriptedSessionStore(SessionRecord(session: session), isShared: true))
    await bench.manager.restore()
    var states = bench.manager.states().makeAsyncIterator()
    #expect(await states.next() == .using(session))
    return (bench, states)
  }

  // failure row 13
  @Test func `a sign-out in another process shows without anybody asking`() async {
    var (bench, states) = await following()
    bench.store.replace(nil)
    #expect(await states.next() == .signedOut(.elsewhere))
    #expect(bench.refreshes == 0)
  }

  // failure row 13
  @Test func `a session that another process refreshed is used from then on`() async throws {
    var (bench, states) = await following()
    let refreshed = bench.session(2)
    bench.store.replace(SessionRecord(session: refreshed))
    #expect(await states.next() == .using(refreshed))
    #expect(try await bench.manager.validSession() == refreshed)
  }

  @Test func `another user's sign-in in another process shows`() async {
    var (bench, states) = await following()
    let session = bench.session(2, of: .grace)
    bench.store.replace(SessionRecord(session: session))
    #expect(await states.next() == .using(session))
  }

  @Test func `a session lost in another process is a loss here, too`() async {
    var (bench, states) = await following()
    bench.store.replace(SessionRecord(formerUser: .ada))
    #expect(await states.next() == .signedOut(.ambiguousLoss))
    #expect(await bench.manager.formerUser == .ada)
  }

  // failure row 1
  @Test func `a store that was locked is read again when it changes`() async {
    let session = AuthSession.sample(1, receivedAt: .noon)
    let bench = Bench(store: ScriptedSessionStore(SessionRecord(session: session), isShared: true))
    bench.store.failReads(with: .locked)
    await bench.manager.restore()
    var states = bench.manager.states().makeAsyncIterator()
    #expect(await states.next() == .unavailable(.locked))
    bench.store.failReads(with: nil)
    bench.store.replace(SessionRecord(session: session))
    #expect(await states.next() == .using(session))
  }

  // failure row 1
  @Test func `a store that cannot be read when it changes signs no user out`() async throws {
    var (bench, states) = await following()
    bench.store.failReads(with: .locked)
    let reads = bench.store.messages.count
    bench.store.replace(nil)
    while bench.store.messages.count == reads { await Task.yield() }
    bench.store.failReads(with: nil)
    bench.store.replace(SessionRecord(session: bench.session(2)))
    #expect(await states.next() == .using(bench.session(2)))
  }

  @Test func `a store that went away is followed again after the next write`() async throws {
    var (bench, states) = await following()
    bench.store.endChanges()
    while bench.store.followers == 0 { try await bench.signIn(as: bench.session(2)) }
    #expect(await states.next() == .using(bench.session(2)))
    _ = await bench.revokedTokens()
    bench.store.replace(nil)
    #expect(await states.next() == .signedOut(.elsewhere))
  }

  @Test(arguments: [false, true])
  func `a write while a store could not be followed shows once it can be followed`(isRefused: Bool) async {
    var (bench, states) = await following()
    bench.store.refuseFollowers(isRefused)
    bench.store.endChanges()
    bench.store.replace(nil)
    await bench.clock.waitForSleepers()
    if isRefused {
      bench.clock.advance(by: .seconds(4))
      await bench.clock.waitForSleepers()
      bench.store.refuseFollowers(false)
    }
    bench.clock.advance(by: .seconds(4))
    #expect(await states.next() == .signedOut(.elsewhere))
    bench.store.replace(SessionRecord(session: bench.session(3)))
    #expect(await states.next() == .using(bench.session(3)))
  }

  @Test func `a store that can be followed only later is read again by the next call`() async throws {
    let bench = Bench(
      store: ScriptedSessionStore(SessionRecord(session: .sample(1, receivedAt: .noon)), isShared: true))
    bench.store.refuseFollowers(true)
    await bench.manager.restore()
    bench.store.replace(nil)
    bench.store.refuseFollowers(false)
    #expect(await bench.manager.restore() == .signedOut(.elsewhere))
  }

  @Test func `a manager that is gone follows nothing any more`() async {
    let clock = ManualClock()
    let store = ScriptedSessionStore(isShared: true)
    do {
      let bench = Bench(store: store, clock: clock)
      await bench.manager.restore()
      bench.store.endChanges()
      await clock.waitForSleepers()
    }
    #expect(store.followers == 0)
  }
}
