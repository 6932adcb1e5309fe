#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// The limits that libcurl keeps itself, by its own clock: short ones, of servers that never continue.
@Suite(.timeLimit(.minutes(10))) struct CurlLimitTests {
  static let far = Duration.seconds(600)

  func code(
    _ steps: SocketServer.Step..., deadline: Duration = far, connecting: Duration = far, silence: Duration = far,
    scheme: String = "http"
  ) async throws -> AuthenticationError? {
    let limits = HTTPLimits(deadline: deadline, connecting: connecting, silence: silence, maximumBodySize: 1_000)
    let client = try SystemHTTPClient(limits, .system, SystemClock(), Libcurl.shared, variables: [:])
    return try await SocketServer.run({ _ in steps }) { server in
      let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)/"))
      return await client.result(of: HTTPRequest(.post, url)).failure
    }
  }

  @Test func `a response that does not come within the deadline has timed out`() async throws {
    #expect(try await code(.hold, deadline: .seconds(5)) == .timedOut)
  }

  @Test func `a response that falls silent has timed out`() async throws {
    #expect(try await code(.send("HTTP/1.1 200 OK\r\n"), .hold, silence: .seconds(1)) == .timedOut)
  }

  @Test func `a connection that does not come to stand has carried nothing`() async throws {
    let server = try SilentServer()
    defer { server.stop() }
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    for (deadline, connecting) in [(Self.far, Duration.milliseconds(100)), (.milliseconds(100), Self.far)] {
      let limits = HTTPLimits(deadline: deadline, connecting: connecting, silence: Self.far, maximumBodySize: 1_000)
      let client = try SystemHTTPClient(limits, .system, SystemClock(), Libcurl.shared, variables: [:])
      #expect(await client.result(of: HTTPRequest(.post, url)).failure == .unreachable)
    }
  }

  @Test func `an injected clock ends a connection that does not come to stand, as one that has carried nothing`()
    async throws
  {
    let server = try SilentServer()
    defer { server.stop() }
    let clock = ManualClock()
    let client = try Transport.libcurl.client(clock: clock)
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let exchange = Task { await client.result(of: HTTPRequest(.post, url)).failure }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    #expect(await exchange.value == .unreachable)
  }

  @Test(arguments: [Duration.zero, .milliseconds(-5), .nanoseconds(1), .seconds(Int64.max / 2)])
  func `a limit of any length has a length in milliseconds`(limit: Duration) {
    #expect((1...2_147_483_647).contains(limit.milliseconds))
    #expect((1...2_147_483).contains(limit.wholeSeconds))
  }
}

/// Accepts connections, and says nothing.
private final class SilentServer: Sendable {
  let port: UInt16
  private let listener: Int32

  init() throws { (listener, port) = try Sockets.open(listens: true) }

  func stop() { Sockets.shutDown(listener) }
}
#endif
