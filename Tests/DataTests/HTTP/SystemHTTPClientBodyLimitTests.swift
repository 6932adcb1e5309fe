import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// No server can make the client hold more than its limit.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SystemHTTPClientBodyLimitTests {
  func answer(_ server: SocketServer, _ client: any HTTPClient) async -> Result<Int, AuthenticationError> {
    do throws(AuthenticationError) {
      return .success(try await client.send(HTTPRequest(.get, server.url())).body.count)
    } catch {
      return .failure(error)
    }
  }

  @Test(
    arguments: Transport.allCases,
    [
      "Content-Length: 1000\r\n\r\n", "\r\n", "Transfer-Encoding: chunked\r\n\r\n3e8\r\n",
    ])
  func `a body of exactly the limit is whole`(transport: Transport, head: String) async throws {
    let end = head.contains("chunked") ? "\r\n0\r\n\r\n" : ""
    let body = String(repeating: "x", count: 1_000)
    let client = try transport.client(maximumBodySize: 1_000)
    try await SocketServer.run(.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(head)\(body)\(end)")) { server in
      #expect(await answer(server, client) == .success(1_000))
    }
  }

  @Test(
    arguments: Transport.allCases,
    [
      "Content-Length: 1001\r\n\r\n", "\r\n", "Transfer-Encoding: chunked\r\n\r\n3e9\r\n",
    ])
  func `a body one byte longer is too large`(transport: Transport, head: String) async throws {
    let end = head.contains("chunked") ? "\r\n0\r\n\r\n" : ""
    let body = String(repeating: "x", count: 1_001)
    let client = try transport.client(maximumBodySize: 1_000)
    try await SocketServer.run(.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(head)\(body)\(end)")) { server in
      #expect(await answer(server, client) == .failure(AuthenticationError(.responseTooLarge, "")))
    }
  }

  @Test(arguments: Transport.allCases) func `a length above the limit is refused before any of the body arrives`(
    transport: Transport
  ) async throws {
    let client = try transport.client(maximumBodySize: 1_000)
    try await SocketServer.run(.send("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n"), .hold) { server in
      #expect(await answer(server, client) == .failure(AuthenticationError(.responseTooLarge, "")))
      await server.hangUps.wait(for: 1)
    }
  }

  @Test(arguments: Transport.allCases) func `a flood without a length is cut off`(transport: Transport) async throws {
    let client = try transport.client(maximumBodySize: 1_000)
    try await SocketServer.run(.send("HTTP/1.1 200 OK\r\n\r\n"), .flood) { server in
      #expect(await answer(server, client) == .failure(AuthenticationError(.responseTooLarge, "")))
      await server.hangUps.wait(for: 1)
    }
  }
}

#if os(Linux)
extension SystemHTTPClientBodyLimitTests {
  /// A sanitizer holds further memory.
  private static let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  @Test(.enabled(if: !isSanitized)) func `the bytes that a flood sends until it stops are not kept in memory`() async {
    await #expect(processExitsWith: .success) {
      for transport in Transport.allCases + Transport.allCases {
        let client = try transport.client(maximumBodySize: 1_000)
        try await SocketServer.run(.send("HTTP/1.1 200 OK\r\n\r\n"), .flood) { server in
          await #expect(throws: AuthenticationError(.responseTooLarge, "")) {
            try await client.send(HTTPRequest(.get, server.url()))
          }
          await server.hangUps.wait(for: 1)
        }
      }
      // The most memory this process ever held; it begins with about 40 MB.
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      let kilobytes = try #require(Int(line.filter(\.isNumber)))
      #expect(kilobytes < 250_000)
    }
  }
}
#endif
