public import AuthenticationDomain
public import Foundation

/// An account of this device's list. Its user has signed in here, and may have signed out since.
public struct KnownAccount: Sendable, Hashable, Identifiable {
  /// Names the account in the list: random, and the same until the account is removed.
  public let id: String
  /// The user as the app shows them: id, name, e-mail address and picture, as the provider last sent them.
  public let user: User
  /// The provider: the app's name for it, by default the provider's own.
  public let provider: String
  /// When it was last switched to, or signed in (UTC).
  public let lastUsed: Date
  /// Whether its session can be used, as far as was seen; if not, its user has to sign in again.
  public let isSignedIn: Bool

  /// For a custom list, and for tests.
  public init(id: String, user: User, provider: String, lastUsed: Date, isSignedIn: Bool = true) {
    self.id = id
    self.user = user
    self.provider = provider
    self.lastUsed = lastUsed
    self.isSignedIn = isSignedIn
  }
}
