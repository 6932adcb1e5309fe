public import AuthenticationDomain
import Dispatch
import Foundation
#if canImport(Security)
import Security
#endif
import Synchronization

/// Gives a lock back before the system suspends the process: an app that is suspended while it holds a lock on a file
/// that it shares is killed, and others would wait for it in vain.
///
/// While the lock is held the system is asked for time (`performExpiringActivity`), which is enough for a renewal.
/// Where it takes that time back the lock goes first; the renewal's entry in the store tells the next process to ask
/// again.
///
/// A manager that kept the lock for an outcome it could not store takes it anew before its next renewal. Each write has
/// a lock of its own, under which the store is read again, so that what another process stored meanwhile is adopted. To give back what is gone does nothing, even where somebody else has the lock by then.
///
/// iOS, tvOS, watchOS and visionOS; type-checked on Linux against hand-written stubs (`Tests/AppleStubs/check`).
public final class SuspendingLock: SessionLock {
  /// Runs a block in the background with false, which returns when time is no longer needed; with true where time is
  /// over.
  typealias Activity = @Sendable (_ block: @escaping @Sendable (_ isExpiring: Bool) -> Void) -> Void

  private let upstream: any SessionLock
  private let activity: Activity
  private let end = Mutex<DispatchSemaphore?>(nil)

  init(_ upstream: any SessionLock, activity: @escaping Activity) {
    self.upstream = upstream
    self.activity = activity
  }

  deinit { release() }

  public func tryAcquire() throws(AuthenticationError) -> Bool {
    guard try upstream.tryAcquire() else { return false }
    let end = DispatchSemaphore(value: 0)
    self.end.withLock { $0 = end }
    activity { [weak self] isExpiring in
      if isExpiring { self?.release(only: end) } else { end.wait() }
    }
    return true
  }

  public var isStillHeld: Bool { end.withLock { $0 != nil } }

  public func release() { release(only: nil) }

  /// The end of one activity does not take away the lock of a later one.
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
  /// A lock that is held only while the process runs.
  public convenience init(_ upstream: any SessionLock) {
    self.init(upstream) { block in
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Renewing a session", using: block)
    }
  }
}
#endif
