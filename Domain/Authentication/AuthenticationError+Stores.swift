/// For a store of your own: the failures that are not "absent". Nobody is signed out by them.
extension AuthenticationError {
  /// The store is locked, or cannot be read or written now.
  public static let storageUnavailable = Self(
    .storageUnavailable, "The store cannot be read or written now.", suggestion: "Try again later; nothing was lost.")
  /// The store asked for the person, who did not open it.
  public static let userPresenceRequired = Self(
    .userPresenceRequired, "The person did not unlock the store.",
    suggestion: "Ask again when the person wants to go on.")
  /// What is stored cannot be read by this version.
  public static let storageCorrupt = Self(
    .storageCorrupt, "What is stored cannot be read.", suggestion: "Let the person sign in again.")
}
