import Synchronization

/// A moment that one waits for and any number may announce.
final class OneShot: Sendable {
  private enum State {
    case expected
    case awaited(CheckedContinuation<Void, Never>)
    case past
  }

  private let state = Mutex(State.expected)

  func announce() {
    let waiting = state.withLock { state in
      defer { state = .past }
      if case .awaited(let continuation) = state { return Optional(continuation) }
      return nil
    }
    waiting?.resume()
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isPast = state.withLock { state in
        if case .past = state { return true }
        state = .awaited(continuation)
        return false
      }
      if isPast { continuation.resume() }
    }
  }
}
