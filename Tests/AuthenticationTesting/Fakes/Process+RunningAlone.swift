package import Foundation
import Synchronization

extension Process {
  private static let launching = Mutex(())

  /// As `run()`, one at a time: of two at once Foundation sometimes reads what is no longer there (Linux).
  package func runAlone() throws {
    try Self.launching.withLock { _ in try run() }
  }
}
