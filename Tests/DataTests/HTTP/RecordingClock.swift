import AuthenticationDomain
import Foundation
import Synchronization

/// A clock that lets every sleep pass at once, and records how long each one was to last.
final class RecordingClock: AuthenticationClock {
  private let slept = Mutex<[Duration]>([])

  let now = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01 00:00:00 UTC
  var uptime: Duration { sleeps.reduce(.zero, +) }
  var sleeps: [Duration] { slept.withLock { $0 } }

  func sleep(for duration: Duration) async throws(CancellationError) { slept.withLock { $0.append(duration) } }
}
