/// The result of a vendor's sign-in on this device: a proof for the provider or the app's backend, which verifies it.
///
/// The user counts as signed in only after that.
public struct NativeCredentials: Credentials {
  /// The vendor's method, such as ``SignInMethod/apple``.
  public package(set) var method: SignInMethod
  /// The vendor's identity token (a JWT), as it came; nil if it gave an access token alone.
  public let identityToken: Secret?
  /// The nonce of this attempt before any hashing; nil if the vendor took none.
  public package(set) var rawNonce: Secret?
  /// A code that the backend exchanges; single use.
  public let authorizationCode: Secret?
  /// An access token of the vendor, if it gave one.
  public let accessToken: Secret?
  /// The user at the vendor, if it told; not the id that the provider will give.
  public let vendorUserID: String?
  /// The user's name, which Apple tells once, at the first consent.
  public package(set) var name: UserName?
  /// The user's address, which Apple tells once, at the first consent.
  public package(set) var email: String?
  package var state: String?

  /// The result of the vendor's sheet; `state` is that of the request, from a vendor that returns it, and nil from any
  /// other.
  public init(
    method: SignInMethod, identityToken: Secret?, rawNonce: Secret? = nil, authorizationCode: Secret? = nil,
    accessToken: Secret? = nil, vendorUserID: String? = nil, name: UserName? = nil, email: String? = nil,
    state: String? = nil
  ) {
    self.method = method
    self.identityToken = identityToken
    self.rawNonce = rawNonce
    self.authorizationCode = authorizationCode
    self.accessToken = accessToken
    self.vendorUserID = vendorUserID
    self.name = name
    self.email = email
    self.state = state
  }

  /// Checks that there is a token or a code that a server can verify.
  ///
  /// - Throws: ``AuthenticationError/security`` if there is none.
  public func validate() throws(AuthenticationError) {
    if [identityToken, accessToken, authorizationCode].allSatisfy({ $0?.isEmpty ?? true }) {
      throw .refused(by: .idToken, "The vendor's sheet returned no token.")
    }
  }
}

/// A user's name in the parts that vendors tell.
public struct UserName: Sendable, Hashable {
  /// The given name; nil if it was not told.
  public let given: String?
  /// The family name; nil if it was not told.
  public let family: String?

  /// Nil if neither part says anything.
  public init?(given: String?, family: String?) {
    let parts = [given, family].map { $0.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
    if parts == [nil, nil] { return nil }
    (self.given, self.family) = (parts[0], parts[1])
  }
}

/// The vendor's state, on this device, of a user who signed in with it.
public enum NativeCredentialState: String, Sendable {
  /// The user still signs in with it.
  case authorized
  /// The user took the consent back.
  case revoked
  /// The vendor does not know the user here; so it is, too, after a restore on a new device.
  case notFound = "not_found"
  /// The app has moved to another team, and the user has another id there.
  case transferred
  /// Something else, from which nothing follows.
  case unknown
}

/// Asks a vendor about the account that is signed in; the composition root acts on the result.
///
/// `MainRoot.check(_:)` calls it at each launch, and when the vendor reports a revocation:
/// ``NativeCredentialState/revoked`` signs the user out, ``NativeCredentialState/notFound`` only if the provider
/// refuses to refresh the session as well. Every other state changes nothing.
///
/// ### Choose a check
///
/// `NativeCredentialSource.check(of:storage:)` makes one, as for Apple: it finds the vendor's id of the user in the
/// storage. Write a check for a vendor that knows the user in another way.
///
/// ### Implement a check
///
/// ```swift
/// struct BadgeCheck: CredentialCheck {
///   func state(of user: User) async -> NativeCredentialState? {
///     guard let badge = try? vault.read() else { return nil }
///     return badge.isEmpty ? .revoked : .authorized
///   }
///   func forget(_ user: User) { try? vault.erase() }
/// }
/// ```
///
/// ### Errors
///
/// No call throws. A vendor that cannot be asked is nil, and changes nothing.
///
/// ### Concurrency
///
/// Both calls may block or wait for the vendor. If a user signs in or out while ``state(of:)`` waits, its result is
/// ignored. ``forget(_:)`` is called once the session has ended with the reason
/// ``SignOutReason/credentialRevoked``, so that a process that ends before that asks again.
public protocol CredentialCheck: Sendable {
  /// Asks the vendor for the state of this user's account.
  ///
  /// - Parameter user: the signed-in user.
  /// - Returns: the vendor's state; nil if this user did not sign in with it here, or if it cannot be asked now.
  func state(of user: User) async -> NativeCredentialState?
  /// Forgets which of the vendor's users this account is.
  ///
  /// - Parameter user: the user who was signed out.
  func forget(_ user: User)
}
