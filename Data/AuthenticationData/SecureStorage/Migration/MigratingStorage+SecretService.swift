#if os(Linux)
import Synchronization

extension MigratingStorage {
  /// The Secret Service where it answers, else files; decided for each key when it is used, and remembered.
  ///
  /// What is in files moves as soon as a keyring is open. What has moved is unavailable where the service is away: it is
  /// neither absent nor kept a second time. While that is undecided nobody is asked to unlock anything.
  package init(from files: FileStorage, toWhereOpen service: SecretServiceStorage) {
    let isOpen = Once { service.isOpen }
    self.init(from: files, to: MarkedStorage(service, marks: files)) { isOpen.answer }
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
