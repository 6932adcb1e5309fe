public import AuthenticationDomain

/// Sends one HTTP request and answers the response, whatever its status.
///
/// Throws where there is no response: ``AuthenticationError/Code/unreachable`` (the server has not seen the request),
/// `connectionLost` and `timedOut` (it may have), `answerTooLarge`, `cancelled`, `insecureConnection`,
/// `invalidRequest`; and what a decorator says of itself, as ``AuthorizingHTTPClient`` does.
/// (Implemented by ``SystemHTTPClient``, the ancestor's `URLSessionClient`.)
public protocol HTTPClient: Sendable {
  /// Answers when the whole body has arrived. Not isolated; any number of calls may run at once.
  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse
}
