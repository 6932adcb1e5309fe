/// The listeners of ``AuthManager/events()``.
final class EventMonitor: Sendable {
  private let broadcast = Broadcast<AuthenticationEvent>()

  func events() -> AsyncStream<AuthenticationEvent> { broadcast.values(keeping: 64) }

  func report(_ event: AuthenticationEvent) { broadcast.send(event) }
}
