import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import AuthenticationData

/// Habits that a transport must not have: answering challenges, following redirects.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SystemHTTPClientHabitsTests {
  static let error = #"{"error":"invalid_client"}"#

  @Test(
    arguments: Transport.allCases,
    [
      "Basic realm=\"x\"", "Basic", "Digest realm=\"x\", nonce=\"1\", qop=\"auth\"", "Negotiate", "NTLM",
      "Bearer error=\"invalid_token\"", "DPoP algs=\"ES256\"", "Odd a=b, Basic realm=\"x\"",
    ])
  func `a 401 with any challenge is answered with its body`(transport: Transport, challenge: String) async throws {
    let client = try transport.client()
    let headers = ["WWW-Authenticate: \(challenge)", "Content-Type: application/json"]
    try await SocketServer.run(SocketServer.answer("401 Unauthorized", headers, body: Self.error)) { server in
      for (method, body) in [(HTTPMethod.get, nil), (.post, Data("{}".utf8))] {
        let response = try await client.send(HTTPRequest(method, server.url("/auth"), body: body))
        #expect(response.status == 401)
        #expect(response.headers["WWW-Authenticate"] == challenge)
        #expect(response.body == Data(Self.error.utf8))
      }
      #expect(server.requests.count == 2)
    }
  }

  @Test(arguments: [(30.0, 60.0), (180, 180)])
  func `URLSession does not give up before the deadline`(deadline: Double, silence: Double) {
    #expect(
      URLSessionConfiguration.withoutMemory(silence: .seconds(deadline)).timeoutIntervalForRequest == silence)
  }

  @Test(arguments: Transport.allCases)
  func `both challenges of two header lines arrive`(transport: Transport) async throws {
    let client = try transport.client()
    let headers = ["WWW-Authenticate: Basic realm=\"x\"", "WWW-Authenticate: Bearer error=\"invalid_token\""]
    try await SocketServer.run(SocketServer.answer("401 Unauthorized", headers)) { server in
      let response = try await client.send(HTTPRequest(.get, server.url()))
      let schemes = response.headers.values(of: "WWW-Authenticate").flatMap(AuthenticateChallenge.parse).map(\.scheme)
      #expect(schemes.sorted() == ["basic", "bearer"])
    }
  }

  @Test(arguments: Transport.allCases)
  func `a 401 that never ends is ended by the deadline`(transport: Transport) async throws {
    let clock = ManualClock()
    let client = try transport.client(clock: clock)
    let head = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 9\r\n\r\n{"
    try await SocketServer.run(.send(head), .hold) { server in
      let exchange = Task { try await client.send(HTTPRequest(.get, server.url())) }
      await server.holds.wait(for: 1)
      await clock.waitForSleepers()
      clock.advance(by: .seconds(30))
      await #expect(throws: AuthenticationError.timedOut) { try await exchange.value }
    }
  }

  // rule 15, failure row 36
  @Test(arguments: Transport.allCases, [301, 302, 303, 307, 308])
  func `a redirect is answered as it is, and the other origin sees nothing`(
    transport: Transport, status: Int
  ) async throws {
    let client = try transport.client()
    try await SocketServer.run(SocketServer.answer("200 OK")) { other in
      let location = other.url("/stolen").absoluteString
      let redirect = SocketServer.answer("\(status) Elsewhere", ["Location: \(location)"], body: "moved")
      try await SocketServer.run(redirect) { server in
        for method in [HTTPMethod.get, .post] {
          let request = HTTPRequest(
            method, server.url("/auth"), headers: ["Authorization": "Bearer canary", "Cookie": "a=canary"],
            body: method == .post ? Data("canary".utf8) : nil)
          let response = try await client.send(request)
          #expect(response.status == status)
          #expect(response.headers["Location"] == location)
          #expect(response.body == Data("moved".utf8))
        }
        #expect(server.requests.count == 2)
        #expect(other.requests == [])
      }
    }
  }
}
