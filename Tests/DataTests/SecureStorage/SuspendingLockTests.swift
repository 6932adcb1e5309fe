import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationData

@Suite(.timeLimit(.minutes(10))) struct SuspendingLockTests {
  private let upstream = ScriptedSessionLock()
  private let system = SuspendingSystem()

  private var lock: SuspendingLock { SuspendingLock(upstream, activity: system.activity) }

  @Test func `a lock is released before the process is suspended`() throws {
    let lock = lock
    #expect(try lock.tryAcquire())
    #expect(lock.isStillHeld)
    system.suspend(0)
    #expect(!lock.isStillHeld)
    #expect(upstream.releases == 1)
    #expect(try lock.tryAcquire())
  }

  // failure row 14
  @Test func `a lock that was lost to a suspension is not released a second time`() throws {
    let (lock, other) = (lock, lock)
    #expect(try lock.tryAcquire())
    system.suspend(0)
    #expect(try other.tryAcquire())
    lock.release()
    system.suspend(0)
    #expect(upstream.releases == 1)
    #expect(try !lock.tryAcquire())
  }

  @Test func `an earlier refresh's time that ends late leaves the lock of the next one`() throws {
    let lock = lock
    #expect(try lock.tryAcquire())
    lock.release()
    #expect(try lock.tryAcquire())
    system.suspend(0)
    #expect(upstream.releases == 1)
    system.suspend(1)
    #expect(upstream.releases == 2)
  }

  @Test(arguments: ["released", "forgotten", "suspended"]) func `time is asked for only while the lock is held`(
    end: String
  ) async throws {
    var lock: SuspendingLock? = lock
    #expect(try lock?.tryAcquire() == true)
    let returned = system.run(0)
    switch end {
    case "released": lock?.release()
    case "forgotten": lock = nil
    default: system.suspend(0)
    }
    for await _ in returned {}
    #expect(upstream.releases == 1)
    _ = lock
  }

  @Test func `while another process holds the lock no time is asked for`() throws {
    upstream.setHeldElsewhere(true)
    #expect(try !lock.tryAcquire())
    #expect(system.requests == 0)
  }
}

/// A system that suspends apps, when a test says so.
private final class SuspendingSystem: Sendable {
  private let blocks = Mutex<[@Sendable (Bool) -> Void]>([])

  var activity: SuspendingLock.Activity { { [self] block in blocks.withLock { $0.append(block) } } }
  var requests: Int { blocks.withLock { $0.count } }

  func suspend(_ request: Int) { blocks.withLock { $0[request] }(true) }

  /// Gives the time that was asked for; ends when it is no longer needed.
  func run(_ request: Int) -> AsyncStream<Void> {
    let block = blocks.withLock { $0[request] }
    let (returned, end) = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      block(false)
      end.finish()
    }
    return returned
  }
}
