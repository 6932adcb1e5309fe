import Foundation
import Synchronization
import Testing

/// `swift test` runs at most two tests for each core at once.
struct ParallelTestsTests {
  private static let running = Mutex(0)

  @Test(arguments: 0..<200) func `no more tests run at once than two for each core`(_: Int) async {
    let atOnce = Self.running.withLock { running in
      running += 1
      return running
    }
    for _ in 0..<100 { await Task.yield() }
    Self.running.withLock { $0 -= 1 }
    #expect(atOnce <= 2 * ProcessInfo.processInfo.activeProcessorCount)
  }
}
