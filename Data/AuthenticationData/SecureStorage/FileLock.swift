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
public final class FileLock: SessionLock {
  private let path: String
  private let descriptor = Mutex<Int32?>(nil)

  /// The file is created when the lock is first taken, and holds nothing.
  public init(path: String) {
    self.path = path
  }

  deinit { release() }

  /// True also where the folder is missing: then nothing is stored that another process could renew.
  public func tryAcquire() throws(AuthenticationError) -> Bool {
    let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if opened < 0 && errno == ENOENT { return true }
    if opened < 0 { throw .fileSystem("A lock cannot be opened", path, errno) }
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

  /// Blocks the thread until the lock is taken.
  func acquire(within limit: Duration) throws(AuthenticationError) {
    let deadline = ContinuousClock.now + limit
    while try !tryAcquire() {
      if ContinuousClock.now >= deadline { throw .fileSystem("Another process holds a lock for too long", path) }
      usleep(2_000)
    }
  }
}
