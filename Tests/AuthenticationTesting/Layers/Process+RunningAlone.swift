package import Foundation
import Synchronization

extension Process {
  private static let launching = Mutex(())

  /// As `run()`, one at a time: of two at once Foundation sometimes reads what is no longer there (Linux).
  package func runAlone() throws {
    try Self.launching.withLock { _ in
      // With many open files Foundation reads up to 256 bytes beyond a buffer: whatever follows that must be mapped.
      unsafe UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16).deallocate()
      try run()
    }
  }
}
