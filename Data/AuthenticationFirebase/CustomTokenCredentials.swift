public import AuthenticationDomain

/// A token that the app's own backend has signed with the project's service account
/// (https://firebase.google.com/docs/auth/admin/create-custom-tokens).
public struct CustomTokenCredentials: Credentials {
  /// The token as the backend made it (a JWT).
  public let token: Secret

  /// What the app's backend returned.
  public init(token: Secret) { self.token = token }

  public var method: SignInMethod { .customToken }

  /// - Throws: ``AuthenticationError/Code/invalidRequest`` if it is empty.
  public func validate() throws(AuthenticationError) {
    if token.isEmpty { throw AuthenticationError(.invalidRequest, "The custom token is empty.") }
  }
}

extension SignInMethod {
  /// A token of the app's own backend; see ``CustomTokenCredentials``.
  public static let customToken = Self(id: "custom-token", displayName: "Custom token", needs: [.token])
}

extension SignInMethod.Need {
  /// A token that the app obtained elsewhere.
  public static let token = Self(id: "token")
}

extension SignInProcess {
  /// A token of the app's own backend.
  public static let customToken = Self(.customToken) { context throws(AuthenticationError) in
    CustomTokenCredentials(token: context.input[.token])
  }
}
