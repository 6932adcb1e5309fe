import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// A process finds a refresh which another one has begun and not ended. // failure row 16
@Suite(.timeLimit(.minutes(10))) struct AuthManagerUnresolvedRefreshTests {
  /// The store after a process died in the middle of a refresh, long before the access token's end.
  func bench(refreshesEarly: Bool, lifetime: Duration? = .seconds(3_600)) -> Bench {
    let session = AuthSession.sample(1, receivedAt: .noon, lifetime: lifetime)
    let record = SessionRecord(session: session, refreshJournal: RefreshJournalEntry(begunAt: .noon))
    return Bench(store: ScriptedSessionStore(record, isShared: true), refreshesEarly: refreshesEarly)
  }

  @Test(arguments: [Duration.seconds(3_600), nil])
  func `an app resolves it at once, and no caller waits for that`(lifetime: Duration?) async throws {
    let bench = bench(refreshesEarly: true, lifetime: lifetime)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    bench.provider.hold(.refresh)
    await bench.manager.restore()
    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    await bench.provider.waitForArrival(of: .refresh)
    bench.provider.release(.refresh)
    #expect(await states.next() == .using(bench.session(2)))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(2)).withoutIDs)
  }

  @Test(arguments: [nil, Duration.seconds(60)])
  func `a command resolves it before it does anything else`(lasting: Duration?) async throws {
    let bench = bench(refreshesEarly: false)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession(lasting: lasting) == bench.session(2))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(2)).withoutIDs)
  }

  @Test func `a command that cannot resolve it continues with a valid token`() async throws {
    let bench = bench(refreshesEarly: false)
    bench.provider.answerRefresh(.failure(.unreachable))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    #expect(try await bench.manager.validSession().accessToken.value == Secret("access-1"))
    #expect(bench.refreshes == 1)
    #expect(bench.store.record?.refreshJournal?.sends == 1)
  }

  @Test func `a running process resolves a refresh that another one leaves unresolved`() async throws {
    let bench = bench(refreshesEarly: true)
    let session = try #require(bench.store.record?.session)
    bench.store.replace(SessionRecord(session: session))
    await bench.manager.restore()
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession() == session)
    #expect(bench.refreshes == 0)
    bench.store.replace(SessionRecord(session: session, refreshJournal: RefreshJournalEntry(begunAt: .noon)))
    while bench.refreshes == 0 {
      _ = try await bench.manager.validSession()
      // A call that finds a valid session suspends nowhere, and would keep the thread from the tasks that do the work.
      await Task.yield()
    }
    #expect(bench.provider.refreshes == [session])
  }
}
