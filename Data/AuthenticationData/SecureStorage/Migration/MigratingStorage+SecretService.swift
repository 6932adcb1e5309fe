#if os(Linux)
import Synchronization

extension MigratingStorage {
  /// Uses the Secret Service if it is available, else files; decided for each key at its use, and remembered.
  ///
  /// Values in files are moved as soon as a keyring is open. A value that was moved is unavailable while the service
  /// is: it is neither reported as absent nor stored a second time. Until a key's place is decided, reading does not
  /// ask the person to unlock anything. The first write asks a person at a display to unlock a locked keyring, and
  /// fails if they do not.
  package init(from files: FileStorage, toWhereOpen service: SecretServiceStorage) {
    let isOpen = Once { service.isOpen }
    self.init(from: files, to: MarkedStorage(service, marks: files)) {
      isOpen.answer
    } canBeOpened: {
      service.asksToUnlock && service.availability == .locked
    }
  }
}

/// A slow check, done at most once.
private final class Once: Sendable {
  private let question: @Sendable () -> Bool
  private let known = Mutex<Bool?>(nil)

  init(_ question: @escaping @Sendable () -> Bool) { self.question = question }

  var answer: Bool {
    known.withLock { known in
      let answer = known ?? question()
      known = answer
      return answer
    }
  }
}
#endif
