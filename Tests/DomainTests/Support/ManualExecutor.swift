import AuthenticationDomain
import Synchronization

/// Runs the jobs of a manager and of its tasks one after the other, when a test says so.
final class ManualExecutor: TaskExecutor {
  private let jobs = Mutex<[@Sendable () -> Void]>([])

  /// Where the manager's store is called.
  var serial: any SerialExecutor { Serial(executor: self) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    add { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs everything that can run; returns when all of it waits for something.
  func drain() { while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { job() } }

  private func add(_ job: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(job) } }

  private final class Serial: SerialExecutor {
    private let executor: ManualExecutor

    init(executor: ManualExecutor) { self.executor = executor }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      executor.add { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
}

/// Answers each refresh when a test says so, also after its caller has left.
final class PacedProvider: RemoteAuthProvider {
  typealias Answer = Result<SessionTokens, AuthenticationError>

  private struct Contents {
    var sent: [AuthSession] = []
    var callers: [CheckedContinuation<Answer, Never>] = []
    var revoked: [SessionTokens] = []
  }

  private let contents = Mutex(Contents())

  /// The sessions whose tokens were sent, in order.
  var sent: [AuthSession] { contents.withLock { $0.sent } }
  /// The tokens to be revoked.
  var revoked: [SessionTokens] { contents.withLock { $0.revoked } }

  /// Answers the refresh of that number, counted from 0; each is answered once.
  func answer(_ number: Int, _ answer: Answer) {
    contents.withLock { $0.callers[number] }.resume(returning: answer)
  }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    throw .unreachable
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await withCheckedContinuation { caller in
      contents.withLock { contents in
        contents.sent.append(session)
        contents.callers.append(caller)
      }
    }.get()
  }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    contents.withLock { $0.revoked.append(tokens) }
  }
}
