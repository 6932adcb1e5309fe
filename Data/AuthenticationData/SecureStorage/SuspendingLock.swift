#if canImport(Security) && !os(macOS)
public import AuthenticationDomain
import Dispatch
import Foundation
import Security
import Synchronization

/// Gives a lock back before the system suspends the process: an app that is suspended while it holds a lock on a file
/// that it shares is killed, and others would wait for it in vain.
///
/// While the lock is held the system is asked for time (`performExpiringActivity`), which is enough for a renewal. Where
/// it takes that time back the lock goes first; the renewal's entry in the store tells the next process to ask again.
/// Type-checked on Linux against hand-written stubs (`Tests/AppleStubs/check`).
public final class SuspendingLock: SessionLock {
  private let upstream: any SessionLock
  private let activity = Mutex<DispatchSemaphore?>(nil)

  /// A lock that is held only while the process runs.
  public init(_ upstream: any SessionLock) { self.upstream = upstream }

  public func tryAcquire() throws(AuthenticationError) -> Bool {
    guard try upstream.tryAcquire() else { return false }
    let end = DispatchSemaphore(value: 0)
    activity.withLock { $0 = end }
    ProcessInfo.processInfo.performExpiringActivity(withReason: "Renewing a session") { [weak self] isExpiring in
      if isExpiring { self?.release() } else { end.wait() }
    }
    return true
  }

  public func release() {
    let end = activity.withLock { activity in
      defer { activity = nil }
      return activity
    }
    guard let end else { return }
    upstream.release()
    end.signal()
  }
}
#endif
