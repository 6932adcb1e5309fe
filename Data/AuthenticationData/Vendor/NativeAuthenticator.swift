public import AuthenticationDomain

/// Asks a user to sign in with a vendor's own sheet on this device.
///
/// ### Choose an authenticator
///
/// Apple's is ``AppleIDAuthenticator``. Others are closures around the vendor's SDK, which the app links:
/// ``SignInProcess/google(nonce:forget:signIn:)``. `VendorPageAuthenticator` of `AuthenticationOpenID` shows the
/// vendor's page instead of a sheet, and `ScriptedNativeAuthenticator` of `AuthenticationTesting` is for tests. Write
/// an authenticator for the SDK of another vendor, and pass it to ``NativeSignIn``.
///
/// ### Implement an authenticator
///
/// An authenticator shows the sheet, and returns the vendor's result unchecked. ``NativeSignIn`` makes the nonce,
/// compares it with the identity token, and keeps data that the vendor returns once. The provider, or the app's
/// backend, verifies the token.
///
/// ```swift
/// struct GoogleAuthenticator: NativeAuthenticator {
///   func signIn(_ request: NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials {
///     try await signInWithGoogle(nonce: request.nonce?.reveal(), over: request.anchor)
///   }
/// }
/// ```
///
/// ### Errors
///
/// ``AuthenticationError/cancelled`` if the user leaves, which ends the attempt without a failure. Every other error is
/// the failure of the attempt: ``AuthenticationError/authenticatorFailed`` with the vendor's number as its cause.
///
/// ### Concurrency
///
/// A sheet is shown on the main actor; the call itself is not isolated. It returns soon after its task is cancelled.
public protocol NativeAuthenticator: Sendable {
  /// Shows the sheet.
  ///
  /// - Returns: the vendor's result, unchecked. Its nonce is added by ``NativeSignIn``, whose method counts.
  /// - Throws: ``AuthenticationError/cancelled`` if the user leaves.
  func signIn(_ request: NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials
}

/// The request to a vendor's sheet.
public struct NativeSignInRequest: Sendable {
  /// The nonce that the vendor puts into the identity token, in the form that is agreed with it; nil if it takes none.
  public let nonce: Secret?
  /// The state, which a vendor that supports it returns with its response.
  public let state: String
  /// The host's window, in front of which the sheet is shown.
  public let anchor: PresentationAnchor?

  /// For a test of a custom authenticator.
  public init(nonce: Secret?, state: String, anchor: PresentationAnchor? = nil) {
    self.nonce = nonce
    self.state = state
    self.anchor = anchor
  }
}
