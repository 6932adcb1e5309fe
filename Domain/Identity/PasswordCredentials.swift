/// A user name (or e-mail address) and a password.
public struct PasswordCredentials: Credentials {
  public let userName: String
  public let password: Secret

  public init(userName: String, password: Secret) {
    self.userName = userName
    self.password = password
  }

  public var method: SignInMethod { .password }

  /// Throws ``AuthenticationError/Code/blankUserName`` or ``AuthenticationError/Code/emptyPassword``.
  public func validate() throws(AuthenticationError) {
    if userName.allSatisfy(\.isWhitespace) { throw .blankUserName }
    if password.isEmpty { throw .emptyPassword }
  }
}

extension Credentials where Self == PasswordCredentials {
  public static func password(userName: String, password: Secret) -> Self {
    PasswordCredentials(userName: userName, password: password)
  }
}
