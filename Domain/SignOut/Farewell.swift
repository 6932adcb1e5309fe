/// What a session is still needed for after a sign-out has erased it, before its tokens are revoked: to end those on
/// other devices.
struct Farewell: Sendable {
  let end: @Sendable (AuthSession) async throws(AuthenticationError) -> Void

  /// Of the sign-out in progress, through whatever decorates the control; nil if it is needed for nothing.
  @TaskLocal static var current: Farewell?
}

extension AuthenticationError {
  static func othersRemain(because error: AuthenticationError) -> Self {
    Self(
      .otherSessionsRemain, "The session has ended here; those on other devices could not be ended (\(error.code)).",
      suggestion: "Tell the person, who can sign in again and end them one by one.", cause: error.cause)
  }
}
