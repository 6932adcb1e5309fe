public import AuthenticationDomain

/// Sends one HTTP request and answers the response, whatever its status.
///
/// Throws only where there is no response: ``AuthenticationError/Code/unreachable`` (the server has not seen the
/// request), `connectionLost` and `timedOut` (it may have), `answerTooLarge`, `cancelled`, `insecureConnection`.
public protocol HTTPClient: Sendable {
  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse
}
