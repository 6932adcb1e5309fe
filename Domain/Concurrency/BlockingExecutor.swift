import Dispatch

/// A serial executor on a thread that may block: a store may wait for a keychain prompt or a bus.
public final class BlockingExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// A queue of its own, so that a blocked store holds up nobody else; `label` names it in a debugger.
  public init(label: String = "AuthenticationKit.AuthManager") {
    queue = DispatchQueue(label: label, qos: .userInitiated)
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedSerialExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}
