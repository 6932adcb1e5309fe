import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Requests with tokens that are bound to a key (RFC 9449 §7, §9).
@Suite struct ProvingHTTPClientTests {
  static let first = AuthorizingHTTPClientTests.first
  static let second = AuthorizingHTTPClientTests.second
  static func answer(_ status: Int, _ challenge: String? = nil) -> Result<HTTPResponse, AuthenticationError> {
    AuthorizingHTTPClientTests.answer(status, challenge)
  }
  static func redirect(_ status: Int, to location: String) -> Result<HTTPResponse, AuthenticationError> {
    .success(HTTPResponse(status: status, headers: ["Location": location]))
  }

  let request = HTTPRequest(.get, URL(string: "https://api.example.com/things?x=1")!)
  let origins: Set<Origin> = [Origin(URL(string: "https://api.example.com")!)!]
  let proof = CountingProof()
  let demand = "DPoP error=\"use_dpop_nonce\""

  /// All of the decorators, in the order of the composition root.
  private func client(
    _ transport: ScriptedHTTPClient, _ sessions: AuthSession...
  ) -> some HTTPClient {
    let source = ScriptedSessionSource(sessions.map { .success($0) })
    return transport.proving(with: proof).retrying(clock: RecordingClock()).followRedirects()
      .authorized(by: source, for: origins)
  }

  private func proofs(in transport: ScriptedHTTPClient) -> [String?] {
    transport.requests.map { $0.headers["DPoP"] }
  }

