import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

@Suite(.timeLimit(.minutes(10))) struct AuthManagerJournalTests {
  static let lost = AuthenticationError(.connectionLost, "The connection broke.")

  func expired() async throws -> Bench {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    return bench
  }

  // failure row 16
  @Test func `the store knows of a refresh before the provider does`() async throws {
    let bench = try await Bench.refreshing()
    let stored = try #require(bench.store.record)
    let refresh = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    #expect(bench.store.record?.session == stored.session)
    #expect(bench.store.record?.refreshJournal == RefreshJournalEntry(begunAt: bench.clock.now))
    bench.provider.release(.refresh)
    #expect(try await refresh.value.get() == bench.session(2))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(2), signedInAt: .noon))
  }

  // failure row 16
  @Test func `a lost answer is asked for once more at once, with the same token`() async throws {
    let bench = try await expired()
    bench.provider.answerRefresh(.failure(Self.lost), .success(bench.tokens(2)))
    #expect(try await bench.manager.validSession() == bench.session(2))
    #expect(
      bench.provider.refreshes.map(\.tokens.refresh) == [
        Secret("refresh-1"), Secret("refresh-1"),
      ])
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(2), signedInAt: .noon))
  }

  // failure row 16
  @Test func `an answer that is lost twice fails for now, and keeps the session`() async throws {
    let bench = try await expired()
    let stored = bench.store.record?.session
    bench.provider.answerRefresh(.failure(Self.lost))
    await #expect(throws: Self.lost) { try await bench.manager.validSession() }
    #expect(bench.refreshes == 2)
    #expect(bench.store.record?.session == stored)
    #expect(bench.store.record?.refreshJournal?.sends == 2)
    await #expect(throws: Self.lost) { try await bench.manager.validSession() }
    #expect(bench.refreshes == 3)
  }

  // failure row 9
  @Test func `a disk too full to store the former user keeps the session that names the user`() async throws {
    let bench = try await expired()
    bench.store.failSaves(with: .full)
    bench.provider.answerRefresh(.failure(AuthenticationError(.connectionLost, "Lost.")), .failure(.sessionRejected))
    await #expect(throws: AuthenticationError.ambiguousLoss) { try await bench.manager.validSession() }
    #expect(await bench.manager.formerUser == .ada)
    #expect(bench.store.record?.session?.user == .ada)
  }

  // failure row 16
  @Test(arguments: [
    AuthenticationError.connectionLost, .timedOut, .unexpectedResponse, .responseTooLarge, .serverFailed,
  ])
  func `a refusal after a lost response is an ambiguous loss, and names the former user`(
    code: AuthenticationError
  ) async throws {
    let bench = try await expired()
    bench.provider.answerRefresh(.failure(AuthenticationError(code, "Lost.")), .failure(.sessionRejected))
    await #expect(throws: AuthenticationError.ambiguousLoss) { try await bench.manager.validSession() }
    #expect(bench.manager.state == .signedOut(.ambiguousLoss))
    #expect(await bench.manager.formerUser == .ada)
    let later = Bench(store: bench.store, clock: bench.clock)
    #expect(await later.manager.restore() == .signedOut(.ambiguousLoss))
    #expect(await later.manager.formerUser == .ada)
  }

  // failure row 16
  @Test func `a process that died while it refreshed is followed by one that asks again`() async throws {
    let bench = try await Bench.refreshing()
    let stored = try #require(bench.store.record?.session)
    let dying = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    let next = Bench(store: bench.store, clock: bench.clock)
    next.provider.answerRefresh(.failure(.sessionRejected))
    await #expect(throws: AuthenticationError.ambiguousLoss) { try await next.manager.validSession() }
    #expect(next.provider.refreshes == [stored])
    #expect(await next.manager.restore() == .signedOut(.ambiguousLoss))
    bench.provider.release(.refresh)
    _ = await dying.value
  }

  @Test func `a refusal of a token that was never sent before is the provider's decision`() async throws {
    let bench = try await expired()
    bench.provider.answerRefresh(.failure(.sessionRejected))
    await #expect(throws: AuthenticationError.sessionRejected) { try await bench.manager.validSession() }
    #expect(bench.manager.state == .signedOut(.rejected))
    #expect(await bench.manager.formerUser == nil)
    #expect(bench.store.record?.holdsNothing != false)
  }

  @Test(arguments: [
    AuthenticationError.unreachable, .rateLimited, .insecureConnection, .endpointMissing, .clientRejected,
    .insufficientUserAuthentication,
  ])
  func `a request the provider never used is no send`(code: AuthenticationError) async throws {
    let bench = try await expired()
    bench.provider.answerRefresh(.failure(AuthenticationError(code, "Not processed.")), .failure(.sessionRejected))
    await #expect(throws: AuthenticationError(code, "")) { try await bench.manager.validSession() }
    #expect(bench.refreshes == 1)
    #expect(bench.store.record?.refreshJournal == nil)
    await #expect(throws: AuthenticationError.sessionRejected) { try await bench.manager.validSession() }
  }

  @Test func `a request that was never used does not resolve the one before it`() async throws {
    let bench = try await expired()
    var failed = AuthenticationError(.serverFailed, "It said server_error.")
    failed.providerCode = "server_error"
    bench.provider.answerRefresh(.failure(failed), .failure(.unreachable), .failure(.sessionRejected))
    await #expect(throws: failed) { try await bench.manager.validSession() }
    await #expect(throws: AuthenticationError.unreachable) { try await bench.manager.validSession() }
    #expect(bench.store.record?.refreshJournal?.sends == 1)
    bench.clock.advance(by: .seconds(300))
    await #expect(throws: AuthenticationError.ambiguousLoss) { try await bench.manager.validSession() }
  }

  @Test func `a provider that says when to come back is not asked again at once`() async throws {
    let bench = try await expired()
    var busy = AuthenticationError(.serverFailed, "503")
    busy.retryAfter = .seconds(5)
    bench.provider.answerRefresh(.failure(busy))
    await #expect(throws: busy) { try await bench.manager.validSession() }
    #expect(bench.refreshes == 1)
  }

  @Test func `a provider that says why it failed is not asked again at once`() async throws {
    let bench = try await expired()
    var said = AuthenticationError(.unexpectedResponse, "It said server_error.")
    said.providerCode = "server_error"
    bench.provider.answerRefresh(.failure(said))
    await #expect(throws: said) { try await bench.manager.validSession() }
    #expect(bench.refreshes == 1)
  }

  @Test func `a sign-in and a sign-out both forget the user who lost a session`() async throws {
    for signsIn in [true, false] {
      let bench = try await expired()
      bench.provider.answerRefresh(.failure(Self.lost), .failure(.sessionRejected))
      await #expect(throws: AuthenticationError.ambiguousLoss) { try await bench.manager.validSession() }
      if signsIn {
        try await bench.signIn(as: bench.session(5, of: .grace))
        #expect(
          bench.store.record?.withoutIDs
            == SessionRecord(session: bench.session(5, of: .grace), signedInAt: .noon + 3_600))
      } else {
        try await bench.manager.signOut()
        #expect(bench.store.record?.holdsNothing != false)
        #expect(bench.manager.state == .signedOut(.requested))
      }
      #expect(await bench.manager.formerUser == nil)
    }
  }

  // failure row 20
  @Test func `a sign-out between a lost answer and the next send ends the refresh`() async throws {
    let bench = try await Bench.refreshing(answering: .failure(Self.lost))
    let refresh = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    try await bench.manager.signOut()
    bench.provider.release(.refresh)
    #expect(await refresh.value == .failure(.notSignedIn))
    _ = await bench.revokedTokens()
    #expect(bench.refreshes == 1)
    #expect(bench.store.record?.holdsNothing != false)
  }

  // failure row 9
  @Test func `a full disk does not keep a session from being refreshed`() async throws {
    let bench = try await expired()
    bench.store.failWrites(with: .full)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.validSession() == bench.session(2))
    #expect(bench.manager.state == .using(bench.session(2), unsaved: .full))
  }

  // failure row 9
  @Test func `a crash while the journal could not be written leaves a loss that looks like the provider's decision`()
    async throws
  {
    let bench = try await expired()
    bench.store.failWrites(with: .full)
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    _ = try await bench.manager.validSession()
    let next = Bench(store: bench.store, clock: bench.clock)
    next.provider.answerRefresh(.failure(.sessionRejected))
    await #expect(throws: AuthenticationError.sessionRejected) { try await next.manager.validSession() }
    #expect(next.manager.state.session == nil)
  }
}
