package import AuthenticationDomain
import Dispatch
import Foundation
import Synchronization

/// A lock between processes on one file, which the kernel releases when its holder dies (`flock`).
///
/// A holder that is stopped (SIGSTOP, a debugger) keeps the lock: it may have sent the refresh token, so that a refresh
/// by another process could lose the session. Other processes wait until their timeout, get the error `timed_out`, and
/// keep the session. If a system suspends apps, ``SuspendingLock`` releases the lock first.
///
/// If the lock file cannot be made or opened, for any reason, the lock is not taken
/// (``AuthenticationError/storageUnavailable``), also where it is a symbolic link, which is not followed: another
/// process might refresh the same session, and refreshed tokens could not be stored. The session stays, and its access
/// token is used until it expires. In a read-only folder an existing lock file is enough.
package final class FileLock: BlockingLock {
  private let path: String
  private let descriptor = Mutex<Int32?>(nil)

  /// Creates a lock on this file, which is created with its folder when the lock is first taken, and stays empty.
  init(path: String) { self.path = path }

  deinit { release() }

  package func tryAcquire() throws(AuthenticationError) -> Bool {
    var opened = OwnedFile.openFile(path, O_RDWR | O_CREAT)
    if opened < 0, errno == ENOENT || errno == EACCES {
      let isMissing = errno == ENOENT
      // Without the folder no process is locked out, and one of them may store something next.
      do throws(AuthenticationError) {
        if let folder = OwnedFile.folder(above: path) { try OwnedFile.makeFolder(folder) }
      } catch {
        if isMissing { throw error }
      }
      opened = OwnedFile.openFile(path, O_RDWR | O_CREAT)
    }
    if opened < 0 {
      let reason = errno
      if reason == EROFS || reason == EACCES { opened = OwnedFile.openFile(path, O_RDONLY) }
      if opened < 0 {
        throw .fileSystem(
          reason == ELOOP ? "A lock is a symbolic link, which is not followed: remove it" : "A lock cannot be opened",
          path, reason)
      }
    }
    if flock(opened, LOCK_EX | LOCK_NB) == 0 {
      descriptor.withLock { $0 = opened }
      return true
    }
    let reason = errno
    close(opened)
    if reason == EWOULDBLOCK || reason == EINTR { return false }
    throw .fileSystem(
      reason == ENOLCK || OwnedFile.isMissingCall(reason)
        ? "The file system has no locks between processes (flock): choose a folder on another one"
        : "A lock cannot be taken", path, reason)
  }

  package func release() {
    let held = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    guard let held else { return }
    // Closing is not enough: a child process shares the descriptor until it has executed another program.
    _ = flock(held, LOCK_UN)
    close(held)
  }
}

/// A lock that is held for the duration of one write; a thread may block until it gets the lock.
package protocol BlockingLock: SessionLock {}

extension BlockingLock {
  /// Blocks the thread until the lock is taken; throws ``AuthenticationError/storageUnavailable`` after the limit.
  package func acquire(within limit: Duration) throws(AuthenticationError) {
    let deadline = ContinuousClock.now + limit
    let pauses = Backoff(base: .milliseconds(1), cap: .milliseconds(25))
    var attempt = 0
    while try !tryAcquire() {
      let left = ContinuousClock.now.duration(to: deadline)
      if left <= .zero { throw .lockedElsewhere }
      // No shorter pause: many waiting processes would occupy a core.
      let pause = max(pauses.delay(attempt: attempt), .microseconds(500))
      usleep(useconds_t(min(pause, left) / .microseconds(1)) + 1)
      attempt += 1
    }
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
    .storageUnavailable, "The store is held by another process for too long; nothing was written.",
    suggestion: "Look for a stopped process; what was to be stored is tried again.")
}

/// Releases a lock before the system suspends the process: an app that is suspended while it holds a lock on a file
/// that it shares is killed, and other processes would wait for it in vain.
///
/// While the lock is held, the system is asked for background time (`performExpiringActivity`), which is enough for a
/// refresh. If the system ends that time, the lock is released first; the journal entry of the refresh in the store
/// tells the next process to retry.
///
/// A manager that kept the lock because it could not store an outcome takes it again before its next refresh. Each
/// write has its own lock, under which the store is read again, so that a record that another process stored meanwhile
/// is adopted. Releasing a lock that was already released does nothing, even if another process holds it by then.
///
/// iOS, tvOS, watchOS and visionOS; type-checked, never run there (`Tests/AppleStubs/check`).
final class SuspendingLock: SessionLock {
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

  func tryAcquire() throws(AuthenticationError) -> Bool {
    guard try upstream.tryAcquire() else { return false }
    let end = DispatchSemaphore(value: 0)
    self.end.withLock { $0 = end }
    activity { [weak self] isExpiring in
      if isExpiring { self?.release(only: end) } else { end.wait() }
    }
    return true
  }

  var isStillHeld: Bool { end.withLock { $0 != nil } }

  func release() { release(only: nil) }

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
