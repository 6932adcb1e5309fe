import Synchronization

/// The attempts that end with a session of one manager.
final class SignInParticipants: Sendable {
  private struct Weak {
    weak var value: SignInAttempts?
  }

  private let contents = Mutex<[Weak]>([])

  private var all: [SignInAttempts] { contents.withLock { $0.compactMap(\.value) } }

  /// Has attempts end with the session, and their pending step removed after each sign-in.
  func add(_ attempts: SignInAttempts) {
    contents.withLock { known in
      known.removeAll { $0.value == nil }
      known.append(Weak(value: attempts))
    }
  }

  /// Ends the attempts in progress before the session is erased, so that none sends anything more.
  ///
  /// - Returns: those that must hear of the end of the sign-out.
  func signOutBegins() async -> [SignInAttempt] {
    var ended: [SignInAttempt] = []
    for attempts in all {
      if let attempt = await attempts.signOutBegins() { ended.append(attempt) }
    }
    return ended
  }

  /// Forgets the user at each method.
  func forget(_ user: User?) async {
    for attempts in all { await attempts.forget(user) }
  }

  /// Removes the steps that are kept for a relaunch.
  func forgetPending() async {
    for attempts in all { await attempts.forgetPending() }
  }
}
