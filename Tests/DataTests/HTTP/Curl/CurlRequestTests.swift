#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Fields that libcurl adds to a request by itself are kept away.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CurlRequestTests {
  func sent(_ method: HTTPMethod, _ headers: HTTPHeaders = [:], body: Data? = nil, path: String = "/") async throws
    -> String
  {
    try await SocketServer.run(SocketServer.answer("200 OK")) { server in
      let client = try Transport.libcurl.client()
      let answer = try await client.send(HTTPRequest(method, server.url(path), headers: headers, body: body))
      #expect(answer.status == 200)
      return try #require(server.requests.first).replacing(":\(server.port)", with: "")
    }
  }

  @Test func `a GET has four lines`() async throws {
    let expected = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate\r\n\r\n"
    #expect(try await sent(.get).lowercased() == expected.lowercased())
  }

  @Test(arguments: [0, 1, 1_025, 2_000_000])
  func `a body of any size is sent at once, without a type it does not have`(count: Int) async throws {
    let request = try await sent(.post, body: Data(repeating: 0x78, count: count))
    let head = request.components(separatedBy: "\r\n\r\n")[0].lowercased()
    #expect(head.contains("content-length: \(count)"))
    for name in ["expect", "content-type", "transfer-encoding", "user-agent", "referer", "cookie", "authorization"] {
      #expect(!head.contains("\r\n\(name)"))
    }
    #expect(request.utf8.count == head.utf8.count + 4 + count)
  }

  @Test(arguments: [("POST", true), ("PUT", true), ("PATCH", true), ("DELETE", false), ("GET", false), ("ODD", false)])
  func `a request without a body says so where its method has one as a rule`(
    method: String, saysLength: Bool
  ) async throws {
    let request = try await sent(HTTPMethod(rawValue: method)).lowercased()
    #expect(request.hasPrefix("\(method.lowercased()) / http/1.1\r\n"))
    #expect(request.contains("content-length: 0\r\n") == saysLength)
  }

  @Test func `a GET may have a body, and a field no value`() async throws {
    let headers: HTTPHeaders = ["X-Empty": "", "X-Blank": " ", "X-Twice": "1", "x-twice": "2", "Content-Length": "2"]
    let request = try await sent(.get, headers, body: Data("{}".utf8))
    #expect(request.hasPrefix("GET / HTTP/1.1\r\n"))
    #expect(request.contains("\r\nX-Empty:\r\n"))
    #expect(request.contains("\r\nX-Blank:\r\n"))
    #expect(request.contains("\r\nx-twice: 1, 2\r\n"))
    #expect(request.lowercased().components(separatedBy: "content-length: 2\r\n").count == 2)
    #expect(request.hasSuffix("\r\n\r\n{}"))
  }

  @Test(arguments: ["/a/../b", "/a/./b", "/%2e%2e/b", "//x", "/a?b=c&d=%20", "/?", "/a;b=c"])
  func `the path is sent as it is written`(path: String) async throws {
    #expect(try await sent(.get, path: path).hasPrefix("GET \(path) HTTP/1.1\r\n"))
  }

  @Test func `the fragment is not sent`() async throws {
    #expect(try await sent(.get, path: "/a#canary").hasPrefix("GET /a HTTP/1.1\r\n"))
  }

  @Test(
    arguments: Transport.allCases,
    [
      ("Expect", "100-continue"), ("Transfer-Encoding", "chunked"), ("content-length", "3"), ("Content-Length", "x"),
    ])
  func `a field that says how the message is sent is refused`(
    transport: Transport, field: (name: String, value: String)
  ) async throws {
    let client = try transport.client()
    var request = HTTPRequest(.post, URL(string: "http://127.0.0.1:9/")!, body: Data("{}".utf8))
    request.headers.append(field.name, field.value)
    #expect(await client.result(of: request).failure == .invalidRequest)
  }

  @Test(arguments: Transport.allCases, ["http://local%68ost:9/", "https://a%2Fb/", "https://a%00b/"])
  func `a host that readers could take for another is refused`(transport: Transport, text: String) async throws {
    guard let url = URL(string: text) else { return }
    let code = await (try transport.client()).result(of: HTTPRequest(.get, url)).failure
    #expect([.invalidRequest, .insecureConnection].contains(code))
  }
}
#endif
