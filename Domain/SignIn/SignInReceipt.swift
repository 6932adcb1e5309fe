import Synchronization

/// The session that a sign-in made, for the attempt that asked for it: what decorates a use case returns no more than
/// the person.
final class SignInReceipt: Sendable {
  /// Of the attempt in progress; nil outside of one.
  @TaskLocal static var current: SignInReceipt?

  private let contents = Mutex<AuthSession?>(nil)

  var session: AuthSession? { contents.withLock { $0 } }

  func note(_ session: AuthSession?) { contents.withLock { $0 = session } }
}
