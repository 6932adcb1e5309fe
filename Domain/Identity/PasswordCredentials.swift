/// A user name (or e-mail address) and a password.
public struct PasswordCredentials: Credentials {
  /// As typed.
  public let userName: String
  /// As typed; sent to the provider only, and never stored.
  public let password: Secret

  /// Accepts anything; ``validate()`` checks it.
  public init(userName: String, password: Secret) {
    self.userName = userName
    self.password = password
  }

  public var method: SignInMethod { .password }

  /// Checks that there is a user name and a password.
  ///
  /// - Throws: ``AuthenticationError/Code/blankUserName`` if the user name is empty or only white space,
  ///   ``AuthenticationError/Code/emptyPassword`` if there is no password.
  public func validate() throws(AuthenticationError) {
    if userName.allSatisfy(\.isWhitespace) { throw .blankUserName }
    if password.isEmpty { throw .emptyPassword }
  }
}

extension Credentials where Self == PasswordCredentials {
  /// A user name (or e-mail address) and a password, for `signIn(with:)`.
  public static func password(userName: String, password: Secret) -> Self {
    PasswordCredentials(userName: userName, password: password)
  }
}
