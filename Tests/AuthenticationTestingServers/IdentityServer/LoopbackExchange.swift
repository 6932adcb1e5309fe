#if Tools
import FlyingFox

/// A request that a loopback server received, and its response: nothing secret.
package struct LoopbackExchange: Sendable, Hashable {
  package let method: String
  /// Without the query.
  package let path: String
  /// Nil where the connection was cut before the response.
  package let status: Int?
}

/// Reports each exchange before the response is sent.
struct ObservedHandler: HTTPHandler {
  let upstream: any HTTPHandler
  let observe: @Sendable (LoopbackExchange) -> Void

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await upstream.handleRequest(request)
    // A cut of a connection poses as a web socket.
    let status = response.statusCode == .switchingProtocols ? nil : response.statusCode.code
    observe(LoopbackExchange(method: request.method.rawValue, path: request.target.path(), status: status))
    return response
  }
}
#endif
