import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MigratingStorage {
  /// Moves values from files to a storage that is not always available; marks say which keys that storage has.
  ///
  /// - Parameter canBeOpened: called at the first write of a key if the storage is not open: whether the person would
  ///   be asked to open it, so that the value is not silently written to a file.
  init(
    from files: FileStorage, to marked: MarkedStorage, whereOpen isOpen: @escaping @Sendable () -> Bool,
    canBeOpened: @escaping @Sendable () -> Bool = { false }
  ) {
    let lock = files.folder.appending(path: ".move-lock").path(percentEncoded: false)
    self.init(from: files, to: marked, lockPath: lock) { key throws(AuthenticationError) in
      try marked.isMarked(key) || isOpen()
    } atFirstWhen: { key throws(AuthenticationError) in
      try marked.isMarked(key) || isOpen() || canBeOpened()
    }
  }
}
