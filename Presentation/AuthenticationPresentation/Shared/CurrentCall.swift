import AuthenticationDomain

/// One call at a time. What comes of a call that was cancelled or replaced reaches nobody.
@MainActor
final class CurrentCall {
  private var task: Task<Void, Never>?
  /// Names the call in progress.
  private(set) var id = 0

  var isRunning: Bool { task != nil }

  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value,
    then show: @escaping @MainActor (Result<Value, AuthenticationError>) -> Void
  ) {
    task?.cancel()
    id += 1
    let id = id
    task = Task { [weak self] in
      let result = await Self.result(of: work)
      guard let self, self.id == id else { return }
      self.task = nil
      show(result)
    }
  }

  func cancel() {
    id += 1
    task?.cancel()
    task = nil
  }

  /// Returns when no call is in progress.
  func finished() async {
    while let task { await task.value }
  }

  nonisolated private static func result<Value: Sendable>(
    of work: @escaping @Sendable () async throws(AuthenticationError) -> Value
  ) async -> Result<Value, AuthenticationError> {
    do throws(AuthenticationError) {
      return .success(try await AbandonableCall.run(work))
    } catch {
      return .failure(error)
    }
  }
}
