import Synchronization

extension RuntimeSession {
  func states() -> AsyncStream<AuthenticationState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: AuthenticationState.self, bufferingPolicy: .bufferingNewest(1))
    let id = contents.withLock { contents in
      contents.lastListener += 1
      contents.listeners[contents.lastListener] = continuation
      // No consumer reads this stream yet, so this calls nothing back under the lock.
      continuation.yield(contents.state)
      return contents.lastListener
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.contents.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }
}
