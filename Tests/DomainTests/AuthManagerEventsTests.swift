import AuthenticationDomainTesting
import Testing
import Foundation

@testable import AuthenticationDomain

/// The events for a logger or metrics.
@Suite(.timeLimit(.minutes(10))) struct AuthManagerEventsTests {
  /// The events since then, one line each.
  private func told(_ events: AsyncStream<AuthenticationEvent>, by bench: Bench) async -> [String] {
    // The manager's work for a caller has ended once it answers another one.
    _ = await bench.manager.formerUser
    let end = AuthenticationEvent(.storage, detail: "end")
    bench.manager.report(end)
    var words: [String] = []
    for await event in events {
      if event == end { break }
      words.append("\(event)")
    }
    return words
  }

  @Test func `a day of a session is told, with its failures, and without a secret`() async throws {
    let bench = Bench()
    let events = bench.manager.events()
    try await bench.signIn(as: bench.session(1))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(
      .failure(AuthenticationError(.connectionLost, "Lost.")), .success(bench.tokens(2)), .failure(.unreachable))
    let refreshed = try await bench.manager.validSession()
    _ = try? await bench.manager.validSession(rejecting: refreshed.accessToken)
    try await bench.manager.signOut()
    _ = await bench.revokedTokens()
    #expect(
      await told(events, by: bench) == [
        "sign_in 0.0 seconds", "retry failed: connection_lost", "refresh expiry 0.0 seconds",
        "refresh refused 0.0 seconds failed: unreachable", "sign_out requested", "revocation",
      ])
  }

  @Test func `a provider's refusal is told as the end of the session, with its reason`() async throws {
    let bench = Bench(stored: .sample(1, receivedAt: .noon - 3_600))
    await bench.manager.restore()
    let events = bench.manager.events()
    bench.provider.answerRefresh(.failure(.sessionRejected))
    _ = try? await bench.manager.validSession()
    #expect(
      await told(events, by: bench) == [
        "sign_out rejected", "refresh expiry 0.0 seconds failed: session_rejected",
      ])
  }

  @Test func `a sign-in that failed is told with its failure`() async throws {
    let bench = Bench()
    let events = bench.manager.events()
    bench.provider.answerSignIn(.failure(.invalidCredentials))
    _ = try? await bench.manager.signIn(with: .sample)
    #expect(await told(events, by: bench) == ["sign_in 0.0 seconds failed: invalid_credentials"])
  }

  @Test func `a revocation that failed is told with its failure`() async throws {
    let bench = Bench(stored: .sample(1, receivedAt: .noon))
    await bench.manager.restore()
    let events = bench.manager.events()
    bench.provider.answerRevocation(.failure(.unreachable))
    try await bench.manager.signOut()
    await bench.manager.deliverRevocations()
    let words = await told(events, by: bench)
    #expect(words.first == "sign_out requested")
    #expect(words.contains("revocation failed: unreachable"))
  }

  @Test func `a sign-out elsewhere is told when it is noticed`() async throws {
    let bench = Bench(lock: ScriptedSessionLock())
    try await bench.signIn(as: bench.session(1))
    let events = bench.manager.events()
    bench.store.replace(nil)
    bench.clock.advance(by: .seconds(3_600))
    _ = try? await bench.manager.validSession()
    #expect(await told(events, by: bench).first == "sign_out elsewhere")
  }

  @Test func `a store that fails is told`() async throws {
    let bench = Bench()
    let events = bench.manager.events()
    bench.store.failWrites(with: .full)
    try await bench.signIn(as: bench.session(1))
    #expect(await told(events, by: bench) == ["sign_in 0.0 seconds", "storage failed: storage_unavailable"])
  }

  @Test func `a store that cannot be read is told`() async throws {
    let bench = Bench(stored: .sample(1, receivedAt: .noon))
    let events = bench.manager.events()
    bench.store.failReads(with: .locked)
    await bench.manager.restore()
    #expect(await told(events, by: bench) == ["storage failed: storage_unavailable"])
  }

  @Test func `a write elsewhere that meets a change that could not be stored here is a conflict`() async throws {
    let bench = Bench(lock: ScriptedSessionLock())
    try await bench.signIn(as: bench.session(1))
    let known = try #require(bench.store.record)
    bench.store.failWrites(with: .full)
    bench.provider.hold(.revoke)
    try await bench.signIn(as: bench.session(2))
    let events = bench.manager.events()
    bench.store.replace(known.refreshed(to: 3))
    bench.store.failWrites(with: nil)
    try await bench.manager.signOut()
    bench.provider.release(.revoke)
    #expect(await told(events, by: bench).prefix(2) == ["conflict", "sign_out requested"])
  }

  @Test func `a sign-in elsewhere that overrules one's own is a conflict`() async throws {
    let bench = Bench(lock: ScriptedSessionLock())
    try await bench.signIn(as: bench.session(1))
    let events = bench.manager.events()
    bench.store.replace(SessionRecord(session: bench.session(3, of: .grace)))
    await bench.manager.restore()
    try await bench.manager.signOut()
    #expect(await told(events, by: bench).first == "conflict failed: superseded")
  }

  @Test func `a listener that left hears nothing, and the others go on`() async throws {
    let bench = Bench()
    _ = bench.manager.events()
    let events = bench.manager.events()
    try await bench.signIn(as: bench.session(1))
    #expect(await told(events, by: bench) == ["sign_in 0.0 seconds"])
  }
}
