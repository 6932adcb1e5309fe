public import AuthenticationDomain

/// A moment of the injected clock. It is kept as uptime: setting the wall clock does not move it.
public struct Deadline: Sendable, Hashable {
  /// When it is, by ``AuthenticationClock/uptime``.
  public let uptime: Duration

  /// So long from now.
  public init(in duration: Duration, by clock: any AuthenticationClock) { uptime = clock.uptime + duration }

  /// How long it is until then; zero once it has passed.
  public func timeLeft(by clock: any AuthenticationClock) -> Duration { max(.zero, uptime - clock.uptime) }

  /// Whether it has passed.
  public func isOver(by clock: any AuthenticationClock) -> Bool { clock.uptime >= uptime }

  /// The whole seconds until then, rounded up: 1 until it has passed.
  public func secondsLeft(by clock: any AuthenticationClock) -> Int {
    timeLeft(by: clock).roundedUpSeconds
  }
}
