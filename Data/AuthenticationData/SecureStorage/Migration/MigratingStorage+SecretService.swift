#if os(Linux)
import Synchronization

extension MigratingStorage {
  /// The Secret Service where it answers, else files; decided for each key when it is used, and remembered.
  ///
  /// What is in files moves as soon as a keyring is open. What has moved is unavailable where the service is away: it is
  /// neither absent nor kept a second time. While that is undecided, reading asks nobody to unlock anything; what is written
  /// first asks the person who is at a display to unlock a locked keyring, and is refused where they do not.
  package init(from files: FileStorage, toWhereOpen service: SecretServiceStorage) {
    let isOpen = Once { service.isOpen }
    self.init(from: files, to: MarkedStorage(service, marks: files)) {
      isOpen.answer
    } canBeOpened: {
      service.asksToUnlock && service.availability == .locked
    }
  }
}

/// A question that takes long, asked at most once.
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
