#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// A connection that ends at any byte of a response, in any way, is a lost connection and nothing else.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CurlCutTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: String
    /// Whether the body is whole where the connection ends.
    var endsWithConnection = false
    /// How many bytes at the end may be missing: libcurl does not wait for the line feed after trailers.
    var dispensable = 0

    var headSize: Int {
      answer.utf8.count
        - answer.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n").utf8.count
    }

    static let all = [
      Self(testDescription: "length", answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nabcde"),
      Self(
        testDescription: "chunks and a trailer",
        answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-T: 1\r\n\r\n",
        dispensable: 1),
      Self(
        testDescription: "informational first",
        answer: "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde"),
      Self(
        testDescription: "until the end", answer: "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\nabcde", endsWithConnection: true),
    ]
  }

  enum Wiring: String, CaseIterable, Sendable {
    case plain
    case tls
  }

  static let ends = Wiring.allCases.flatMap { wiring in WireConnection.End.allCases.map { (wiring, $0) } }

  @Test(.enabled(if: TestCertificate.isAvailable), arguments: Form.all, ends)
  func `a connection that ends inside a response is lost, and a POST was sent once`(
    form: Form, end: (wiring: Wiring, how: WireConnection.End)
  ) async throws {
    let certificate = try TestCertificate.usual.get()
    let tls = end.wiring == .tls ? try TestTLS(certificate) : nil
    let client = try Transport.libcurl.client(trust: tls == nil ? .system : certificate.trust)
    let bytes = Array(form.answer.utf8)
    for cut in 0..<(bytes.count - form.dispensable) {
      let serve: @Sendable (WireConnection) -> Void = { wire in
        guard wire.readRequest() != nil else { return }
        wire.send(bytes.prefix(cut))
        wire.end(end.how)
      }
      try await WireServer.run(tls, serve) { server in
        let request = HTTPRequest(.post, server.url(), body: Data("{}".utf8))
        let result = await client.result(of: request)
        // libcurl 7.88 does not tell an end without `close_notify` from one with it.
        if form.endsWithConnection, cut >= form.headSize, end.how != .reset {
          let body = bytes[form.headSize..<cut]
          let received = try result.get().body
          #expect(received == Data(body), "cut at \(cut)")
        } else {
          #expect(result.failure == .connectionLost, "cut at \(cut)")
        }
        // A busy machine's server may give up before it has read the request.
        #expect(server.requests.count <= 1)
      }
    }
  }

  @Test(.enabled(if: TestCertificate.isAvailable), arguments: Form.all, Wiring.allCases)
  func `a response that comes byte by byte is whole`(form: Form, wiring: Wiring) async throws {
    let certificate = try TestCertificate.usual.get()
    let tls = wiring == .tls ? try TestTLS(certificate) : nil
    let client = try Transport.libcurl.client(trust: tls == nil ? .system : certificate.trust)
    let serve: @Sendable (WireConnection) -> Void = { wire in
      guard wire.readRequest() != nil else { return }
      for byte in form.answer.utf8 { wire.send([byte]) }
      wire.end(.goodbye)
    }
    try await WireServer.run(tls, serve) { server in
      let response = try await client.send(HTTPRequest(.get, server.url()))
      #expect(response.status == 200)
      #expect(response.body == Data("abcde".utf8))
      #expect(response.headers["X-T"] == nil, "a trailer field is no header field")
    }
  }

  @Test(.enabled(if: TestCertificate.isAvailable))
  func `a connection that ends inside the handshake has carried nothing`() async throws {
    try await WireServer.run({ _ = $0.read(1) }) { server in
      let client = try Transport.libcurl.client()
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      let result = await client.result(of: HTTPRequest(.post, url))
      #expect(result.failure == .unreachable)
    }
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { return error }
    return nil
  }
}
#endif
