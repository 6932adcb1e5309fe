import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MigratingStorage {
  /// Moves what is in files to a storage that is not always there: what it has is known by its marks.
  ///
  /// - Parameter canBeOpened: asked of what is written for the first time where it is not open: whether a person would be
  ///   asked to open it, so that no file is put in its place in silence.
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
