import AuthenticationKit

extension AuthManager {
  /// Sends what sign-outs still owe the provider, but keeps nobody waiting: the rest is for a later command.
  nonisolated func deliverRevocations(within limit: Duration) async {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    Task {
      await deliverRevocations()
      end.finish()
    }
    Task {
      try? await Task.sleep(for: limit)
      end.finish()
    }
    for await _ in ends {}
  }
}
