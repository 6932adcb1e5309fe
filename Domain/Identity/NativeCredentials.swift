/// What a vendor's own sign-in on this device returned: proof for the provider or the app's backend, which verifies it.
///
/// The person counts as signed in only after that.
public struct NativeCredentials: Credentials {
  /// The vendor's method, such as ``SignInMethod/apple``.
  public let method: SignInMethod
  /// The vendor's identity token (a JWT), as it came.
  public let identityToken: Secret
  /// The nonce of this attempt before any hashing; nil if the vendor took none.
  public let rawNonce: Secret?
  /// A code that the backend exchanges; single use.
  public let authorizationCode: Secret?
  /// An access token of the vendor, if it gave one.
  public let accessToken: Secret?
  /// The person's name, which Apple tells once, at the first consent.
  public let name: String?
  /// The person's address, which Apple tells once, at the first consent.
  public let email: String?

  /// What the vendor's sheet returned.
  public init(
    method: SignInMethod, identityToken: Secret, rawNonce: Secret? = nil, authorizationCode: Secret? = nil,
    accessToken: Secret? = nil, name: String? = nil, email: String? = nil
  ) {
    self.method = method
    self.identityToken = identityToken
    self.rawNonce = rawNonce
    self.authorizationCode = authorizationCode
    self.accessToken = accessToken
    self.name = name
    self.email = email
  }

  /// Checks that there is an identity token.
  ///
  /// - Throws: ``AuthenticationError/Code/security`` if there is none.
  public func validate() throws(AuthenticationError) {
    if identityToken.isEmpty { throw .refused(by: .idToken, "The vendor's sheet returned no identity token.") }
  }
}
