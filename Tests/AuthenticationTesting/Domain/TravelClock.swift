import AuthenticationDomain
import Synchronization
package import Foundation

/// The machine's clocks, moved forward by as much as a test or a demonstration has travelled. Sleeps are real.
package final class TravelClock: AuthenticationClock {
  private let system = SystemClock()
  private let travelled = Mutex(Duration.zero)

  /// Not travelled yet: the machine's own time.
  package init() {}

  package var now: Date { system.now.addingTimeInterval(travelled.withLock { $0 } / .seconds(1)) }
  package var uptime: Duration { system.uptime + travelled.withLock { $0 } }

  package func sleep(for duration: Duration) async throws(CancellationError) {
    try await system.sleep(for: duration)
  }

  /// Moves both clocks forward.
  package func travel(_ duration: Duration) {
    travelled.withLock { $0 += duration }
  }
}
