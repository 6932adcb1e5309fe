public import AuthenticationDomain

/// The input for a method that only Cognito has, or for a passkey, which Cognito asks for by user name.
public struct CognitoCredentials: Credentials {
  let userName: String
  let password: Secret?
  public let method: SignInMethod

  /// Accepts anything, as typed; ``validate()`` checks it. A method without a password has none.
  public init(userName: String, password: Secret? = nil, method: SignInMethod) {
    self.userName = userName
    self.password = password
    self.method = method
  }

  /// Checks that there is a user name, and a password if the method needs one.
  ///
  /// - Throws: ``AuthenticationError/blankUserName``, ``AuthenticationError/emptyPassword``.
  public func validate() throws(AuthenticationError) {
    if userName.allSatisfy(\.isWhitespace) { throw .blankUserName }
    if method.needs.contains(.password), password?.isEmpty ?? true { throw .emptyPassword }
  }
}
