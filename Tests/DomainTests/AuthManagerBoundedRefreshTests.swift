import AuthenticationDomain
import AuthenticationDomainTesting
import Synchronization
import Testing
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A provider whose `refresh` never returns. // failure row 17
@Suite(.timeLimit(.minutes(5))) struct AuthManagerBoundedRefreshTests {
  let lock = ScriptedSessionLock()

  /// A bench whose refresh has begun and hangs, once its time is over.
  private func hanging() async throws -> Bench {
    let bench = try await Bench.renewing(lock: lock)
    let caller = bench.startRenewal()
    await bench.provider.waitForArrival(of: .refresh)
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
    #expect(bench.store.record?.unsettledRenewal?.sends == 1)
  }

  @Test func `a refresh that never returned keeps nobody from the next one`() async throws {
    let bench = try await hanging()
    bench.clock.advance(by: .seconds(600))
    let next = bench.startRenewal()
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

  @Test func `a provider has as long for a refresh as the policy says`() async throws {
    let clock = RecordingClock()
    let provider = ScriptedAuthProvider()
    let policy = try RenewalPolicy(earlyWindow: nil, callerTimeout: .seconds(7), refreshTimeout: .seconds(11))
    let expired = SessionRecord(session: .sample(1, receivedAt: .noon - 3_600))
    let manager = AuthManager(
      provider: provider, store: ScriptedSessionStore(expired), clock: clock, policy: policy, random: { 0.5 })
    provider.answerRefresh(.success(.sample(2, receivedAt: .noon)))
    provider.hold(.refresh)
    let caller = Task { try await manager.validSession() }
    await provider.waitForArrival(of: .refresh)
    await clock.upstream.waitForSleepers(2)
    #expect(clock.sleeps.sorted() == [.seconds(7), .seconds(11)])
    provider.release(.refresh)
    #expect(try await caller.value.accessToken.value == Secret("access-2"))
  }
}

/// Remembers for how long anybody wanted to sleep.
private final class RecordingClock: AuthenticationClock {
  let upstream = ManualClock()
  private let recorded = Mutex<[Duration]>([])

  var sleeps: [Duration] { recorded.withLock { $0 } }
  var now: Date { upstream.now }
  var uptime: Duration { upstream.uptime }

  func sleep(for duration: Duration) async throws(CancellationError) {
    recorded.withLock { $0.append(duration) }
    try await upstream.sleep(for: duration)
  }
}
