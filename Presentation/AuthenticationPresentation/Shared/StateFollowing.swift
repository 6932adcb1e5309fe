import AuthenticationDomain

/// Follows who is signed in, until it is released.
@MainActor
final class StateFollowing {
  private var task: Task<Void, Never>?

  deinit { task?.cancel() }

  /// Shows the state now, then each later one. An element only signals that there is one: it may be outdated by now.
  func follow(_ control: any SessionControl, _ show: @escaping @MainActor (AuthenticationState) -> Void) {
    let states = control.states()
    task = Task {
      for await _ in states { show(control.state) }
    }
  }
}
