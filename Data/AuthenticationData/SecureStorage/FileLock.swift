public import AuthenticationDomain
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
/// A holder that is stopped (SIGSTOP, a debugger) keeps it: to take a renewal away from a process that may have sent the
/// refresh token could lose the session, so that others wait as long as their patience, are told `timed_out`, and keep
/// it. Where a system suspends apps, ``SuspendingLock`` gives the lock back first.
///
/// Who cannot open the lock does not have it, whatever the reason (``AuthenticationError/Code/storageUnavailable``):
/// another process might renew the same session, and what is renewed could not be stored. The session stays, and its
/// token is used for as long as it is good. In a folder that is only readable a lock file that is there is enough.
public final class FileLock: BlockingLock {
  private let path: String
  private let descriptor = Mutex<Int32?>(nil)

  /// The file is created when the lock is first taken, and holds nothing.
  public init(path: String) {
    self.path = path
  }

  deinit { release() }

  /// True also where the folder is missing: then nothing is stored that another process could renew.
  public func tryAcquire() throws(AuthenticationError) -> Bool {
    var opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if opened < 0 {
      let reason = errno
      if reason == ENOENT { return true }
      if reason == EROFS || reason == EACCES { opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
      if opened < 0 { throw .fileSystem("A lock cannot be opened", path, reason) }
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

  public func release() {
    let held = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    guard let held else { return }
    // Closing is not enough: a process being started shares the descriptor until it has become another program.
    _ = flock(held, LOCK_UN)
    close(held)
  }
}
