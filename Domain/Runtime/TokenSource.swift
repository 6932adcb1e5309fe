/// Returns an access token that is valid, to authorize requests that no user makes.
///
/// ```swift
/// let token = try await source.validToken()
/// request.setValue(token.authorization.reveal(), forHTTPHeaderField: "Authorization")
/// ```
///
/// ### Choose a source
///
/// `ServiceTokens` of `AuthenticationWorkload` requests the tokens of a program from an issuer. Write a source only for
/// a token from elsewhere. The tokens of a user come from a ``SessionSource``.
///
/// ### Implement a source
///
/// ```swift
/// struct FixedToken: TokenSource {
///   let token: AccessToken
///   func validToken(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AccessToken {
///     if token == rejected { throw .accessTokenRefused }
///     return token
///   }
/// }
/// ```
///
/// ### Errors
///
/// As for a ``SessionSource``: an error of the first call is thrown before anything is sent. After a 401,
/// ``AuthenticationError/accessTokenRefused`` says that another token would not help, and the caller gets the refusal
/// of the resource; every other error is thrown.
///
/// ### Concurrency
///
/// The client asks for each request, from any executor, and any number of calls may wait at the same time. Return a
/// valid token without waiting, and share one request for a new one among all callers.
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
