/// A passkey's answer to the provider's request (WebAuthn Level 3 §5.1.4), or the wish to be asked for one.
public struct PasskeyCredentials: Credentials {
  /// The provider's own handle of its request; nil while it has not been asked for one.
  public let handle: Secret?
  /// `AuthenticationResponseJSON`; nil to begin, which the provider answers with a ``Challenge/Kind/passkey``.
  public let response: Secret?

  /// The wish to sign in with a passkey.
  public init() { (handle, response) = (nil, nil) }

  /// The authenticator's answer.
  public init(handle: Secret?, response: Secret) {
    self.handle = handle
    self.response = response
  }

  public var method: SignInMethod { .passkey }
  /// Does nothing: the response was checked when it was made.
  public func validate() throws(AuthenticationError) {}
}

extension Credentials where Self == PasskeyCredentials {
  /// The wish to sign in with a passkey.
  public static var passkey: Self { PasskeyCredentials() }
}
