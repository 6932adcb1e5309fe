package import AuthenticationDomain

/// Calls at one deadline; setting another one replaces it.
@MainActor
package final class Alarm {
  private let clock: any AuthenticationClock
  private var deadline: Deadline?
  private var task: Task<Void, Never>?

  package init(_ clock: any AuthenticationClock) { self.clock = clock }

  deinit { task?.cancel() }

  /// Does nothing if it is set to this deadline already.
  package func set(_ deadline: Deadline?, _ ring: @escaping @MainActor () -> Void = {}) {
    guard deadline != self.deadline else { return }
    self.deadline = deadline
    task?.cancel()
    task = nil
    guard let deadline else { return }
    task = Task { [clock, weak self] in
      guard (try? await clock.sleep(for: deadline.timeLeft(by: clock))) != nil, let self, self.deadline == deadline
      else { return }
      self.deadline = nil
      ring()
    }
  }
}
