import AuthenticationKit
import Foundation
import ReliabilityWorld

/// The machine's clocks, moved on by the time of the trial; the monotonic one may also go faster, so that the
/// longest wait does not take a minute.
struct SharedClock: AuthenticationClock {
  let passed: PassedTime
  let haste: Int
  private let machine = SystemClock()

  init(_ passed: PassedTime, haste: Int) {
    self.passed = passed
    self.haste = haste
  }

  var now: Date { machine.now.addingTimeInterval(Double(seconds)) }
  var uptime: Duration { machine.uptime * haste + .seconds(seconds) }

  /// A client that cannot tell the time shows nothing.
  private var seconds: Int {
    do { return try passed.seconds } catch { fatalError("The time of the trial cannot be read: \(error)") }
  }

  func sleep(for duration: Duration) async throws(CancellationError) {
    try await machine.sleep(for: duration / haste)
  }
}
