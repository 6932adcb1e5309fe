public import Foundation

/// Returns a session whose access token is valid, to authorize requests.
///
/// ```swift
/// let session = try await root.manager.validSession()
/// request.setValue(session.accessToken.authorization.reveal(), forHTTPHeaderField: "Authorization")
/// ```
public protocol SessionSource: Sendable {
  /// A session whose access token is valid, refreshed first if necessary.
  ///
  /// - Parameter rejected: the access token a resource has just refused with 401; it is not returned again.
  /// - Returns: a session with a valid access token.
  /// - Throws: ``AuthenticationError`` if there is none.
  func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession

  /// A session whose access token is valid, for a request that the user makes by hand, such as pull to refresh: where
  /// failed refreshes keep other callers waiting, the provider is asked at once.
  ///
  /// - Parameter byHand: false is the same as ``validSession()``.
  /// - Returns: a session with a valid access token.
  /// - Throws: ``AuthenticationError`` if there is none.
  func validSession(byHand: Bool) async throws(AuthenticationError) -> AuthSession

  /// Takes note of the time in a server's response.
  ///
  /// - Parameter date: returns that time (UTC); called only if it is needed.
  func noteServerDate(_ date: () -> Date?)
}

extension SessionSource {
  /// The same as ``validSession()``, for a source that never keeps its callers waiting.
  public func validSession(byHand: Bool) async throws(AuthenticationError) -> AuthSession {
    try await validSession(rejecting: nil)
  }

  public func noteServerDate(_ date: () -> Date?) {}

  /// A session whose access token is valid, if no resource has refused one.
  public func validSession() async throws(AuthenticationError) -> AuthSession {
    try await validSession(rejecting: nil)
  }
}
