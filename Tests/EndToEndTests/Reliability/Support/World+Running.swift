import Dispatch
import ReliabilityWorld

extension World {
  /// A world for one test, which may block: the server answers on the threads that all tests share.
  static func run(
    grace: Duration, accessTokenLifetime: Duration = .seconds(3_600), _ body: (World) async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingThreads()) {
      let world = try await World(grace: grace, accessTokenLifetime: accessTokenLifetime)
      do {
        try await body(world)
      } catch {
        await world.end()
        throw error
      }
      await world.end()
    }
  }
}

/// Separate threads for waiting on other processes.
private final class BlockingThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "ReliabilityTests", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
