/// An account service that some providers offer: an app shows only those that work.
public enum AccountAbility: String, Sendable {
  /// Creates accounts; see ``RemoteAuthProvider/createsAccounts``.
  case signUp = "sign-up"
  /// See ``AccountChange/resetPassword(of:)``.
  case resetPassword = "reset-password"
  /// See ``AccountChange/changePassword(from:to:)``.
  case changePassword = "change-password"
  /// See ``AccountChange/verify(_:)``.
  case verify
  /// Lists, adds and removes ways to sign in.
  case link
  /// Lists, adds and removes second factors and passkeys.
  case factors
  /// Lists and ends sessions.
  case sessions
  /// See ``AccountChange/deleteAccount``.
  case delete
  /// Reads, and perhaps changes, the profile of the user.
  case profile
  /// Answers the challenge of another service, as each provider with account services does.
  case answer
}
