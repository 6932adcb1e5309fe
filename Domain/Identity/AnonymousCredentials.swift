/// Asks for an account without a name. Signing out of it loses it for ever, unless it was upgraded before.
public struct AnonymousCredentials: Credentials {
  /// Credentials that present nothing.
  public init() {}

  public var method: SignInMethod { .anonymous }
  /// Does nothing: there is nothing to check.
  public func validate() throws(AuthenticationError) {}
}

extension Credentials where Self == AnonymousCredentials {
  /// An account without a name.
  public static var anonymous: Self { AnonymousCredentials() }
}
