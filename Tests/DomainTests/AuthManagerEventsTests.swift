import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// What a logger or metrics are told.
@Suite(.timeLimit(.minutes(5))) struct AuthManagerEventsTests {
  private func words(_ count: Int, from events: AsyncStream<AuthenticationEvent>) async -> [String] {
    var words: [String] = []
    for await event in events.prefix(count) { words.append("\(event)") }
    return words
  }

  @Test func `a day of a session is told, with its failures, and without a secret`() async throws {
    let bench = Bench()
    let events = bench.manager.events()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(
      .failure(AuthenticationError(.connectionLost, "Lost.")), .success(bench.tokens(2)), .failure(.unreachable))
    let renewed = try await bench.manager.validSession()
    _ = try? await bench.manager.validSession(rejecting: renewed.accessToken)
    try await bench.manager.signOut()
    let told = await words(6, from: events)
    #expect(
      told == [
        "sign_in 0.0 seconds", "retry failed: connection_lost", "refresh expiry 0.0 seconds",
        "refresh refused 0.0 seconds failed: unreachable", "sign_out requested", "revocation",
      ])
  }

  @Test func `a store that fails is told`() async throws {
    let bench = Bench()
    let events = bench.manager.events()
    bench.store.failWrites(with: .full)
    try await bench.signIn(as: bench.session(1))
    #expect(await words(2, from: events) == ["sign_in 0.0 seconds", "storage failed: storage_unavailable"])
  }

  @Test func `a sign-in elsewhere that overrules one's own is a conflict`() async throws {
    let bench = Bench(lock: ScriptedSessionLock())
    try await bench.signIn(as: bench.session(1))
    let events = bench.manager.events()
    bench.store.replace(try #require(bench.store.record).signedIn("other", 2))
    bench.store.replace(SessionRecord(session: bench.session(3, of: .grace)))
    await bench.manager.restore()
    try await bench.manager.signOut()
    #expect(await words(1, from: events).first == "conflict failed: superseded")
  }

  @Test func `a listener that left hears nothing, and the others go on`() async throws {
    let bench = Bench()
    _ = bench.manager.events()
    let events = bench.manager.events()
    try await bench.signIn(as: bench.session(1))
    #expect(await words(1, from: events) == ["sign_in 0.0 seconds"])
  }
}
