package import Foundation
import Synchronization

#if os(macOS) || os(Linux)
/// A program that a test starts.
package typealias ChildProcess = Process

extension ChildProcess {
  private static let launching = Mutex(())

  /// As `run()`, one at a time: of two at once Foundation sometimes reads freed memory (Linux).
  package func runAlone() throws {
    try Self.launching.withLock { _ in
      // With many open files Foundation reads up to 256 bytes beyond a buffer: the memory after it must be mapped.
      unsafe UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16).deallocate()
      try run()
    }
  }
}
#else
/// Stands in for `Process` on the platforms that start no program, so that every target compiles for a simulator.
package final class ChildProcess: @unchecked Sendable {
  package enum TerminationReason: Sendable { case exit, uncaughtSignal }

  package var executableURL: URL?
  package var arguments: [String]?
  package var environment: [String: String]?
  package var currentDirectoryURL: URL?
  package var standardInput: Any?
  package var standardOutput: Any?
  package var standardError: Any?
  package var terminationHandler: (@Sendable (ChildProcess) -> Void)?
  package let processIdentifier: Int32 = -1
  package let isRunning = false
  package let terminationStatus: Int32 = -1
  package let terminationReason = TerminationReason.exit

  package init() {}
  package func run() throws { throw CocoaError(.featureUnsupported) }
  package func runAlone() throws { try run() }
  package func interrupt() {}
  package func terminate() {}
  package func waitUntilExit() {}
}
#endif
