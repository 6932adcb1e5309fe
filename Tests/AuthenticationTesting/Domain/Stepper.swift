package import AuthenticationDomain
import Dispatch
import Synchronization

/// Starts calls so that a test knows, without waiting, that each has run as far as it can on its own.
package final class Stepper: TaskExecutor {
  private struct Contents {
    var isStarting = false
    var jobs: [UnownedJob] = []
  }

  private let contents = Mutex(Contents())

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isKept = contents.withLock { contents in
      if contents.isStarting { contents.jobs.append(job) }
      return contents.isStarting
    }
    if !isKept { DispatchQueue.global().async { self.run(job) } }
  }

  package init() {}

  /// Returns when the call waits for something, or has ended.
  package func start<Answer: Sendable>(
    _ call: @escaping @Sendable () async throws(AuthenticationError) -> Answer
  ) -> Task<Result<Answer, AuthenticationError>, Never> {
    contents.withLock { $0.isStarting = true }
    let task = Task(executorPreference: self) { () async -> Result<Answer, AuthenticationError> in
      do throws(AuthenticationError) { return .success(try await call()) } catch { return .failure(error) }
    }
    while let job = next() { run(job) }
    return task
  }

  private func next() -> UnownedJob? {
    contents.withLock { contents in
      contents.isStarting = !contents.jobs.isEmpty
      return contents.jobs.isEmpty ? nil : contents.jobs.removeFirst()
    }
  }

  private func run(_ job: UnownedJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
}
