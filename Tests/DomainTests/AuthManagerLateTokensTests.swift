import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// Tokens that come after the provider's time for a refresh is over. // failure row 17
@Suite(.timeLimit(.minutes(10))) struct AuthManagerLateTokensTests {
  let executor = ManualExecutor()
  let clock = ManualClock()
  let provider = PacedProvider()
  let store = ScriptedSessionStore(SessionRecord(session: .sample(1, receivedAt: .noon - 3_600)))
  let lock = ScriptedSessionLock()

  private func makeManager(lock: ScriptedSessionLock?) throws -> AuthManager {
    AuthManager(
      provider: provider, store: store, lock: lock, clock: clock, policy: try RefreshPolicy(earlyWindow: nil),
      random: { 0.5 }, executor: executor.serial, taskExecutor: executor)
  }

  /// Begins a call, and runs it until it waits for something.
  private func start(_ call: @escaping @Sendable () async throws -> Void) {
    Task(executorPreference: executor) { try? await call() }
    executor.drain()
  }

  private func advance(by duration: Duration) {
    clock.advance(by: duration)
    executor.drain()
  }

  private func answer(_ number: Int, _ answer: PacedProvider.Answer) {
    provider.answer(number, answer)
    executor.drain()
  }

  /// A manager whose first refresh came to no end in its time, and which has sent the token again for the next caller.
  private func sendingAgain(lock: ScriptedSessionLock? = nil) throws -> AuthManager {
    let manager = try makeManager(lock: lock)
    start { _ = try await manager.validSession() }
    advance(by: .seconds(120))
    try #require(provider.sent.count == 1)
    start { _ = try await manager.validSession() }
    try #require(provider.sent.count == 2)
    return manager
  }

  @Test func `late tokens are used and stored if nothing has replaced the session`() throws {
    let manager = try sendingAgain()
    answer(0, .success(.sample(2, receivedAt: clock.now)))
    #expect(manager.state.session?.accessToken.value == Secret("access-2"))
    #expect(store.record?.session == manager.state.session)
    #expect(provider.revoked.isEmpty)
  }

  @Test func `a late refusal ends nothing`() throws {
    let manager = try sendingAgain()
    answer(0, .failure(.sessionRejected))
    #expect(manager.state.session == .sample(1, receivedAt: .noon - 3_600))
    answer(1, .success(.sample(2, receivedAt: clock.now)))
    #expect(manager.state.session?.accessToken.value == Secret("access-2"))
  }

  @Test func `late tokens are revoked after a sign-out`() throws {
    let manager = try sendingAgain()
    start { try await manager.signOut() }
    answer(0, .success(.sample(2, receivedAt: clock.now)))
    #expect(provider.revoked.contains(.sample(2, receivedAt: clock.now).withoutIdentity))
    #expect(manager.state == .signedOut(.requested))
    #expect(store.record?.session == nil)
  }

  @Test func `late tokens do not replace those of the second send, which shares their grant`() throws {
    let manager = try sendingAgain()
    answer(1, .success(.sample(3, receivedAt: clock.now)))
    answer(0, .success(.sample(2, receivedAt: clock.now)))
    #expect(manager.state.session?.accessToken.value == Secret("access-3"))
    #expect(store.record?.session == manager.state.session)
    #expect(provider.revoked.isEmpty)
  }

  @Test func `a refresh that never returns keeps the lock for as long as the policy says`() throws {
    let manager = try makeManager(lock: lock)
    start { _ = try await manager.validSession() }
    advance(by: .seconds(119))
    #expect(lock.isStillHeld)
    advance(by: .seconds(1))
    #expect(!lock.isStillHeld)
    #expect(provider.sent.count == 1)
  }

  @Test(arguments: [false, true])
  func `a refresh that late tokens have overtaken does not send its token again`(isShared: Bool) throws {
    let manager = try sendingAgain(lock: isShared ? lock : nil)
    answer(0, .success(.sample(2, receivedAt: clock.now)))
    let refreshed = try #require(manager.state.session)
    start { _ = try await manager.validSession(rejecting: refreshed.accessToken) }
    answer(1, .failure(.unreachable))
    advance(by: .seconds(1))
    #expect(provider.sent.map { $0.accessToken.value.reveal() } == ["access-1", "access-1", "access-2"])
  }
}
