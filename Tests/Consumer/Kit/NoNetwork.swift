import AuthenticationKit

/// A transport of the consumer's own, which is never to be used here.
struct NoNetwork: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    throw AuthenticationError(.unreachable, "No request was expected: \(request).")
  }
}
