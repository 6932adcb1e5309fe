import Synchronization

/// The listeners of ``AuthManager/events()``.
final class EventMonitor: Sendable {
  private struct Contents {
    var last = 0
    var listeners: [Int: AsyncStream<AuthenticationEvent>.Continuation] = [:]
  }

  private let contents = Mutex(Contents())

  deinit {
    for listener in contents.withLock({ $0.listeners.values }) { listener.finish() }
  }

  func events() -> AsyncStream<AuthenticationEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: AuthenticationEvent.self, bufferingPolicy: .bufferingNewest(64))
    let id = contents.withLock { contents in
      contents.last += 1
      contents.listeners[contents.last] = continuation
      return contents.last
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.contents.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  func report(_ event: AuthenticationEvent) {
    for listener in contents.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
  }
}
