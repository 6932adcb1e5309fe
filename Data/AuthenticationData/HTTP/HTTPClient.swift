public import AuthenticationDomain

/// Sends one HTTP request and returns the response, whatever its status.
///
/// Throws if there is no response: ``AuthenticationError/Code/unreachable`` (the server has not seen the request),
/// `connectionLost` and `timedOut` (it may have), `answerTooLarge`, `cancelled`, `insecureConnection`,
/// `invalidRequest`; and the errors that a decorator documents, such as ``AuthorizingHTTPClient``.
/// (Implemented by ``SystemHTTPClient``, the ancestor's `URLSessionClient`.)
///
/// ```swift
/// struct LoggingHTTPClient<Upstream: HTTPClient>: HTTPClient {
///   let upstream: Upstream
///   func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
///     let response = try await upstream.send(request)
///     log("\(request) \(response.status)")
///     return response
///   }
/// }
/// ```
public protocol HTTPClient: Sendable {
  /// Returns when the whole body has arrived. Not isolated; any number of calls may run concurrently.
  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse
}
