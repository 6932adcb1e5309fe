import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MigratingStorage {
  /// Moves what is in files to a storage that is not always there: what it has is known by its marks.
  init(from files: FileStorage, to marked: MarkedStorage, whereOpen isOpen: @escaping @Sendable () -> Bool) {
    let lock = files.folder.appending(path: ".move-lock").path(percentEncoded: false)
    self.init(from: files, to: marked, lockPath: lock) { key throws(AuthenticationError) in
      try marked.isMarked(key) || isOpen()
    }
  }
}
