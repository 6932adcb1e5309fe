import AuthenticationKit

extension RootManager {
  /// Sends what sign-outs still owe the provider, and answers why it could not; what takes longer than the limit is for
  /// a later command.
  @discardableResult
  func deliverRevocations(within limit: Duration) async -> [AuthenticationError] {
    let (ends, end) = AsyncStream.makeStream(of: [AuthenticationError].self)
    Task { end.yield(await deliverRevocations()) }
    let alarm = Task {
      try await Task.sleep(for: limit)
      end.finish()
    }
    defer { alarm.cancel() }
    return await ends.first { _ in true } ?? []
  }
}
