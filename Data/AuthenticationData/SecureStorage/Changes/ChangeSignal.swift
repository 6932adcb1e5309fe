import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Notifies all users of a store that it has changed.
///
/// A notification instead of a check of the store before each use: reading a valid session must cost no system call,
/// and a screen without any activity must still show a sign-out in another process.
package struct ChangeSignal: Sendable {
  let raise: @Sendable () -> Void
  let changes: @Sendable () -> AsyncStream<Void>?

  /// The signal of a simulated store.
  package init(raise: @escaping @Sendable () -> Void, changes: @escaping @Sendable () -> AsyncStream<Void>?) {
    self.raise = raise
    self.changes = changes
  }

  /// Creates a signal between the managers of one process.
  package static func withinProcess() -> Self {
    let listeners = Listeners()
    return Self(raise: { listeners.tell() }, changes: { listeners.stream() })
  }

  /// Creates a signal between processes: an empty file that is replaced after each change.
  package static func file(_ name: String, in folder: String) -> Self {
    Self {
      let made = "\(folder)/\(name).new"
      let descriptor = unsafe open(made, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return }
      close(descriptor)
      // Apple platforms report changes of a folder's entries, but not of a file's content.
      _ = unsafe rename(made, "\(folder)/\(name)")
    } changes: {
      FileChanges.shared.changes(of: name, in: folder)
    }
  }

  /// A signal between processes: the file itself whose content changes.
  static func contents(of name: String, in folder: String) -> Self {
    Self {
    } changes: {
      FileChanges.shared.changes(of: name, in: folder)
    }
  }
}

private final class Listeners: Sendable {
  private let contents = Mutex<(last: Int, all: [Int: AsyncStream<Void>.Continuation])>((0, [:]))

  func stream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = contents.withLock { contents in
      contents.last += 1
      contents.all[contents.last] = continuation
      return contents.last
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.contents.withLock { $0.all.removeValue(forKey: id) }
    }
    return stream
  }

  func tell() {
    for listener in contents.withLock({ Array($0.all.values) }) { listener.yield() }
  }
}
