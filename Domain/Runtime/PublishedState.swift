import Synchronization

/// The latest state, read without waiting, and its listeners.
final class PublishedState: Sendable {
  private let latest = Mutex(AuthenticationState.unknown)
  private let listeners = Broadcast<AuthenticationState>()

  var value: AuthenticationState { latest.withLock { $0 } }

  /// The state now, then each later one.
  func values() -> AsyncStream<AuthenticationState> {
    // Under the lock: a state that is published meanwhile is sent afterwards.
    latest.withLock { listeners.values(startingWith: $0, keeping: 1) }
  }

  func publish(_ state: AuthenticationState) {
    let isNew = latest.withLock { latest in
      defer { latest = state }
      return latest != state
    }
    if isNew { listeners.send(state) }
  }
}
