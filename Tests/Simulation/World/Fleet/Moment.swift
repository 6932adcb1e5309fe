import AuthenticationDomain
import Foundation

/// A clock that stands at one moment of the fleet's time. The fleet's tokens may be older than its time.
struct Moment: AuthenticationClock {
  private static let origin = 1_000_000.0

  let time: Double

  var now: Date { Date(timeIntervalSince1970: Self.origin + time) }
  var uptime: Duration { .seconds(Self.origin + time) }

  static func time(of uptime: Duration) -> Double { uptime / .seconds(1) - origin }

  func sleep(for duration: Duration) async throws(CancellationError) { throw CancellationError() }
}
