#if Tools
package import FlyingFox

extension LoopbackIdentityServer.RecordedRequest {
  package init(_ request: HTTPRequest) async throws {
    method = request.method.rawValue
    path = request.target.path()
    query = request.target.query()
    headers = Dictionary(request.headers.map { ($0.key.rawValue.lowercased(), $0.value) }) { $1 }
    body = try await request.bodyData
  }
}

extension HTTPResponse {
  package init(_ answer: Answer) {
    var headers = HTTPHeaders()
    for (name, value) in answer.headers { headers[HTTPHeader(name)] = value }
    headers[.connection] = "close"
    let status = HTTPStatusCode(answer.status, phrase: "")
    self.init(
      statusCode: status, headers: headers, body: HTTPBodySequence(data: answer.body, suggestedBufferSize: 65_536))
  }

  /// Closes the connection before the first byte: the server asks a web socket for its frames before it writes
  /// the head, and closes when there are none to get.
  package static var cut: HTTPResponse { HTTPResponse(webSocket: Cut()) }
}

private struct Cut: WSHandler {
  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    throw CancellationError()
  }
}
#endif
