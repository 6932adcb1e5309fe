/// Asks for the stored session of the person who returns: the store may ask for a face, a finger or a passcode.
///
/// No provider is asked. ``AuthManager`` reads the store again, which may prompt.
public struct UnlockCredentials: Credentials {
  /// Credentials that present nothing.
  public init() {}

  public var method: SignInMethod { .unlock }
  /// Does nothing: there is nothing to check.
  public func validate() throws(AuthenticationError) {}
}

extension Credentials where Self == UnlockCredentials {
  /// The stored session of the person who returns.
  public static var unlock: Self { UnlockCredentials() }
}
