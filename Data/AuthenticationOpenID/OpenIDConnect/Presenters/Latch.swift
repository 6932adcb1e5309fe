import Synchronization

/// Closed until it is opened, once; then all waiters continue. Waiting cannot be cancelled.
final class Latch: Sendable {
  private enum State {
    case closed([CheckedContinuation<Void, Never>])
    case open
  }

  private let state = Mutex(State.closed([]))

  func open() {
    let waiting = state.withLock { state in
      defer { state = .open }
      if case .closed(let waiting) = state { return waiting }
      return []
    }
    for caller in waiting { caller.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .closed(let waiting) = state else { return true }
        state = .closed(waiting + [continuation])
        return false
      }
      if isOpen { continuation.resume() }
    }
  }
}
