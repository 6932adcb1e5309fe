public import AuthenticationDomain
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A lock that is held for as long as one write, and may be waited for by a thread.
public protocol BlockingLock: SessionLock {}

extension BlockingLock {
  /// Blocks the thread until the lock is taken; throws ``AuthenticationError/Code/storageUnavailable`` after the limit.
  func acquire(within limit: Duration) throws(AuthenticationError) {
    let deadline = ContinuousClock.now + limit
    while try !tryAcquire() {
      if ContinuousClock.now >= deadline { throw .lockedElsewhere }
      usleep(2_000)
    }
  }
}

/// A lock between the managers of one process.
public final class ProcessLock: BlockingLock {
  private let isHeld = Mutex(false)

  /// A lock that nobody holds.
  public init() {}

  public func tryAcquire() throws(AuthenticationError) -> Bool {
    isHeld.withLock { isHeld in
      defer { isHeld = true }
      return !isHeld
    }
  }

  public func release() { isHeld.withLock { $0 = false } }
}

extension AuthenticationError {
  fileprivate static let lockedElsewhere = Self(
    .storageUnavailable, "The store is held by somebody else for too long; nothing was written.",
    suggestion: "Look for a stopped process; what was to be stored is tried again.")
}
