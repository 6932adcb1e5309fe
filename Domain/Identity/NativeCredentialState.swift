/// What a vendor says, on this device, of a person who signed in with it: an open set.
public struct NativeCredentialState: Sendable, Hashable, CustomStringConvertible {
  /// The state in logs: stable.
  public let description: String
  /// A state of your own vendor.
  public init(_ description: String) { self.description = description }

  /// The person still signs in with it.
  public static let authorized = Self("authorized")
  /// The person took the consent back.
  public static let revoked = Self("revoked")
  /// The vendor does not know the person here; so it is, too, after a restore on a new device.
  public static let notFound = Self("not_found")
  /// The app has moved to another team, and the person has another id there.
  public static let transferred = Self("transferred")
}

/// Asks a vendor about the account that is signed in; the composition root does what follows from it.
public protocol CredentialCheck: Sendable {
  /// - Returns: what the vendor says; nil if this person did not sign in with it here, or if it cannot be asked now.
  func state(of user: User) async -> NativeCredentialState?
  /// Forgets which of the vendor's people this account is.
  func forget(_ user: User)
}
