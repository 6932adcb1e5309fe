public import AuthenticationDomain

/// The result of ``DevicePasskeys/upgrade(after:)``.
public enum PasskeyUpgrade: Sendable, Equatable {
  /// The user has a passkey now.
  case created
  /// The provider does not accept a passkey for which no user was present: nothing was sent.
  case unsupported
  /// The attempt was no password sign-in that is complete, or its user is not signed in: nothing was sent.
  case inapplicable
  /// There is no new passkey: the device created none (``AuthenticationError/cancelled``,
  /// ``AuthenticationError/passkeyExists``), the server could not be asked, or it refused it.
  case failed(AuthenticationError)
}
