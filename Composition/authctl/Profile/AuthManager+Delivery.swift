import AuthenticationKit

extension AuthManager {
  /// Sends what sign-outs still owe the provider, and answers why it could not; what takes longer than the limit is for
  /// a later command.
  @discardableResult
  nonisolated func deliverRevocations(within limit: Duration) async -> [AuthenticationError] {
    let (ends, end) = AsyncStream.makeStream(of: [AuthenticationError].self)
    Task { end.yield(await deliverRevocations()) }
    let alarm = Task {
      try await Task.sleep(for: limit)
      end.finish()
    }
    defer { alarm.cancel() }
    return await ends.first { _ in true } ?? []
  }

  /// Runs a command, then tells the provider what sign-outs before it still owe: also where nobody is signed in.
  nonisolated func deliveringAfterwards<Answer>(
    within limit: Duration = .seconds(5), _ command: () async throws -> Answer
  ) async throws -> Answer {
    let answer: Result<Answer, any Error>
    do { answer = .success(try await command()) } catch { answer = .failure(error) }
    await deliverRevocations(within: limit)
    return try answer.get()
  }
}
