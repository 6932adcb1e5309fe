import AuthenticationDomain

extension AuthenticationClock {
  /// Returns the task's result; nil if it takes longer than `limit`, or the caller is cancelled. The task continues.
  @discardableResult
  func wait<Answer: Sendable>(for task: Task<Answer, Never>, atMost limit: Duration) async -> Answer? {
    let (answers, answer) = AsyncStream.makeStream(of: Answer.self)
    Task {
      answer.yield(await task.value)
      answer.finish()
    }
    let alarm = Task {
      try? await sleep(for: limit)
      answer.finish()
    }
    defer { alarm.cancel() }
    return await answers.first { _ in true }
  }
}
