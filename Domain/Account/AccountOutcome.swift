/// What an account service comes to: it is done, or the provider asks for a step first.
public enum AccountOutcome: Sendable, Equatable {
  case done
  /// Answer it with the same service.
  case challenge(Challenge)
}

/// An ability of some providers: an open set, so that an app shows only what works.
public struct AccountAbility: Sendable, Hashable {
  /// Stable identifier.
  public let id: String
  /// An ability of your own provider.
  public init(id: String) { self.id = id }

  /// Creates accounts; see ``SignUpProvider``.
  public static let signUp = Self(id: "sign-up")
  /// See ``PasswordResetProvider``.
  public static let resetPassword = Self(id: "reset-password")
  /// See ``PasswordChangeProvider``.
  public static let changePassword = Self(id: "change-password")
  /// See ``AddressProvider``.
  public static let verify = Self(id: "verify")
  /// See ``LinkingProvider``.
  public static let link = Self(id: "link")
  /// See ``FactorProvider``.
  public static let factors = Self(id: "factors")
  /// See ``SessionListProvider``.
  public static let sessions = Self(id: "sessions")
  /// See ``AccountDeletionProvider``.
  public static let delete = Self(id: "delete")
  /// See ``ProfileProvider``.
  public static let profile = Self(id: "profile")
}
