import AuthenticationKit
import Synchronization

/// Notes how long it takes from the first attempt to have a lock to the one that has it.
struct TimedLock: SessionLock {
  let upstream: any SessionLock
  let waits: LockWaits

  func tryAcquire() throws(AuthenticationError) -> Bool {
    waits.begin()
    guard try upstream.tryAcquire() else { return false }
    waits.end()
    return true
  }

  func release() { upstream.release() }
}

/// The waits of one process, which has at most one refresh in flight.
final class LockWaits: Sendable {
  private struct Contents {
    var start: ContinuousClock.Instant?
    var microseconds: [Int] = []
  }

  private let contents = Mutex(Contents())

  var microseconds: [Int] { contents.withLock { $0.microseconds } }

  func begin() {
    contents.withLock { if $0.start == nil { $0.start = .now } }
  }

  func end() {
    contents.withLock { contents in
      guard let start = contents.start else { return }
      contents.microseconds.append(Int(start.duration(to: .now) / .microseconds(1)))
      contents.start = nil
    }
  }
}
