import AuthenticationDomain
import Foundation
import Synchronization

/// A clock on which every sleep passes at once, and counts as time.
final class SleepRecorder: AuthenticationClock {
  private let slept = Mutex<[Duration]>([])

  let now = Date(timeIntervalSince1970: 1_767_225_600)
  var sleeps: [Duration] { slept.withLock { $0 } }
  var uptime: Duration { sleeps.reduce(.seconds(1_000), +) }

  func sleep(for duration: Duration) async throws(CancellationError) { slept.withLock { $0.append(duration) } }
}
