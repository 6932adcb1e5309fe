public import AuthenticationDomain

/// A token that the app's own backend has signed with the project's service account
/// (https://firebase.google.com/docs/auth/admin/create-custom-tokens).
public struct CustomTokenCredentials: Credentials {
  /// The token as the backend made it (a JWT).
  let token: Secret

  /// The token that the app's backend returned.
  public init(token: Secret) { self.token = token }

  public var method: SignInMethod { .customToken }

  /// - Throws: ``AuthenticationError/invalidRequest`` if it is empty.
  public func validate() throws(AuthenticationError) {
    if token.isEmpty { throw AuthenticationError(.invalidRequest, "The custom token is empty.") }
  }
}
