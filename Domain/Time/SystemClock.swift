public import Foundation

/// The clocks of the machine.
public struct SystemClock: AuthenticationClock {
  private static let start = ContinuousClock.now

  /// Every instance returns the same time.
  public init() {}

  public var now: Date { Date() }
  public var uptime: Duration { Self.start.duration(to: .now) }

  public func sleep(for duration: Duration) async throws(CancellationError) {
    do {
      try await Task.sleep(for: duration, clock: .continuous)
    } catch {
      throw CancellationError()
    }
  }
}
