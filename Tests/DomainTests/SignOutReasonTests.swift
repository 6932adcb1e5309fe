import AuthenticationDomainTesting
import Testing
import Foundation

@testable import AuthenticationDomain

/// Why the last session ended is said by every later call, after a relaunch and in other processes. // failure row 16
@Suite(.timeLimit(.minutes(10))) struct SignOutReasonTests {
  /// An adapter's error for a refusal that has a name.
  static func refusal(_ providerCode: String?, _ error: AuthenticationError = .sessionRejected) -> AuthenticationError {
    var error = error
    error.providerCode = providerCode
    return error
  }

  /// A bench whose session the provider has just refused to refresh.
  func refused(by error: AuthenticationError, store: ScriptedSessionStore? = nil) async throws -> Bench {
    let bench = Bench(store: store)
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(error))
    await #expect(throws: error) { try await bench.manager.validSession() }
    return bench
  }

  func failure(_ bench: Bench) async -> AuthenticationError? {
    do throws(AuthenticationError) { _ = try await bench.manager.validSession() } catch { return error }
    return nil
  }

  @Test(arguments: [
    refusal("soft_logout"), refusal("USER_DISABLED", .userDisabled), refusal(nil),
    refusal("password_changed", AuthenticationError(code: "own_end", "Ended.", disposition: .endsSession)),
  ])
  func `every later call says why the provider ended the session, also after a relaunch`(
    error: AuthenticationError
  ) async throws {
    let bench = try await refused(by: error)
    let relaunched = Bench(store: bench.store, clock: bench.clock)
    #expect(await relaunched.manager.restore() == .signedOut(.rejected))
    for bench in [bench, relaunched] {
      for _ in 1...2 {
        let failure = await failure(bench)
        #expect(failure == error)
        #expect(failure?.disposition == .endsSession)
        #expect(failure?.providerCode == error.providerCode)
      }
      guard case .signedOut(let reason) = bench.manager.state else { return #expect(Bool(false)) }
      #expect(reason == .rejected)
      #expect(reason.failure == error)
      #expect(reason.providerCode == error.providerCode)
    }
    #expect(bench.refreshes == 1)
    #expect(relaunched.refreshes == 0)
    await #expect(throws: error) { try await relaunched.manager.signIn(with: .unlock) }
  }

  @Test func `a provider's code that is no plain token is not kept`() async throws {
    let bench = try await refused(by: Self.refusal("the password 'secret' was changed"))
    let failure = await failure(bench)
    #expect(failure == .sessionRejected)
    #expect(failure?.providerCode == nil)
    #expect(bench.store.record?.endReason?.providerCode == nil)
  }

  @Test func `the record of an ended session holds no token and no user`() async throws {
    let bench = try await refused(by: Self.refusal("soft_logout"))
    let record = try #require(bench.store.record)
    #expect(record.holdsNothing)
    #expect(record.endReason?.providerCode == "soft_logout")
  }

  @Test func `the next sign-in replaces the reason`() async throws {
    let bench = try await refused(by: .sessionRejected)
    try await bench.signIn(as: bench.session(2))
    #expect(bench.store.record?.endReason == nil)
    #expect(await Bench(store: bench.store, clock: bench.clock).manager.restore().user == .ada)
  }

  @Test(arguments: [true, false])
  func `the user's own sign-out is the reason at the next launch, and no user is kept`(isLost: Bool) async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    if isLost {
      bench.clock.advance(by: .seconds(3_600))
      bench.provider.answerRefresh(.failure(AuthenticationError(.connectionLost, "Lost.")), .failure(.sessionRejected))
      await #expect(throws: AuthenticationError.ambiguousLoss) { try await bench.manager.validSession() }
    }
    try await bench.manager.signOut()
    await bench.manager.deliverRevocations()
    let record = try #require(bench.store.record)
    #expect(record.holdsNothing)
    #expect(record.endReason == .requested)
    let relaunched = Bench(store: bench.store, clock: bench.clock)
    #expect(await relaunched.manager.restore() == .signedOut(.requested))
    let failure = await failure(relaunched)
    #expect(failure == .notSignedIn)
    #expect(failure?.message.contains("requested") == true)
  }

  // failure row 9
  @Test func `the user's own sign-out is the reason also after a loss that could not be stored`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.store.failSaves(with: .full)
    bench.provider.answerRefresh(.failure(AuthenticationError(.connectionLost, "Lost.")), .failure(.sessionRejected))
    await #expect(throws: AuthenticationError.ambiguousLoss) { try await bench.manager.validSession() }
    bench.store.failSaves(with: nil)
    try await bench.manager.signOut()
    #expect(bench.store.record?.endReason == .requested)
    let relaunched = Bench(store: bench.store, clock: bench.clock)
    #expect(await relaunched.manager.restore() == .signedOut(.requested))
  }

  @Test func `a sign-out where no session was ever stored stores nothing`() async throws {
    let bench = Bench()
    try await bench.manager.signOut()
    #expect(bench.store.record == nil)
    #expect(await failure(bench) == .notSignedIn)
  }

  @Test(arguments: [SignOutReason.rejected, .accountDeleted, SignOutReason("of_the_app")])
  func `a session that another process ended says why here`(reason: SignOutReason) async throws {
    let store = ScriptedSessionStore(nil, isShared: true)
    let bench = Bench(store: store, lock: ScriptedSessionLock())
    try await bench.signIn(as: bench.session(1))
    var states = bench.manager.states().makeAsyncIterator()
    #expect(await states.next()?.user == .ada)
    store.replace(SessionRecord(endReason: reason))
    #expect(await states.next() == .signedOut(reason))
  }

  @Test func `another process's sign-out is not this one's`() async throws {
    let store = ScriptedSessionStore(nil, isShared: true)
    let bench = Bench(store: store, lock: ScriptedSessionLock())
    try await bench.signIn(as: bench.session(1))
    var states = bench.manager.states().makeAsyncIterator()
    #expect(await states.next()?.user == .ada)
    store.replace(SessionRecord(endReason: .requested))
    #expect(await states.next() == .signedOut(.elsewhere))
    #expect(await failure(bench)?.message.contains("elsewhere") == true)
  }

  @Test func `a session that came and ended in another process meanwhile says why here`() async throws {
    let store = ScriptedSessionStore(nil, isShared: true)
    let bench = Bench(store: store, lock: ScriptedSessionLock())
    #expect(await bench.manager.restore() == .signedOut(.absent))
    store.replace(SessionRecord(endReason: .rejected))
    #expect(await bench.manager.restore() == .signedOut(.rejected))
    store.replace(SessionRecord(endReason: .requested))
    #expect(await bench.manager.restore() == .signedOut(.elsewhere))
  }

  @Test func `of two ends of one session the user's own is kept, and no user with it`() {
    let base = SessionRecord.of("a", 1)
    var lost = base.refused()
    (lost.formerUser, lost.endReason) = (.ada, .ambiguousLoss)
    for merged in [
      base.signedOut().merged(with: lost, since: base, at: .noon),
      lost.merged(with: base.signedOut(), since: base, at: .noon),
    ] {
      #expect(merged.endReason == .requested)
      #expect(merged.formerUser == nil)
    }
  }
}
