/// Errors for a store of your own: failures that do not mean "absent". None of them ends a session.
extension AuthenticationError {
  /// The store is locked, or cannot be read or written now.
  public static let storageUnavailable = Self(
    .storageUnavailable, "The store cannot be read or written now.", suggestion: "Try again later; nothing was lost.")
  /// The store asked the person to unlock it, and was not unlocked.
  public static let userPresenceRequired = Self(
    .userPresenceRequired, "The person did not unlock the store.",
    suggestion: "Ask again when the person wants to go on.")
  /// What is stored cannot be read by this version.
  public static let storageCorrupt = Self(
    .storageCorrupt, "What is stored cannot be read.", suggestion: "Let the person sign in again.")
}
