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
