import AuthenticationDomainTesting
import Synchronization
import Testing

@testable import AuthenticationDomain

/// The snapshot that every request reads, behind its lock.
@Suite struct RuntimeSessionTests {
  let runtime = RuntimeSession()
  let session = AuthSession.sample(receivedAt: .noon)

  private func publish(_ times: RuntimeSession.Times) {
    runtime.publish(.using(session), usable: session, times: times)
  }

  private func starts(at uptime: Duration, asks: Int = 100) -> Int {
    var starts = 0
    for _ in 0..<asks { #expect(runtime.session(at: uptime, refreshEarly: { starts += 1 }) == session) }
    return starts
  }

  @Test func `of all who ask after the early point one starts the refresh, and all have the token at once`() {
    publish(.init(refreshEarlyAt: .seconds(10), refreshAt: .seconds(20)))
    #expect(starts(at: .milliseconds(9_999)) == 0)
    #expect(starts(at: .seconds(10)) == 1)
    #expect(starts(at: .seconds(15)) == 0)
    publish(.init(refreshEarlyAt: .seconds(17), refreshAt: .seconds(20)))
    #expect(starts(at: .seconds(17)) == 1)
  }

  @Test func `a caller that has to wait anyway starts nothing in the background`() {
    publish(.init(refreshEarlyAt: .seconds(10), refreshAt: .seconds(20)))
    #expect(runtime.session(at: .seconds(20), refreshEarly: { Issue.record("Two refreshes for one token.") }) == nil)
  }

  // failure row 17
  @Test func `a caller that gives up after its answer ends no wait for a later refresh`() async throws {
    runtime.publish(.using(session, .stale), usable: nil, times: .init())
    let executor = HeldExecutor()
    let first = executor.start { [runtime] in await Self.refreshed(runtime) }
    runtime.resumeWaiters(session, failure: nil)
    let second = executor.start { [runtime] in await Self.refreshed(runtime) }
    first.cancel()
    runtime.resumeWaiters(session, failure: nil)
    executor.runAll()
    #expect(await first.value == .success(session))
    #expect(await second.value == .success(session))
  }

  private static func refreshed(_ runtime: RuntimeSession) async -> Result<AuthSession, AuthenticationError> {
    let answer = await runtime.refreshed(at: .zero, rejecting: nil, lasting: nil) { _ in }
    do throws(AuthenticationError) {
      return .success(try answer.get(lasting: nil, at: .zero))
    } catch {
      return .failure(error)
    }
  }
}

/// Runs a task only when told to, so that a woken task waits.
private final class HeldExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Returns when the call waits for something; earlier calls continue to wait.
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
