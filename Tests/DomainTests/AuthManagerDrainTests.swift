import AuthenticationDomain
import AuthenticationDomainTesting
import Foundation
import Synchronization
import Testing

/// A process that ends while a refresh token is at the provider.
@Suite(.timeLimit(.minutes(10))) struct AuthManagerDrainTests {
  let executor = ManualExecutor()
  let clock = ManualClock()
  let provider = PacedProvider()
  let store = ScriptedSessionStore(SessionRecord(session: .sample(1, receivedAt: .noon - 3_600)))

  private func makeManager(lock: ScriptedSessionLock? = nil) throws -> AuthManager {
    AuthManager(
      provider: provider, store: store, lock: lock, clock: clock,
      policy: try RefreshPolicy(earlyWindow: nil, callerTimeout: .seconds(1)),
      random: { 0.5 }, executor: executor.serial, taskExecutor: executor)
  }

  /// Begins a call, runs it until it waits for something, and returns whether it has ended.
  private func start(_ call: @escaping @Sendable () async -> Void) -> @Sendable () -> Bool {
    let ended = Log()
    Task(executorPreference: executor) {
      await call()
      ended.append("ended")
    }
    executor.drain()
    return { !ended.lines.isEmpty }
  }

  private func advance(by duration: Duration) {
    clock.advance(by: duration)
    executor.drain()
  }

  @Test(arguments: [0, 1, 9]) func `it waits until the response is stored, also if its caller has left`(
    seconds: Int
  ) throws {
    let manager = try makeManager()
    _ = start { _ = try? await manager.validSession() }
    try #require(provider.sent.count == 1)
    let hasEnded = start { await manager.drain() }
    advance(by: .seconds(seconds))
    #expect(!hasEnded())
    provider.answer(0, .success(.sample(2, receivedAt: clock.now)))
    executor.drain()
    #expect(hasEnded())
    #expect(store.record?.session?.tokens.refresh == SessionTokens.sample(2, receivedAt: clock.now).refresh)
    #expect(store.record?.refreshJournal == nil)
  }

  @Test func `it also waits for a response that the manager no longer waits for`() throws {
    let manager = try makeManager()
    _ = start { _ = try? await manager.validSession() }
    advance(by: .seconds(120))
    let hasEnded = start { await manager.drain() }
    #expect(!hasEnded())
    provider.answer(0, .success(.sample(2, receivedAt: clock.now)))
    executor.drain()
    #expect(hasEnded())
    #expect(store.record?.session?.accessToken.value == Secret("access-2"))
  }

  @Test func `it waits also in a task that was cancelled`() throws {
    let manager = try makeManager()
    _ = start { _ = try? await manager.validSession() }
    let ended = Log()
    let task = Task(executorPreference: executor) {
      await manager.drain()
      ended.append("ended")
    }
    task.cancel()
    executor.drain()
    #expect(ended.lines.isEmpty)
    provider.answer(0, .success(.sample(2, receivedAt: clock.now)))
    executor.drain()
    #expect(!ended.lines.isEmpty)
    #expect(store.record?.session?.accessToken.value == Secret("access-2"))
  }

  @Test func `it waits no longer than it is told to, and not at all for nothing`() throws {
    let manager = try makeManager()
    #expect(start { await manager.drain() }())
    let other = try makeManager()
    _ = start { _ = try? await other.validSession() }
    let hasEnded = start { await other.drain(within: .seconds(10)) }
    advance(by: .seconds(10))
    #expect(hasEnded())
    #expect(store.record?.refreshJournal != nil)
  }

  @Test(arguments: [true, false]) func `afterwards no token is sent, and a valid session is still returned`(
    isWaitingForLock: Bool
  ) throws {
    let lock = ScriptedSessionLock()
    if isWaitingForLock { lock.setHeldElsewhere(true) }
    let manager = try makeManager(lock: lock)
    let failure = Mutex<AuthenticationError?>(nil)
    let call = { @Sendable () async -> Void in
      do throws(AuthenticationError) { _ = try await manager.validSession() } catch { failure.withLock { $0 = error } }
    }
    var hasFailed: (@Sendable () -> Bool)?
    if isWaitingForLock { hasFailed = start(call) }
    #expect(start { await manager.drain() }())
    lock.setHeldElsewhere(false)
    let ended = hasFailed ?? start(call)
    advance(by: .milliseconds(500))
    #expect(ended())
    #expect(failure.withLock { $0 } == .cancelled)
    #expect(provider.sent.isEmpty)
    #expect(store.record?.refreshJournal == nil)
  }
}
