package import AuthenticationDomain

/// A moment of the injected clock. It is kept as uptime: setting the wall clock does not move it.
public struct Deadline: Sendable, Hashable {
  private let uptime: Duration

  package init(in duration: Duration, by clock: any AuthenticationClock) { uptime = clock.uptime + duration }

  /// Returns how long it is until then; zero once it has passed.
  package func timeLeft(by clock: any AuthenticationClock) -> Duration { max(.zero, uptime - clock.uptime) }

  /// Returns the whole seconds until then, rounded up: 1 until it has passed.
  package func secondsLeft(by clock: any AuthenticationClock) -> Int { timeLeft(by: clock).roundedUpSeconds }

  package func isOver(by clock: any AuthenticationClock) -> Bool { clock.uptime >= uptime }
}

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
