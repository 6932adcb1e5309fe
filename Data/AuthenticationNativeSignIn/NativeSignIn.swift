public import AuthenticationData
public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Obtains credentials from a vendor's own sheet: a nonce of its own for each attempt, checked on return.
///
/// A ``AuthenticationDomain/SignInProcess`` does this for an attempt; use it directly to link a vendor to an account:
///
/// ```swift
/// let credentials = try await nativeSignIn.credentials(over: anchor)
/// try await root.account.link(credentials)
/// nativeSignIn.accepted(credentials, as: user)
/// ```
public struct NativeSignIn: Sendable {
  /// The vendor's method.
  public let method: SignInMethod
  private let authenticator: any NativeAuthenticator
  private let nonce: NativeNonce
  private let people: NativePeople?
  private let randomBytes: @Sendable (_ count: Int) -> [UInt8]

  /// Composes the sign-in with a vendor.
  ///
  /// - Parameters:
  ///   - method: whose credentials it makes.
  ///   - authenticator: shows the vendor's sheet.
  ///   - nonce: the form in which the vendor gets it.
  ///   - storage: keeps what a vendor tells once, until the provider has accepted it; nil for one that tells each time.
  ///   - randomBytes: where nonces come from.
  public init(
    _ method: SignInMethod, by authenticator: any NativeAuthenticator, nonce: NativeNonce = .hashed,
    storage: (any SecureStorage)? = nil,
    randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8] =
      AuthProviderConfiguration.Environment.systemRandomBytes
  ) {
    self.method = method
    self.authenticator = authenticator
    self.nonce = nonce
    people = storage.map { NativePeople($0, of: method) }
    self.randomBytes = randomBytes
  }

  /// Shows the sheet. A name and an address that the vendor told before, and no provider has accepted since, are added.
  ///
  /// - Throws: ``AuthenticationError/Code/cancelled``, ``AuthenticationError/Code/security`` if the answer belongs to
  ///   another request, and the errors of the authenticator.
  public func credentials(over anchor: PresentationAnchor?) async throws(AuthenticationError) -> NativeCredentials {
    let raw = Secret(Data(randomBytes(32)).base64URL)
    let request = NativeSignInRequest(
      nonce: nonce.applied(to: raw), state: Data(randomBytes(16)).base64URL, anchor: anchor)
    let response = try await authenticator.signIn(request)
    // From here to the write nothing may wait: what was told once must survive the process.
    try request.check(response)
    let told = people?.remember(response) ?? NativePerson(response)
    // A code leads to an identity token, an access token alone does not.
    let isBound = request.nonce != nil && (response.identityToken != nil || response.accessToken == nil)
    return NativeCredentials(
      method: method, identityToken: response.identityToken, rawNonce: isBound ? raw : nil,
      authorizationCode: response.authorizationCode, accessToken: response.accessToken,
      vendorUserID: response.vendorUserID, name: told?.name ?? response.name, email: told?.email ?? response.email)
  }

  /// Deletes what the vendor told once: the provider has it. Whose account it is stays, for ``NativeCredentialCheck``.
  ///
  /// - Parameters:
  ///   - credentials: what was presented; anything but ``NativeCredentials`` stands for the latest person.
  ///   - user: whose account it is at the provider.
  public func accepted(_ credentials: any Credentials, as user: User) {
    people?.accept((credentials as? NativeCredentials)?.vendorUserID, as: user)
  }

  /// Forgets which of the vendor's people this account is.
  public func forget(_ user: User) { people?.forget(user) }
}
