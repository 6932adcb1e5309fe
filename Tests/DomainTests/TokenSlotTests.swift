import AuthenticationDomainTesting
import Synchronization
import Testing

@testable import AuthenticationDomain

/// The access token that each request reads, and the callers that wait for it.
@Suite struct TokenSlotTests {
  let clock = ManualClock()
  let slot: TokenSlot
  let session = AuthSession.sample(receivedAt: .noon, lifetime: .seconds(3_600))

  init() {
    // Refreshed early from 2,460 seconds on, by callers that wait from 3,540 on.
    let backoff = Backoff(base: .seconds(1), cap: .seconds(1), random: { 0 })
    slot = TokenSlot(policy: try! RefreshPolicy(earlyWindow: 0.3...0.3), clock: clock, backoff: backoff)
    slot.follow(session, generation: 0, canRefresh: true)
    slot.publish(session)
  }

  private func starts(asks: Int = 100) -> Int {
    var starts = 0
    for _ in 0..<asks { #expect(slot.usable { starts += 1 } == session) }
    return starts
  }

  @Test func `of all callers after the early point one starts the refresh, and all have the token at once`() {
    clock.advance(by: .milliseconds(2_459_999))
    #expect(starts() == 0)
    clock.advance(by: .milliseconds(1))
    #expect(starts() == 1)
    clock.advance(by: .seconds(5))
    #expect(starts() == 0)
    slot.publish(session)
    #expect(starts() == 1)
  }

  @Test func `a caller that has to wait anyway starts nothing in the background`() {
    clock.advance(by: .milliseconds(3_539_999))
    #expect(starts() == 1)
    clock.advance(by: .milliseconds(1))
    #expect(slot.usable { Issue.record("Two refreshes for one token.") } == nil)
  }

  @Test func `a token that is not refreshed in the background is returned until callers have to wait`() {
    let slot = TokenSlot(policy: .onDemand, clock: clock, backoff: Backoff(base: .seconds(1), cap: .seconds(1)) { 0 })
    slot.follow(session, generation: 0, canRefresh: true)
    slot.publish(session)
    clock.advance(by: .milliseconds(3_539_999))
    #expect(slot.usable { Issue.record("Nothing is due.") } == session)
    clock.advance(by: .milliseconds(1))
    #expect(slot.usable {} == nil)
  }

  @Test func `a token of unknown lifetime is returned until another one is published`() {
    let endless = AuthSession.sample(2, receivedAt: .noon, lifetime: nil)
    slot.follow(endless, generation: 0, canRefresh: true)
    slot.publish(endless)
    clock.advance(by: .seconds(1_000_000))
    #expect(slot.usable { Issue.record("Nothing is due.") } == endless)
    slot.publish(nil)
    #expect(slot.usable {} == nil)
  }

  // failure row 17
  @Test func `a caller that gives up after its answer ends no wait for a later refresh`() async throws {
    slot.publish(nil)
    let executor = HeldExecutor()
    let first = executor.start { [slot] in await Self.refreshed(slot) }
    slot.resume(session, failure: nil)
    let second = executor.start { [slot] in await Self.refreshed(slot) }
    first.cancel()
    slot.resume(session, failure: nil)
    executor.runAll()
    #expect(await first.value == .success(session))
    #expect(await second.value == .success(session))
  }

  private static func refreshed(_ slot: TokenSlot) async -> Result<AuthSession, AuthenticationError> {
    do throws(AuthenticationError) {
      return .success(try await slot.session(rejecting: nil, lasting: nil, reject: { _ in }, start: {}))
    } catch {
      return .failure(error)
    }
  }
}

/// Runs a task only when told to, so that a resumed task waits.
private final class HeldExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Returns when the call waits for something; jobs that are held already stay held.
  func start<Answer: Sendable>(_ call: @escaping @Sendable () async -> Answer) -> Task<Answer, Never> {
    let held = take()
    let task = Task(executorPreference: self) { await call() }
    runAll()
    jobs.withLock { $0 += held }
    return task
  }

  func runAll() {
    while let job = take(1).first { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func take(_ count: Int = .max) -> [UnownedJob] {
    jobs.withLock { jobs in
      defer { jobs.removeFirst(min(count, jobs.count)) }
      return Array(jobs.prefix(count))
    }
  }
}
