/// What an account service comes to: it is done, or the provider asks for a step first.
public enum AccountOutcome: Sendable, Equatable {
  /// Nothing is left to do.
  case done
  /// Answer it with the same service.
  case challenge(Challenge)
}

/// What an account service of a provider comes to.
public enum AccountStep: Sendable, Equatable {
  /// Nothing is left to do.
  case done
  /// Done, and from now on these are the person's session and tokens, as after a new password or an upgrade; the user
  /// id is the same.
  case session(AuthSession)
  /// The provider asks for a step first.
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
