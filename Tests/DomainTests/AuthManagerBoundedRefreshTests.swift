import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// A provider whose `refresh` never returns. // failure row 17
@Suite(.timeLimit(.minutes(10))) struct AuthManagerBoundedRefreshTests {
  let lock = ScriptedSessionLock()

  /// A bench whose refresh has begun and hangs, once its time is over.
  private func hanging() async throws -> Bench {
    let bench = try await Bench.refreshing(lock: lock)
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    await bench.clock.waitForSleepers(2)
    bench.clock.advance(by: .seconds(60))
    #expect(await caller.value == .failure(.timedOut))
    bench.clock.advance(by: .seconds(60))
    await lock.waitForRelease()
    return bench
  }

  @Test func `a refresh that never returns gives the lock back to other processes`() async throws {
    let bench = try await hanging()
    #expect(lock.acquisitions == lock.releases)
    #expect(bench.manager.state.session == .sample(1, receivedAt: .noon))
    // It may be processed yet, and is not sent again at once.
    #expect(bench.refreshes == 1)
    #expect(bench.store.record?.refreshJournal?.sends == 1)
  }

  @Test func `a refresh that never returned keeps no caller from the next one`() async throws {
    let bench = try await hanging()
    bench.clock.advance(by: .seconds(600))
    let next = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh, count: 2)
    bench.provider.release(.refresh)
    #expect(try await next.value.get().accessToken.value == Secret("access-2"))
  }

  @Test func `tokens that come late are used if nothing has replaced the session`() async throws {
    let bench = try await hanging()
    let states = bench.manager.states()
    bench.provider.release(.refresh)
    for await state in states where state.session?.accessToken.value == Secret("access-2") { break }
    #expect(bench.store.record?.session?.accessToken.value == Secret("access-2"))
  }

  @Test func `tokens that come late, after a sign-out, are revoked`() async throws {
    let bench = try await hanging()
    try await bench.manager.signOut()
    bench.provider.release(.refresh)
    while await !bench.revokedTokens().contains(where: { $0.access.value == Secret("access-2") }) { await Task.yield() }
    #expect(bench.manager.state == .signedOut(.requested))
  }
}
