import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Each way to fail has its own code, and none of them waits for ever.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SystemHTTPClientFailureTests {
  let clock = ManualClock()

  func client(_ transport: Transport) throws -> any HTTPClient {
    try transport.client(maximumBodySize: 1_000, clock: clock)
  }

  func failure(of request: HTTPRequest, by client: any HTTPClient) async -> AuthenticationError? {
    do { _ = try await client.send(request) } catch { return error }
    return nil
  }

  static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

  @Test(
    arguments: Transport.allCases,
    [
      [], [.send(head)], [.send("\(head)Content-Length: 9\r\n\r\n{")],
      [.send("\(head)Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")], [.send("\(head)\r\n{")],
    ] as [[SocketServer.Step]])
  func `the deadline ends an exchange that hangs, and hangs up`(
    transport: Transport, steps: [SocketServer.Step]
  ) async throws {
    let client = try client(transport)
    try await SocketServer.run({ _ in steps + [.hold] }) { server in
      async let error = failure(of: HTTPRequest(.post, server.url(), body: Data("{}".utf8)), by: client)
      await server.holds.wait(for: 1)
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(29_999))
      // Returns only if the deadline is still to come.
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(1))
      #expect(await error == .timedOut)
      await server.hangUps.wait(for: 1)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: Transport.allCases) func `a deadline that is no longer needed is given up`(transport: Transport)
    async throws
  {
    let client = try client(transport)
    try await SocketServer.run(SocketServer.answer("200 OK")) { server in
      for _ in 1...3 { _ = try await client.send(HTTPRequest(.get, server.url())) }
      clock.advance(by: .seconds(3_600))
      #expect(try await client.send(HTTPRequest(.get, server.url())).status == 200)
    }
  }

  @Test(arguments: Transport.allCases) func `a cancelled call ends at once and hangs up`(transport: Transport)
    async throws
  {
    let client = try client(transport)
    try await SocketServer.run(.send("\(Self.head)Content-Length: 9\r\n\r\n{"), .hold) { server in
      let exchange = Task { await failure(of: HTTPRequest(.get, server.url()), by: client) }
      await server.holds.wait(for: 1)
      exchange.cancel()
      #expect(await exchange.value == .cancelled)
      await server.hangUps.wait(for: 1)
    }
  }

  @Test(arguments: Transport.allCases) func `a call that is cancelled before it begins sends nothing`(
    transport: Transport
  ) async throws {
    let client = try client(transport)
    try await SocketServer.run(SocketServer.answer("200 OK")) { server in
      let gate = Gate()
      gate.close()
      let exchange = Task {
        await gate.pass()
        return await failure(of: HTTPRequest(.get, server.url()), by: client)
      }
      await gate.waitForArrivals(1)
      exchange.cancel()
      gate.open()
      #expect(await exchange.value == .cancelled)
      #expect(server.requests == [])
    }
  }

  @Test(arguments: Transport.allCases) func `a refused connection is unreachable`(transport: Transport) async throws {
    let client = try client(transport)
    let port = try ClosedPort()
    for scheme in ["http", "https"] {
      let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port.number)/auth"))
      #expect(await failure(of: HTTPRequest(.post, url), by: client) == .unreachable)
    }
    withExtendedLifetime(port) {}
  }

  @Test(
    arguments: Transport.allCases,
    [
      [], [.reset], [.send("HTTP/1.1 20")], [.send("\(head)Content-Length: 9\r\n\r\n")],
      [.send("\(head)Content-Length: 9\r\n\r\n{\"a\":1")], [.send("\(head)Content-Length: 9\r\n\r\n{"), .reset],
      [.send("\(head)Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a")],
      [.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 9\r\n\r\n{")],
    ] as [[SocketServer.Step]])
  func `a connection cut before the answer is whole is lost`(
    transport: Transport, steps: [SocketServer.Step]
  ) async throws {
    let client = try client(transport)
    try await SocketServer.run({ _ in steps }) { server in
      for method in [HTTPMethod.get, .post] {
        #expect(await failure(of: HTTPRequest(method, server.url()), by: client) == .connectionLost)
      }
      #expect(server.requests.count == 2)
    }
  }

  @Test(arguments: Transport.allCases) func `a server that speaks no TLS is no secure connection`(transport: Transport)
    async throws
  {
    let client = try client(transport)
    try await SocketServer.run(.send("")) { server in
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      let error = await failure(of: HTTPRequest(.get, url), by: client)
      #expect([.connectionLost, .insecureConnection, .unreachable].contains(error))
    }
  }

  // rule 14
  @Test(
    arguments: Transport.allCases,
    [
      "http://api.example.com/", "http://192.168.0.1/", "http://127.0.0.1.example.com/",
      "http://localhost.example.com/",
      "http://127.0.0.1@api.example.com/", "http://user:canary@127.0.0.1/", "ftp://127.0.0.1/", "file:///etc/passwd",
      "/auth",
      "data:,",
    ])
  func `a request that is neither https nor for this machine is not sent`(transport: Transport, text: String)
    async throws
  {
    let client = try client(transport)
    let error = await failure(of: HTTPRequest(.get, try #require(URL(string: text))), by: client)
    #expect(error == .insecureConnection)
    #expect(error?.message.contains("canary") == false)
  }

  // failure row 37
  @Test(arguments: Transport.allCases) func `no error shows a query, a header or a body`(transport: Transport)
    async throws
  {
    let client = try client(transport)
    let secrets: [SocketServer.Step] = [.send("\(Self.head)X-Canary: canary\r\nContent-Length: 99\r\n\r\ncanary")]
    try await SocketServer.run({ _ in secrets }) { server in
      let port = try ClosedPort()
      let refused = URL(string: "http://127.0.0.1:\(port.number)/cb?code=canary#canary")!
      for url in [server.url("/cb?code=canary"), refused, URL(string: "http://example.com/cb?code=canary")!] {
        let request = HTTPRequest(.post, url, headers: ["Authorization": "Bearer canary"], body: Data("canary".utf8))
        let error = try #require(await failure(of: request, by: client))
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), error.localizedDescription, dumped] {
          #expect(!text.contains("canary"), "\(text)")
        }
      }
      withExtendedLifetime(port) {}
    }
  }

  @Test(
    arguments: Transport.allCases,
    [
      ("X-Note", "a\r\nAuthorization: Bearer other"), ("X-Note", "a\nb"), ("X-Note", "a\0b"), ("X Note", "a"),
      ("X-Note:", "a"), ("", "a"), ("X-\u{E9}", "a"),
    ])
  func `a header field that would begin another is not sent`(
    transport: Transport, field: (name: String, value: String)
  ) async throws {
    let client = try client(transport)
    var request = HTTPRequest(.get, URL(string: "http://127.0.0.1:9/")!)
    request.headers.append(field.name, field.value)
    #expect(await failure(of: request, by: client) == .invalidRequest)
  }
}
