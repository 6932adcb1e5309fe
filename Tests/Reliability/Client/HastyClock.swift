import AuthenticationKit
import Foundation

/// The machine's clocks, whose monotonic one goes faster, so that the longest wait does not take a minute.
struct HastyClock: AuthenticationClock {
  private let haste: Int
  private let machine = SystemClock()

  init(_ haste: Int) { self.haste = haste }

  var now: Date { machine.now }
  var uptime: Duration { machine.uptime * haste }

  func sleep(for duration: Duration) async throws(CancellationError) {
    try await machine.sleep(for: duration / haste)
  }
}
