public import AuthenticationDomain

/// Asks a user to sign in with a vendor's own sheet on this device.
///
/// Apple's is ``AppleIDAuthenticator``. Others are closures around the vendor's SDK, which the app links:
/// ``SignInProcess/google(nonce:forget:signIn:)``.
public protocol NativeAuthenticator: Sendable {
  /// Shows the sheet.
  ///
  /// - Returns: what the vendor returned, unchecked.
  /// - Throws: ``AuthenticationError/cancelled`` if the user leaves.
  func signIn(_ request: NativeSignInRequest) async throws(AuthenticationError) -> NativeSignInResponse
}

/// What a vendor's sheet is asked with.
public struct NativeSignInRequest: Sendable {
  /// What the vendor puts into the identity token, in the form that is agreed with it; nil if it takes none.
  public let nonce: Secret?
  /// What a vendor that supports it returns with its response.
  public let state: String
  /// The host's window, in front of which the sheet is shown.
  public let anchor: PresentationAnchor?

  /// For a test of an authenticator of your own.
  public init(nonce: Secret?, state: String, anchor: PresentationAnchor? = nil) {
    self.nonce = nonce
    self.state = state
    self.anchor = anchor
  }
}

/// What a vendor's sheet returned.
public struct NativeSignInResponse: Sendable {
  /// The identity token (a JWT); nil if the vendor gave an access token alone.
  public var identityToken: Secret?
  /// The request's state, from a vendor that returns it; nil from any other.
  public var state: String?
  /// The user at the vendor.
  public var vendorUserID: String?
  /// A code that the backend exchanges.
  public var authorizationCode: Secret?
  /// An access token of the vendor.
  public var accessToken: Secret?
  /// The user's name.
  public var name: UserName?
  /// The user's address.
  public var email: String?

  /// What the vendor's SDK returned.
  public init(
    identityToken: Secret?, state: String? = nil, vendorUserID: String? = nil, authorizationCode: Secret? = nil,
    accessToken: Secret? = nil, name: UserName? = nil, email: String? = nil
  ) {
    self.identityToken = identityToken
    self.state = state
    self.vendorUserID = vendorUserID
    self.authorizationCode = authorizationCode
    self.accessToken = accessToken
    self.name = name
    self.email = email
  }
}
