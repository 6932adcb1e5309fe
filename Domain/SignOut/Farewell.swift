import Synchronization

/// What a session is still needed for after a sign-out has erased it, before its tokens are revoked: to end those on
/// other devices.
final class Farewell: Sendable {
  let end: @Sendable (AuthSession) async throws(AuthenticationError) -> Void
  private let taken = Mutex(false)

  init(_ end: @escaping @Sendable (AuthSession) async throws(AuthenticationError) -> Void) { self.end = end }

  /// Whether the sign-out that erased the session has seen it.
  var isTaken: Bool { taken.withLock { $0 } }

  func take() { taken.withLock { $0 = true } }

  /// Of the sign-out in progress, through whatever decorates the control; nil if it is needed for nothing.
  @TaskLocal static var current: Farewell?
}

extension AuthenticationError {
  static func othersRemain(because error: AuthenticationError) -> Self {
    Self(
      .otherSessionsRemain, "The session has ended here; those on other devices could not be ended (\(error.code)).",
      suggestion: "Tell the user, who can sign in again and end them one by one.", cause: error.cause)
  }
}
