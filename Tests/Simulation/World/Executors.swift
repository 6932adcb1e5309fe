/// Where one manager's store is called: every job goes into the world's bag.
final class ManagerExecutor: SerialExecutor {
  private let process: SimulatedProcess

  init(of process: SimulatedProcess) { self.process = process }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedSerialExecutor()
    process.world.add(Job(process: process) { unsafe job.runSynchronously(on: executor) })
  }
}

/// Where all other tasks of one process run: in the same bag.
final class ProcessExecutor: TaskExecutor {
  private let process: SimulatedProcess

  init(of process: SimulatedProcess) { self.process = process }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    process.world.add(Job(process: process) { unsafe job.runSynchronously(on: executor) })
  }
}

/// A piece of work of one process, up to its next suspension.
struct Job {
  let process: SimulatedProcess
  let run: () -> Void
}
