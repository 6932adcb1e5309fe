public import Foundation

/// Returns a session whose access token is valid, to authorize requests.
///
/// ```swift
/// let session = try await root.manager.validSession()
/// request.setValue(session.accessToken.authorization.reveal(), forHTTPHeaderField: "Authorization")
/// ```
///
/// ### Choose a source
///
/// ``AuthManager`` returns the session with its own access token, and ``AuthManager/source(for:)`` the session with the
/// token of one resource. `ScriptedAuthManager` of `AuthenticationTesting` is for a test. Write a source only for a
/// session that another library keeps. The tokens of a program without a user come from a ``TokenSource``.
///
/// ### Implement a source
///
/// One call suffices: ``validSession(byHand:)`` and ``noteServerDate(_:)`` have defaults. A token that was rejected is
/// not returned again: return a newer one, refresh, or throw.
///
/// ```swift
/// struct FixedSource: SessionSource {
///   let session: AuthSession
///   func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession {
///     if session.accessToken == rejected { throw .accessTokenRefused }
///     return session
///   }
/// }
/// ```
///
/// ### Implement a middleware
///
/// A source that wraps another one forwards the requirements with a default as well. The compiler does not ask for
/// them.
///
/// ```swift
/// struct CountingSource<Upstream: SessionSource>: SessionSource {
///   let upstream: Upstream
///   func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession {
///     if rejected != nil { count("rejected token") }
///     return try await upstream.validSession(rejecting: rejected)
///   }
///   func validSession(byHand: Bool) async throws(AuthenticationError) -> AuthSession {
///     try await upstream.validSession(byHand: byHand)
///   }
///   func noteServerDate(_ date: () -> Date?) { upstream.noteServerDate(date) }
/// }
/// ```
///
/// ### Errors
///
/// The HTTP client of `authorized(by:for:throwsRefusals:)` throws an error of the first call before it sends anything.
/// After a 401 it asks again, with the token that was refused: ``AuthenticationError/accessTokenRefused`` then says
/// that another refresh would not help, and the caller gets the refusal of the resource; every other error is thrown.
/// If the second session is another user's, the request is not repeated (``AuthenticationError/superseded``).
///
/// ### Concurrency
///
/// The client asks for each request, from any executor, and any number of calls may wait at the same time. Return a
/// valid session without waiting, and share one refresh among all callers. ``noteServerDate(_:)`` is synchronous and
/// called after a response: it must not block.
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
