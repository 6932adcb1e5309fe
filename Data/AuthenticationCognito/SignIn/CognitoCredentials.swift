public import AuthenticationDomain

/// What a person enters for a method that only Cognito has, or for a passkey, which Cognito asks for by user name.
public struct CognitoCredentials: Credentials {
  /// As typed.
  public let userName: String
  /// As typed; nil for a method without one.
  public let password: Secret?
  public let method: SignInMethod

  /// Accepts anything; ``validate()`` checks it.
  public init(userName: String, password: Secret? = nil, method: SignInMethod) {
    self.userName = userName
    self.password = password
    self.method = method
  }

  /// Checks that there is a user name, and a password if the method needs one.
  ///
  /// - Throws: ``AuthenticationError/Code/blankUserName``, ``AuthenticationError/Code/emptyPassword``.
  public func validate() throws(AuthenticationError) {
    if userName.allSatisfy(\.isWhitespace) { throw .blankUserName }
    if method.needs.contains(.password), password?.isEmpty ?? true { throw .emptyPassword }
  }
}

extension SignInMethod {
  /// A password that is sent as it is (`USER_PASSWORD_AUTH`); see ``CognitoCredentials``.
  public static let plainPassword = Self(
    id: "password-plain", displayName: "User name and password", needs: [.userName, .password])
  /// What the pool's own triggers ask for (`CUSTOM_AUTH`); see ``CognitoCredentials``.
  public static let customChallenge = Self(id: "custom-challenge", displayName: "User name", needs: [.userName])
}

extension Challenge.Kind {
  /// What a pool's own trigger asks for, given as a code; see ``Challenge/cognitoParameters``.
  public static let custom = Self(id: "custom")
  /// An e-mail address for codes, given as a code.
  public static let emailAddress = Self(id: "email_address")
}

extension Challenge {
  /// What Cognito said with a custom challenge, or with one for a new password: `requiredAttributes`, for example.
  public var cognitoParameters: [String: String] { (try? CognitoHandle(self))?.parameters ?? [:] }
}

extension SignInProcess {
  /// The forms of the methods that only Cognito has.
  static func cognitoForms(for methods: [SignInMethod]) -> [SignInProcess] {
    methods.filter { $0 == .plainPassword || $0 == .customChallenge }.map { method in
      SignInProcess(method) { context throws(AuthenticationError) in
        CognitoCredentials(
          userName: context.input[.userName].reveal(),
          password: method == .plainPassword ? context.input[.password] : nil, method: method)
      }
    }
  }
}
