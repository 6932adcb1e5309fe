import Dispatch

/// A serial executor on a thread that may block: a store may wait for a keychain prompt or for D-Bus.
package final class BlockingExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor with a separate queue, so that a blocked store delays no other work.
  ///
  /// - Parameter label: names the queue in a debugger.
  package init(label: String = "AuthenticationKit.SessionKeeper") {
    queue = DispatchQueue(label: label, qos: .userInitiated)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedSerialExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
