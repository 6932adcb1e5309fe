public import AuthenticationDomain

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

/// Tells what a vendor says, on this device, of a person who signed in with it.
public protocol NativeCredentialSource: Sendable {
  /// - Parameter vendorUserID: the person at the vendor.
  /// - Throws: ``AuthenticationError`` if the vendor cannot be asked now.
  func state(of vendorUserID: String) async throws(AuthenticationError) -> NativeCredentialState
}

/// Asks a vendor about the account that is signed in; `MainRoot.check(_:)` does what follows from it.
public struct NativeCredentialCheck: Sendable {
  private let source: any NativeCredentialSource
  private let people: NativePeople

  /// - Parameter storage: the one that the method's process was given.
  public init(_ source: any NativeCredentialSource, of method: SignInMethod = .apple, storage: any SecureStorage) {
    self.source = source
    people = NativePeople(storage, of: method)
  }

  /// What the vendor says; nil if this person did not sign in with it here, or if it cannot be asked now.
  public func state(of user: User) async -> NativeCredentialState? {
    guard let id = people.vendorUserID(of: user) else { return nil }
    return try? await source.state(of: id)
  }

  /// Forgets which of the vendor's people this account is.
  public func forget(_ user: User) { people.forget(user) }
}
