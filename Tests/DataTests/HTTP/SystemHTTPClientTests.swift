import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Requests and responses pass through every transport unchanged, against a server of raw bytes.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SystemHTTPClientTests {
  // origin A4: only the URL and the method used to be copied.
  @Test(arguments: Transport.allCases, ["POST", "PUT", "PATCH", "DELETE"])
  func `the method, the headers and the body reach the server byte for byte`(transport: Transport, method: String)
    async throws
  {
    let client = try transport.client()
    try await SocketServer.run(SocketServer.answer("200 OK")) { server in
      let body = #"{"password":"pä\"ss\u{1}","username":"ada"}"#
      let request = HTTPRequest(
        HTTPMethod(rawValue: method), server.url("/auth/a%2Fb?x=1%202"),
        headers: [
          "Content-Type": "application/json", "Authorization": "Bearer a.b-c_d~e+f/g==", "X-Odd": "a, b;c=\"d\"",
        ],
        body: Data(body.utf8))
      _ = try await client.send(request)
      let parts = try #require(server.requests.first).components(separatedBy: "\r\n\r\n")
      let lines = parts[0].components(separatedBy: "\r\n")
      #expect(lines.first == "\(method) /auth/a%2Fb?x=1%202 HTTP/1.1")
      #expect(lines.contains("Content-Type: application/json"))
      #expect(lines.contains("Authorization: Bearer a.b-c_d~e+f/g=="))
      #expect(lines.contains("X-Odd: a, b;c=\"d\""))
      #expect(lines.contains("Content-Length: \(body.utf8.count)"))
      #expect(parts[1] == body)
    }
  }

  @Test(arguments: Transport.allCases) func `nothing secret is added to a request`(transport: Transport) async throws {
    let client = try transport.client()
    try await SocketServer.run(SocketServer.answer("200 OK")) { server in
      _ = try await client.send(HTTPRequest(.get, server.url("/user")))
      let lines = try #require(server.requests.first).components(separatedBy: "\r\n").filter { !$0.isEmpty }
      let names = Set(lines.dropFirst().map { $0.components(separatedBy: ":")[0].lowercased() })
      #expect(lines.first == "GET /user HTTP/1.1")
      #expect(names.isSubset(of: ["host", "accept", "accept-encoding", "accept-language", "user-agent", "connection"]))
    }
  }

  @Test(
    arguments: Transport.allCases,
    [
      "200 OK", "201 Created", "400 Bad Request", "403 Forbidden", "404 Not Found", "407 Proxy",
      "429 Too Many Requests",
      "500 Internal Server Error", "503 Service Unavailable",
    ])
  func `the status, the headers and the body of an answer are the server's`(transport: Transport, status: String)
    async throws
  {
    let client = try transport.client()
    let step = SocketServer.answer(status, ["Content-Type: application/json", "Retry-After: 7"], body: #"{"a":"ä"}"#)
    try await SocketServer.run(step) { server in
      let response = try await client.send(HTTPRequest(.get, server.url()))
      #expect(response.status == Int(status.prefix(3)))
      #expect(response.headers["content-type"] == "application/json")
      #expect(response.headers["retry-after"] == "7")
      #expect(response.body == Data(#"{"a":"ä"}"#.utf8))
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a client of an app reads 2 MiB, and the one for providers refuses them`() async throws {
    let body = String(repeating: "a", count: 2 << 20)
    let (own, shared) = (try SystemHTTPClient(deadline: .seconds(300)), try SystemHTTPClient.shared)
    try await SocketServer.run(SocketServer.answer("200 OK", body: body)) { server in
      let response = try await own.send(HTTPRequest(.get, server.url()))
      #expect(response.body.count == 2 << 20)
      await #expect(throws: AuthenticationError.responseTooLarge) {
        try await shared.send(HTTPRequest(.get, server.url()))
      }
    }
  }

  @Test(arguments: Transport.allCases) func `the answer to HEAD has no body, whatever length it tells`(
    transport: Transport
  ) async throws {
    let client = try transport.client()
    try await SocketServer.run(.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n")) { server in
      let response = try await client.send(HTTPRequest(.head, server.url()))
      #expect(response.status == 200)
      #expect(response.body.isEmpty)
      #expect(server.requests.first?.hasPrefix("HEAD / HTTP/1.1\r\n") == true)
    }
  }

  @Test(arguments: Transport.allCases, ["204 No Content", "304 Not Modified"])
  func `an answer that can have no body is whole without one`(transport: Transport, status: String) async throws {
    let client = try transport.client()
    try await SocketServer.run(.send("HTTP/1.1 \(status)\r\nConnection: close\r\n\r\n")) { server in
      let response = try await client.send(HTTPRequest(.get, server.url()))
      #expect(response.status == Int(status.prefix(3)))
      #expect(response.body.isEmpty)
    }
  }

  @Test(arguments: Transport.allCases) func `a body in chunks, and one that ends with the connection, are whole`(
    transport: Transport
  ) async throws {
    let client = try transport.client()
    let chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    for answer in ["HTTP/1.1 200 OK\r\nConnection: close\r\n\(chunks)", "HTTP/1.0 200 OK\r\n\r\nabcde"] {
      try await SocketServer.run(.send(answer)) { server in
        let response = try await client.send(HTTPRequest(.get, server.url()))
        #expect(response.body == Data("abcde".utf8))
      }
    }
  }

  @Test(arguments: Transport.allCases) func `a cookie is neither stored nor sent back`(transport: Transport)
    async throws
  {
    let client = try transport.client()
    let step = SocketServer.answer(
      "200 OK", ["Set-Cookie: session=canary; Path=/", "Set-Cookie: b=canary; Max-Age=99"])
    try await SocketServer.run(step) { server in
      for _ in 1...3 { _ = try await client.send(HTTPRequest(.get, server.url("/user"))) }
      #expect(server.requests.count == 3)
      for request in server.requests { #expect(!request.lowercased().contains("cookie")) }
    }
  }

  @Test(arguments: Transport.allCases) func `an answer that may be cached is asked for again`(transport: Transport)
    async throws
  {
    let client = try transport.client()
    try await SocketServer.run(SocketServer.answer("200 OK", ["Cache-Control: max-age=9999"], body: "x")) { server in
      for _ in 1...3 { _ = try await client.send(HTTPRequest(.get, server.url("/user"))) }
      #expect(server.requests.count == 3)
    }
  }

  @Test(arguments: Transport.allCases) func `fifty requests at once get fifty answers, each its own`(
    transport: Transport
  ) async throws {
    let client = try transport.client()
    let echo: @Sendable (String) -> [SocketServer.Step] = { request in
      [SocketServer.answer("200 OK", body: request.components(separatedBy: " ")[1])]
    }
    try await SocketServer.run(echo) { server in
      let bodies = try await withThrowingTaskGroup(of: (Int, Data).self) { group in
        for number in 1...50 {
          group.addTask { (number, try await client.send(HTTPRequest(.get, server.url("/\(number)"))).body) }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for number in 1...50 { #expect(bodies[number] == Data("/\(number)".utf8)) }
      #expect(server.requests.count == 50)
    }
  }
}
