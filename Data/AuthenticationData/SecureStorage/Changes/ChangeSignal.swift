import AuthenticationDomain
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
    let raised = Broadcast<Void>()
    return Self(raise: { raised.send(()) }, changes: { raised.values(keeping: 1) })
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
