#if Tools
import FlyingFox
import Foundation

/// A server of a test's own on 127.0.0.1: a closure makes its responses.
package final class LoopbackResponder: Sendable {
  package typealias Respond = @Sendable (_ request: LoopbackIdentityServer.RecordedRequest) async -> Answer

  private struct Handler: HTTPHandler {
    let respond: Respond

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
      HTTPResponse(await respond(try await LoopbackIdentityServer.RecordedRequest(request)))
    }
  }

  private let listener = LoopbackListener()

  package init() {}

  /// Listens on a free port, and returns its origin, such as `http://127.0.0.1:4711`.
  package func start(_ respond: @escaping Respond) async throws(LoopbackServerError) -> String {
    "http://127.0.0.1:\(try await listener.start(port: 0, handler: Handler(respond: respond)))"
  }

  package func stop() async { await listener.stop() }
}
#endif