  @Test func `every request has a proof of its own, in place of the caller's`() async throws {
    let transport = ScriptedHTTPClient(Self.answer(200), Self.answer(200))
    var request = request
    request.headers = ["dpop": "the caller's", "DPOP": "another"]
    let client = client(transport, Self.first, Self.first)
    for _ in 0..<2 { _ = try await client.send(request) }
    #expect(
      transport.requests.map(\.headers) == [
        ["Authorization": "Bearer access-1", "DPoP": "GET /things access-1 #1"],
        ["Authorization": "Bearer access-1", "DPoP": "GET /things access-1 #2"],
      ])
  }

  @Test func `a session without a key leaves no proof of the caller's either`() async throws {
    let transport = ScriptedHTTPClient(Self.answer(200))
    var request = request
    request.headers = ["dpop": "the caller's"]
    _ = try await transport.proving(with: UnboundProof())
      .authorized(by: ScriptedSessionSource(.success(Self.first)), for: origins).send(request)
    #expect(transport.requests.map(\.headers) == [["Authorization": "Bearer access-1"]])
  }

  // RFC 9449 §11.1: a server may remember each proof.
  @Test(
    arguments: [.success(HTTPResponse(status: 503)), .failure(AuthenticationError(.connectionLost, ""))]
      as [Result<HTTPResponse, AuthenticationError>])
  func `a retried request has a new proof, rule 34`(outage: Result<HTTPResponse, AuthenticationError>) async throws {
    let transport = ScriptedHTTPClient(outage, Self.answer(200))
    #expect(try await client(transport, Self.first).send(request).status == 200)
    #expect(proofs(in: transport) == ["GET /things access-1 #1", "GET /things access-1 #2"])
  }

  @Test(arguments: [301, 302, 307, 308]) func `a redirected request has a proof for its new target, rule 34`(
    status: Int
  ) async throws {
    let transport = ScriptedHTTPClient(Self.redirect(status, to: "/items"), Self.answer(200))
    #expect(try await client(transport, Self.first).send(request).status == 200)
    #expect(proofs(in: transport) == ["GET /things access-1 #1", "GET /items access-1 #2"])
  }

  @Test func `an order that became a question is proved as one, rule 34`() async throws {
    let transport = ScriptedHTTPClient(Self.redirect(303, to: "/orders/1"), Self.answer(200))
    let order = HTTPRequest(.post, URL(string: "https://api.example.com/orders")!, body: Data("{}".utf8))
    #expect(try await client(transport, Self.first).send(order).status == 200)
    #expect(proofs(in: transport) == ["POST /orders access-1 #1", "GET /orders/1 access-1 #2"])
  }

  @Test func `a nonce that is wanted after a redirect places no order twice, rule 35`() async throws {
    let transport = ScriptedHTTPClient(
      Self.redirect(303, to: "/orders/1"), Self.answer(401, demand), Self.answer(200))
    proof.ask(again: false, true, false)
    let order = HTTPRequest(.post, URL(string: "https://api.example.com/orders")!, body: Data("{}".utf8))
    #expect(try await client(transport, Self.first).send(order).status == 200)
    #expect(transport.requests.map(\.method) == [.post, .get, .get])
  }

  @Test func `another origin gets no proof and teaches nothing`() async throws {
    let transport = ScriptedHTTPClient(
      Self.redirect(302, to: "https://elsewhere.example/"), Self.answer(401, demand))
    proof.ask(again: false, true)
    #expect(try await client(transport, Self.first).send(request).status == 401)
    #expect(proofs(in: transport) == ["GET /things access-1 #1", nil])
    #expect(proof.answers == [302])
    #expect(transport.requests.map { $0.session != nil } == [true, false])
  }

  @Test func `a response that a transport received from another origin teaches nothing`() async throws {
    var response = try Self.answer(401, demand).get()
    response.isFromOtherOrigin = true
    let transport = ScriptedHTTPClient(.success(response))
    proof.ask(again: true)
    #expect(try await client(transport, Self.first).send(request).status == 401)
    #expect(proof.answers == [])
  }

  // rule 35
  @Test func `a server that asks for a nonce is asked once more, whatever the method`() async throws {
    let transport = ScriptedHTTPClient(Self.answer(401, demand), Self.answer(201))
    proof.ask(again: true, false)
    let post = HTTPRequest(.post, request.url, body: Data("{}".utf8))
    #expect(try await client(transport, Self.first).send(post).status == 201)
    #expect(proofs(in: transport) == ["POST /things access-1 #1", "POST /things access-1 #2"])
    #expect(transport.requests.map(\.body) == [post.body, post.body])
  }

  // rule 35
  @Test func `a server that never has enough of nonces is not asked a third time`() async throws {
    let transport = ScriptedHTTPClient { [demand] _ in Self.answer(401, demand) }
    proof.ask(again: true, true, true)
    #expect(try await client(transport, Self.first, Self.second).send(request).status == 401)
    #expect(transport.requests.count == 2)
  }

  // rule 35
  @Test func `a nonce is learned from every answer, the second one too`() async throws {
    let transport = ScriptedHTTPClient(Self.answer(401, demand), Self.answer(200))
    proof.ask(again: true, false)
    _ = try await client(transport, Self.first).send(request)
    #expect(proof.answers == [401, 200])
  }

  @Test func `a refreshed token is proved anew`() async throws {
    let transport = ScriptedHTTPClient(Self.answer(401, "DPoP error=\"invalid_token\""), Self.answer(200))
    #expect(try await client(transport, Self.first, Self.second).send(request).status == 200)
    #expect(proofs(in: transport) == ["GET /things access-1 #1", "GET /things access-2 #2"])
  }

  @Test func `without a proof nothing is sent`() async throws {
    let transport = ScriptedHTTPClient()
    proof.fail()
    await #expect(throws: AuthenticationError(.storageCorrupt, "")) {
      try await client(transport, Self.first).send(request)
    }
    #expect(transport.requests == [])
  }

  @Test func `a request that no session authorized is left as it is`() async throws {
    let transport = ScriptedHTTPClient(Self.answer(200))
    _ = try await transport.proving(with: proof).send(request)
    #expect(transport.requests == [request])
    #expect(proof.answers == [])
  }

  // A redirect that an app's own client followed drops the header it knows of.
  @Test(arguments: [nil, "Bearer access-2"]) func `a session whose token does not authorize the request adds no proof`(
    authorization: String?
  ) async throws {
    let transport = ScriptedHTTPClient(Self.answer(200))
    var request = request
    request.headers["Authorization"] = authorization
    request.session = Self.first
    _ = try await transport.proving(with: proof).send(request)
    #expect(proofs(in: transport) == [nil])
  }

  @Test func `the session is no part of a request's value, and in none of its texts`() {
    var carrying = request
    carrying.session = Self.first
    #expect(carrying == request)
    #expect(carrying.hashValue == request.hashValue)
    var text = "\(carrying) \(String(reflecting: carrying)) "
    dump(carrying, to: &text)
    #expect(!text.contains("AuthSession"))
  }
}
