package import AuthenticationDomain
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A lock between processes on one file, which the kernel releases when its holder dies (`flock`).
///
/// A holder that is stopped (SIGSTOP, a debugger) keeps the lock: it may have sent the refresh token, so that a refresh
/// by another process could lose the session. Other processes wait until their timeout, get the error `timed_out`, and
/// keep the session. If a system suspends apps, ``SuspendingLock`` releases the lock first.
///
/// If the lock file cannot be opened, for whatever reason, the lock is not taken
/// (``AuthenticationError/Code/storageUnavailable``), also where it is a symbolic link, which is not followed: another process might refresh the same session, and refreshed
/// tokens could not be stored. The session stays, and its access token is used until it expires. In a read-only folder
/// an existing lock file is enough.
package final class FileLock: BlockingLock {
  private let path: String
  private let descriptor = Mutex<Int32?>(nil)

  /// Creates a lock on this file, which is created when the lock is first taken, and stays empty.
  package init(path: String) {
    self.path = path
  }

  deinit { release() }

  /// Also returns true if the folder is missing: then nothing is stored that another process could refresh.
  package func tryAcquire() throws(AuthenticationError) -> Bool {
    var opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if opened < 0 {
      let reason = errno
      if reason == ENOENT { return true }
      if reason == EROFS || reason == EACCES { opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
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
    throw .fileSystem("A lock cannot be taken", path, reason)
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
