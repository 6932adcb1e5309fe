public import AuthenticationData
public import AuthenticationDomain

/// Tells what a vendor says, on this device, of a person who signed in with it.
public protocol NativeCredentialSource: Sendable {
  /// - Parameter vendorUserID: the person at the vendor.
  /// - Throws: ``AuthenticationError`` if the vendor cannot be asked now.
  func state(of vendorUserID: String) async throws(AuthenticationError) -> NativeCredentialState
}

/// Asks a vendor about the account that is signed in; `MainRoot.check(_:)` does what follows from it.
public struct NativeCredentialCheck: CredentialCheck {
  private let source: any NativeCredentialSource
  private let people: NativePeople

  /// Checks the account of who is signed in.
  ///
  /// - Parameters:
  ///   - source: asks the vendor.
  ///   - method: the one that the person signed in with.
  ///   - storage: the one that the method's process was given.
  public init(_ source: any NativeCredentialSource, of method: SignInMethod = .apple, storage: any SecureStorage) {
    self.source = source
    people = NativePeople(storage, of: method)
  }

  public func state(of user: User) async -> NativeCredentialState? {
    guard let id = people.vendorUserID(of: user) else { return nil }
    return try? await source.state(of: id)
  }

  public func forget(_ user: User) { people.forget(user) }
}
