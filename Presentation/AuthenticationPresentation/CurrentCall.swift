package import AuthenticationDomain

/// One call at a time. The result of a call that was cancelled or replaced is dropped.
@MainActor
package final class CurrentCall {
  private var task: Task<Void, Never>?
  private var id = 0

  package init() {}

  package var isRunning: Bool { task != nil }

  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value,
    then show: @escaping @MainActor (Result<Value, AuthenticationError>) -> Void
  ) {
    task?.cancel()
    id += 1
    let id = id
    task = Task { [weak self] in
      let result = await Result.of { () async throws(AuthenticationError) in try await AbandonableCall.run(work) }
      guard let self, self.id == id else { return }
      self.task = nil
      show(result)
    }
  }

  package func cancel() {
    id += 1
    task?.cancel()
    task = nil
  }

  /// Returns when no call is in progress.
  package func finished() async {
    while let task { await task.value }
  }
}
