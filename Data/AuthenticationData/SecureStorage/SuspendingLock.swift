package import AuthenticationDomain
import Dispatch
import Foundation
#if canImport(Security)
import Security
#endif
import Synchronization

/// Releases a lock before the system suspends the process: an app that is suspended while it holds a lock on a file
/// that it shares is killed, and other processes would wait for it in vain.
///
/// While the lock is held, the system is asked for background time (`performExpiringActivity`), which is enough for a
/// refresh. If the system ends that time, the lock is released first; the journal entry of the refresh in the store
/// tells the next process to retry.
///
/// A manager that kept the lock because it could not store an outcome takes it again before its next refresh. Each
/// write has its own lock, under which the store is read again, so that what another process stored meanwhile is
/// adopted. Releasing a lock that was already released does nothing, even if another process holds it by then.
///
/// iOS, tvOS, watchOS and visionOS; type-checked on Linux against hand-written stubs (`Tests/AppleStubs/check`).
package final class SuspendingLock: SessionLock {
  /// Runs a block in the background with false, which returns when no more time is needed; with true if the time has
  /// expired.
  typealias Activity = @Sendable (_ block: @escaping @Sendable (_ isExpiring: Bool) -> Void) -> Void

  private let upstream: any SessionLock
  private let activity: Activity
  private let end = Mutex<DispatchSemaphore?>(nil)

  init(_ upstream: any SessionLock, activity: @escaping Activity) {
    self.upstream = upstream
    self.activity = activity
  }

  deinit { release() }

  package func tryAcquire() throws(AuthenticationError) -> Bool {
    guard try upstream.tryAcquire() else { return false }
    let end = DispatchSemaphore(value: 0)
    self.end.withLock { $0 = end }
    activity { [weak self] isExpiring in
      if isExpiring { self?.release(only: end) } else { end.wait() }
    }
    return true
  }

  package var isStillHeld: Bool { end.withLock { $0 != nil } }

  package func release() { release(only: nil) }

  /// The end of one activity does not release the lock of a later one.
  private func release(only expired: DispatchSemaphore?) {
    let ended = end.withLock { end -> DispatchSemaphore? in
      guard expired == nil || expired === end else { return nil }
      defer { end = nil }
      return end
    }
    guard let ended else { return }
    upstream.release()
    ended.signal()
  }
}

#if canImport(Security) && !os(macOS)
extension SuspendingLock {
  /// Creates a lock that is held only while the process runs.
  package convenience init(_ upstream: any SessionLock) {
    self.init(upstream) { block in
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Renewing a session", using: block)
    }
  }
}
#endif
