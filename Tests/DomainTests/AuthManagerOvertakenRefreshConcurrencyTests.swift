import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// Calls that arrive while a refresh is in flight.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerOvertakenRefreshConcurrencyTests {
  // failure row 20
  @Test(arguments: AuthManagerSignInConcurrencyTests.SigningOut.allCases)
  func `a refresh answered after the sign-out revives no session, and its tokens are revoked`(
    signOut: AuthManagerSignInConcurrencyTests.SigningOut
  ) async throws {
    let bench = try await Bench.refreshing()
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    try await signOut(bench.manager)
    #expect(await caller.value == .failure(.notSignedIn))
    bench.provider.release(.refresh)
    await bench.provider.waitForArrival(of: .revoke, count: signOut == .out ? 2 : 1)
    #expect(await bench.revokedTokens().last == bench.tokens(2))
    #expect(bench.manager.state == .signedOut(.requested))
    #expect(bench.store.record?.holdsNothing != false)
  }

  // failure row 22
  @Test func `signing in as another user answers no caller with the first user's session`() async throws {
    let bench = try await Bench.refreshing()
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    let grace = bench.session(3, of: .grace)
    try await bench.signIn(as: grace)
    #expect(await caller.value == .failure(.superseded))
    bench.provider.release(.refresh)
    await bench.provider.waitForArrival(of: .revoke, count: 2)
    #expect(await bench.revokedTokens().last == bench.tokens(2))
    #expect(bench.manager.state == .using(grace))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: grace, signedInAt: .noon + 3_600))
  }

  // failure row 21
  @Test(arguments: [AuthenticationError.unreachable, .sessionRejected])
  func `an old refresh that fails does not touch the session after it`(error: AuthenticationError) async throws {
    let bench = try await Bench.refreshing(answering: .failure(error))
    let caller = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    let again = bench.session(3)
    try await bench.signIn(as: again)
    #expect(await caller.value == .success(again))

    // The next refresh waits for its own answer, not for the old one.
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.success(bench.tokens(4)))
    let next = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh, count: 2)
    bench.provider.release(.refresh)
    #expect(await next.value == .success(bench.session(4)))
    _ = await bench.revokedTokens()
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(4), signedInAt: .noon + 3_600))
  }

  // failure row 20
  @Test func `a second sign-out while the first refresh still runs revives no session either`() async throws {
    let bench = try await Bench.refreshing()
    let first = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    try await bench.manager.signOut()
    try await bench.signIn(as: bench.session(3))
    try await bench.manager.signOut()
    bench.provider.release(.refresh)
    #expect(await first.value == .failure(.notSignedIn))
    await bench.provider.waitForArrival(of: .revoke, count: 3)
    #expect(await Set(bench.revokedTokens().map(\.access.value)) == Set((1...3).map { Secret("access-\($0)") }))
    #expect(bench.store.record?.holdsNothing != false)
  }

  // failure row 21
  @Test func `the provider's response to an old refresh does not delay the next session's refresh`() async throws {
    let lock = ScriptedSessionLock()
    let bench = try await Bench.refreshing(
      answering: .failure(.rateLimited.with(\.retryAfter, .seconds(30))), lock: lock)
    let first = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    let again = bench.session(3)
    try await bench.signIn(as: again)
    #expect(await first.value == .success(again))
    bench.provider.release(.refresh)
    await lock.waitForRelease()

    bench.provider.answerRefresh(.success(bench.tokens(4)))
    #expect(try await bench.manager.validSession(rejecting: again.accessToken) == bench.session(4))
    #expect(bench.refreshes == 2)
  }
}
