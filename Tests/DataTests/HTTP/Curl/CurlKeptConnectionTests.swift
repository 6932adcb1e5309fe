#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Connections are kept; one that the server ends makes nothing be sent twice that must not be.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CurlKeptConnectionTests {
  static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  /// Serves so many requests on each connection, then does as it is told with the next.
  static func serving(
    _ count: Int, then next: @escaping @Sendable (WireConnection) -> Void
  ) -> @Sendable (WireConnection) -> Void {
    { wire in
      for _ in 0..<count {
        guard wire.readRequest() != nil, wire.send(answer) else { return }
      }
      next(wire)
    }
  }

  /// Holds threads back until so many have come.
  private final class Barrier: @unchecked Sendable {
    private let condition = NSCondition()
    private var missing: Int

    init(_ count: Int) { missing = count }

    func pass() {
      condition.lock()
      missing -= 1
      condition.broadcast()
      while missing > 0 { condition.wait() }
      condition.unlock()
    }
  }

  @Test func `a connection is kept, and shared by clients`() async throws {
    // In a separate process: libcurl closes an idle connection when other tests open many.
    await #expect(processExitsWith: .success) {
      try await WireServer.run(Self.serving(100) { _ in }) { server in
        let (client, other) = (try Transport.libcurl.client(), try Transport.libcurl.client())
        for _ in 1...10 { _ = try await client.send(HTTPRequest(.get, server.url())) }
        _ = try await other.send(HTTPRequest(.get, server.url()))
        #expect(server.connections.count == 1)
        #expect(server.requests.count == 11)
      }
    }
  }

  @Test(arguments: [HTTPMethod.post, .patch])
  func `a request that may not be sent twice uses a separate connection`(method: HTTPMethod) async throws {
    try await WireServer.run(Self.serving(100) { _ in }) { server in
      let client = try Transport.libcurl.client()
      for _ in 1...3 {
        _ = try await client.send(HTTPRequest(.get, server.url()))
        _ = try await client.send(HTTPRequest(method, server.url()))
      }
      #expect(server.connections.count >= 4)
      #expect(server.requests.count == 6)
    }
  }

  @Test(arguments: ["GET", "DELETE", "POST", "PATCH"], [WireConnection.End.orderly, .reset])
  func `a kept connection that is closed while a request comes makes only an idempotent one come again`(
    method: String, end: WireConnection.End
  ) async throws {
    let method = HTTPMethod(rawValue: method)
    // The second request is read, and gets no answer.
    let serve: @Sendable (WireConnection) -> Void = { wire in
      if wire.readRequest()?.contains("/first") == true { wire.send(Self.answer) } else { return wire.end(end) }
      _ = wire.readRequest()
      wire.end(end)
    }
    try await WireServer.run(serve) { server in
      let client = try Transport.libcurl.client()
      _ = try await client.send(HTTPRequest(.get, server.url("/first")))
      let body = method == .post || method == .patch ? Data("{}".utf8) : nil
      let result = await client.result(of: HTTPRequest(method, server.url("/second"), body: body))
      #expect(result.failure == .connectionLost)
      let count = server.requests.count { $0.contains("/second") }
      #expect(method.isIdempotent ? (1...2).contains(count) : count == 1)
    }
  }

  // RFC 9110 §9.2.2
  @Test(arguments: [HTTPMethod.get, .put], [true, false])
  func `a request is repeated once, however many kept connections end, and on a new one`(
    method: HTTPMethod, isAnsweredThen: Bool
  ) async throws {
    let kept = 4
    // Each serves its first request once all have come, so that there are as many connections.
    let seen = Tally()
    let barrier = Barrier(kept)
    let serve: @Sendable (WireConnection) -> Void = { wire in
      guard let first = wire.readRequest() else { return }
      if first.contains("/second") {
        if isAnsweredThen { wire.send(Self.answer) }
        return wire.end(.reset)
      }
      barrier.pass()
      wire.send(Self.answer)
      if wire.readRequest() != nil { seen.add() }
      wire.end(.reset)
    }
    try await WireServer.run(serve) { server in
      let client = try Transport.libcurl.client()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<kept { group.addTask { _ = try? await client.send(HTTPRequest(.get, server.url("/first"))) } }
      }
      let result = await client.retrying().result(of: HTTPRequest(method, server.url("/second")))
      #expect(isAnsweredThen ? (try? result.get())?.status == 200 : result.failure == .connectionLost)
      #expect(server.requests.count { $0.contains("/second") } == 2)
      #expect(seen.count == 1 && server.connections.count == kept + 1)
    }
  }

  @Test(arguments: [WireConnection.End.orderly, .reset])
  func `a POST is sent once more after a 401, and not again when its kept connection is cut`(
    end: WireConnection.End
  ) async throws {
    let refusal = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer error=\"invalid_token\"\r\n"
    let serve: @Sendable (WireConnection) -> Void = { wire in
      // The refused request leaves a connection, and the next one is read, and gets no answer.
      while let request = wire.readRequest() {
        guard request.contains("Bearer access-1") else { return wire.end(end) }
        wire.send(refusal + "Content-Length: 0\r\n\r\n")
      }
    }
    try await WireServer.run(serve) { server in
      let sessions = [1, 2].map { AuthSession.sample($0, receivedAt: Date(timeIntervalSince1970: 0)) }
      let source = ScriptedSessionSource(sessions.map { .success($0) })
      let origin = try #require(Origin(server.url()))
      let client = try Transport.libcurl.client().retrying().authorized(by: source, for: [origin])
      let request = HTTPRequest(.post, server.url("/orders"), body: Data("amount=5".utf8))
      #expect(await client.result(of: request).failure == .connectionLost)
      #expect(server.requests.map { $0.hasSuffix("\r\n\r\namount=5") } == [true, true])
      let tokens = [1, 2].map { number in server.requests.count { $0.contains("Bearer access-\(number)\r\n") } }
      #expect(tokens == [1, 1])
    }
  }

  @Test func `a GET with a proof is not sent twice with the same proof`() async throws {
    let serve: @Sendable (WireConnection) -> Void = { wire in
      while wire.readRequest()?.contains("/first") == true { wire.send(Self.answer) }
    }
    try await WireServer.run(serve) { server in
      let client = try Transport.libcurl.client()
      _ = try await client.send(HTTPRequest(.get, server.url("/first")))
      let result = await client.result(of: HTTPRequest(.get, server.url("/second"), headers: ["DPoP": "proof"]))
      #expect(result.failure == .connectionLost)
      #expect(server.connections.count == 2 || server.connections.count == 1)
      #expect(server.requests.count { $0.contains("/second") } == 1)
    }
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func `a connection that was closed while it was idle is not used`(method: HTTPMethod) async throws {
    let closed = Tally()
    try await WireServer.run({ wire in
      if wire.readRequest() != nil { wire.send(Self.answer) }
      if wire.number == 1 { closed.add() } else { wire.waitForEnd() }
    }) { server in
      let client = try Transport.libcurl.client()
      _ = try await client.send(HTTPRequest(.get, server.url()))
      await closed.wait(for: 1)
      #expect(try await client.send(HTTPRequest(method, server.url())).status == 200)
    }
  }

  @Test func `bytes that a server sends unasked are not the response to the next request`() async throws {
    try await WireServer.run({ wire in
      guard wire.readRequest() != nil else { return }
      wire.send(Self.answer + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray")
      while wire.readRequest() != nil { wire.send(Self.answer) }
    }) { server in
      let client = try Transport.libcurl.client()
      for _ in 1...5 {
        let response = try await client.send(HTTPRequest(.get, server.url()))
        #expect(response.body == Data("ok".utf8))
      }
    }
  }

  @Test func `a thousand requests at once over connections that close at random are each answered once`() async throws {
    try await WireServer.run({ wire in
      var rest = wire.number * 7 % 13
      while let request = wire.readRequest() {
        let path = request.split(separator: " ")[1]
        wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
        if rest == 0 { return }
        rest -= 1
      }
    }) { server in
      let client = try Transport.libcurl.client()
      await withTaskGroup(of: Void.self) { group in
        for number in 1...1_000 {
          if number > 32 { await group.next() }
          group.addTask {
            let method: HTTPMethod = number.isMultiple(of: 3) ? .post : .get
            let result = await client.result(of: HTTPRequest(method, server.url("/\(number)")))
            let body = (try? result.get()).map { String(decoding: $0.body, as: UTF8.self) }
            #expect(body == "/\(number)", "\(String(describing: result.failure))")
          }
        }
      }
      let posts = server.requests.filter { $0.hasPrefix("POST") }
      #expect(Set(posts).count == posts.count)
      #expect(posts.count == 333)
    }
  }
}
#endif
