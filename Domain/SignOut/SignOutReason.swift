/// Why nobody is signed in: an open set.
public struct SignOutReason: Sendable, Hashable, CustomStringConvertible {
  /// The reason in logs: stable.
  public let description: String
  /// A reason of your own.
  public init(_ description: String) { self.description = description }

  /// The store holds no session.
  public static let absent = Self("absent")
  /// The person, or the app, signed out.
  public static let requested = Self("requested")
  /// The provider refused to refresh the session.
  public static let rejected = Self("rejected")
  /// The response to a refresh was lost, and the provider refused the token that the lost response replaced.
  /// ``AuthManager/formerUser`` says who was signed in.
  public static let ambiguousLoss = Self("ambiguous_loss")
  /// The vendor that the person signed in with no longer stands behind it: the person took the consent back in the
  /// settings of the device, for example.
  public static let credentialRevoked = Self("credential_revoked")
  /// The person deleted the account.
  public static let accountDeleted = Self("account_deleted")
  /// Another process signed out.
  public static let elsewhere = Self("elsewhere")
}
