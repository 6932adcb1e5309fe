package import AuthenticationDomain
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A lock that is held for the duration of one write; a thread may block until it gets the lock.
package protocol BlockingLock: SessionLock {}

extension BlockingLock {
  /// Blocks the thread until the lock is taken; throws ``AuthenticationError/Code/storageUnavailable`` after the limit.
  func acquire(within limit: Duration) throws(AuthenticationError) {
    let deadline = ContinuousClock.now + limit
    var pauses = LockPauses()
    while try !tryAcquire() {
      let left = ContinuousClock.now.duration(to: deadline)
      if left <= .zero { throw .lockedElsewhere }
      usleep(useconds_t(min(pauses.next(), left) / .microseconds(1)) + 1)
    }
  }
}

/// The pauses between two tries to take a lock: at most 1 ms at first, doubling each time up to 25 ms.
///
/// Each pause is random, between half of that and all of it, so that waiters which began together do not retry
/// together.
struct LockPauses {
  private var longest = 1.0

  mutating func next(_ random: Double = .random(in: 0...1)) -> Duration {
    defer { longest = min(2 * longest, 25) }
    return .milliseconds(longest * (0.5 + random / 2))
  }
}

/// A lock between the managers of one process.
package final class ProcessLock: BlockingLock {
  private let isHeld = Mutex(false)

  /// Creates a lock that is not held.
  package init() {}

  package func tryAcquire() throws(AuthenticationError) -> Bool {
    isHeld.withLock { isHeld in
      defer { isHeld = true }
      return !isHeld
    }
  }

  package func release() { isHeld.withLock { $0 = false } }
}

extension AuthenticationError {
  fileprivate static let lockedElsewhere = Self(
    .storageUnavailable, "The store is held by somebody else for too long; nothing was written.",
    suggestion: "Look for a stopped process; what was to be stored is tried again.")
}
