/// Returns an access token that is valid, to authorize requests that no user makes.
///
/// ```swift
/// let token = try await source.validToken()
/// request.setValue(token.authorization.reveal(), forHTTPHeaderField: "Authorization")
/// ```
public protocol TokenSource: Sendable {
  /// A valid access token, requested first if necessary.
  ///
  /// - Parameter rejected: the access token a resource has just refused with 401; it is not returned again.
  /// - Returns: the token.
  /// - Throws: ``AuthenticationError`` if there is none.
  func validToken(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AccessToken
}

extension TokenSource {
  /// A valid access token, if no resource has refused one.
  public func validToken() async throws(AuthenticationError) -> AccessToken { try await validToken(rejecting: nil) }
}
