import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthManagerRefreshTests {
  // origin B9
  @Test func `a request is never sent with a stale token`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(.unreachable), .success(bench.tokens(2)))

    await #expect(throws: AuthenticationError.unreachable) { try await bench.manager.validSession() }
    #expect(bench.manager.state.activeSession?.freshness == .stale)
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
    #expect(bench.manager.state.activeSession?.freshness == .fresh)
    #expect(bench.refreshes == 2)
  }

  @Test func `a token that is valid is given without asking anybody`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .milliseconds(3_539_999))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    #expect(bench.refreshes == 0)
  }

  // failure row 25
  @Test func `a token is refreshed one minute before its end`() async throws {
    let bench = Bench()
    let session = bench.session(1)
    try await bench.signIn(as: session)
    bench.clock.advance(by: .seconds(3_540))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-2"))
    #expect(bench.provider.refreshes == [session])
  }

  // failure row 10
  @Test func `a refreshed session survives a restart`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    for number in 2...4 {
      bench.clock.advance(by: .seconds(3_600))
      bench.provider.answerRefresh(.success(bench.tokens(number)))
      let refreshed = try await bench.manager.validSession()
      #expect(refreshed == bench.session(number))
      #expect(await Bench(store: bench.store, clock: bench.clock).manager.restore() == .using(refreshed))
    }
  }

  // failure row 9
  @Test func `a refreshed session that cannot be stored is used, marked, and stored later`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    let refreshed = bench.session(2)
    bench.provider.answerRefresh(.success(refreshed.tokens))
    bench.store.failWrites(with: .full)
    #expect(try await bench.manager.validSession() == refreshed)
    #expect(bench.manager.state == .using(refreshed, unsaved: .full))

    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    await bench.clock.waitForSleeper(wakingWithin: .milliseconds(500))
    bench.store.failWrites(with: nil)
    bench.clock.advance(by: .milliseconds(500))
    #expect(await states.next() == .using(refreshed))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: refreshed, signedInAt: .noon))
  }

  @Test func `a rejected refresh signs out, erases the session and tells everyone why`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(.sessionRejected))
    await #expect(throws: AuthenticationError.sessionRejected) { try await bench.manager.validSession() }
    #expect(bench.manager.state == .signedOut(.rejected))
    #expect(bench.store.record?.holdsNothing != false)
    await #expect(throws: AuthenticationError.sessionRejected) { try await bench.manager.validSession() }
    #expect(bench.refreshes == 1)
  }

  // failure row 31
  @Test func `a late refusal of an older token refreshes nothing`() async throws {
    let bench = Bench()
    let old = bench.session(1)
    try await bench.signIn(as: old)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    let refreshed = try await bench.manager.validSession(rejecting: old.accessToken)
    #expect(refreshed == bench.session(2))
    #expect(try await bench.manager.validSession(rejecting: old.accessToken) == refreshed)
    #expect(bench.refreshes == 1)
  }

  // failure row 30
  @Test func `a refused token is not given again while its refresh fails`() async throws {
    let bench = Bench()
    let session = bench.session(1)
    try await bench.signIn(as: session)
    bench.provider.answerRefresh(.failure(.unreachable))
    for _ in 0..<2 {
      await #expect(throws: AuthenticationError.unreachable) {
        try await bench.manager.validSession(rejecting: session.accessToken)
      }
      await #expect(throws: AuthenticationError.unreachable) { try await bench.manager.validSession() }
    }
    #expect(bench.manager.state == .using(session, .stale))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: session, signedInAt: .noon))
  }

  @Test func `a refused token without a refresh token has expired`() async throws {
    let bench = Bench()
    let session = bench.session(canRefresh: false)
    try await bench.signIn(as: session)
    await #expect(throws: AuthenticationError.sessionExpired) {
      try await bench.manager.validSession(rejecting: session.accessToken)
    }
    await #expect(throws: AuthenticationError.sessionExpired) { try await bench.manager.validSession() }
    #expect(bench.manager.state == .using(session, .expired))
    #expect(bench.refreshes == 0)
  }

  @Test func `a caller may ask for a token that lasts`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_299))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    let early = try await bench.manager.validSession(lasting: .seconds(300))
    #expect(early.accessToken.value == Secret("access-1"))
    bench.clock.advance(by: .seconds(1))
    let late = try await bench.manager.validSession(lasting: .seconds(300))
    #expect(late.accessToken.value == Secret("access-2"))
  }

  // failure row 24
  @Test func `a token of unknown lifetime is used until it is refused`() async throws {
    let bench = Bench()
    let session = AuthSession.sample(receivedAt: .noon, lifetime: nil)
    try await bench.signIn(as: session)
    bench.clock.advance(by: .seconds(31_536_000))
    #expect(try await bench.manager.validSession() == session)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession(rejecting: session.accessToken) == bench.session(2))
  }
}
