import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationData

/// Requests with tokens that are bound to a key (RFC 9449 §7), and refusals that are not for the token's sake.
@Suite struct AuthorizingHTTPClientProofTests {
  static let first = AuthorizingHTTPClientTests.first
  static let second = AuthorizingHTTPClientTests.second
  static func answer(_ status: Int, _ challenge: String? = nil) -> Result<HTTPResponse, AuthenticationError> {
    AuthorizingHTTPClientTests.answer(status, challenge)
  }

  let request = HTTPRequest(.get, URL(string: "https://api.example.com/things?x=1")!)
  let origins: Set<Origin> = [Origin(URL(string: "https://api.example.com")!)!]
  let proof = CountingProof()

  func proofs(in client: ScriptedHTTPClient) -> [String?] { client.requests.map { $0.headers["DPoP"] } }

  @Test func `every request has a proof of its own, in place of the caller's`() async throws {
    let client = ScriptedHTTPClient(Self.answer(200), Self.answer(200))
    var request = request
    request.headers = ["dpop": "the caller's"]
    let authorizing = client.authorized(
      by: ScriptedSessionSource(.success(Self.first), .success(Self.first)), for: origins, proof: proof)
    for _ in 0..<2 { _ = try await authorizing.send(request) }
    #expect(client.requests[0].headers == ["Authorization": "Bearer access-1", "DPoP": "access-1 #1"])
    #expect(client.requests[1].headers == ["Authorization": "Bearer access-1", "DPoP": "access-1 #2"])
  }

  // rule 35
  @Test func `a server that asks for a nonce is asked once more, whatever the method`() async throws {
    let client = ScriptedHTTPClient(Self.answer(401, "DPoP error=\"use_dpop_nonce\""), Self.answer(201))
    let source = ScriptedSessionSource(.success(Self.first))
    proof.ask(again: true, false)
    let post = HTTPRequest(.post, request.url, body: Data("{}".utf8))
    #expect(try await client.authorized(by: source, for: origins, proof: proof).send(post).status == 201)
    #expect(proofs(in: client) == ["access-1 #1", "access-1 #2"])
    #expect(client.requests.map(\.body) == [post.body, post.body])
    #expect(source.rejections == [nil])
  }

  // rule 35
  @Test func `a server that never has enough of nonces is not asked a third time`() async throws {
    let client = ScriptedHTTPClient { _ in Self.answer(401, "DPoP error=\"use_dpop_nonce\"") }
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    proof.ask(again: true, true, true)
    #expect(try await client.authorized(by: source, for: origins, proof: proof).send(request).status == 401)
    #expect(client.requests.count == 2)
    #expect(source.rejections == [nil])
  }

  // rule 35
  @Test func `a nonce is learned from every answer, the second one too`() async throws {
    let client = ScriptedHTTPClient(Self.answer(401, "DPoP error=\"use_dpop_nonce\""), Self.answer(200))
    proof.ask(again: true, false)
    _ = try await client.authorized(by: ScriptedSessionSource(.success(Self.first)), for: origins, proof: proof)
      .send(request)
    #expect(proof.answers == [401, 200])
  }

  @Test func `nothing is learned from another origin`() async throws {
    let client = ScriptedHTTPClient(
      .success(HTTPResponse(status: 302, headers: ["Location": "https://elsewhere.example/"])),
      Self.answer(401, "DPoP error=\"use_dpop_nonce\""))
    proof.ask(again: true)
    let authorizing = client.followRedirects().authorized(
      by: ScriptedSessionSource(.success(Self.first)), for: origins, proof: proof)
    #expect(try await authorizing.send(request).status == 401)
    #expect(proof.answers == [])
    #expect(proofs(in: client) == ["access-1 #1", nil])
  }

  @Test func `a renewed token is proved anew`() async throws {
    let client = ScriptedHTTPClient(Self.answer(401, "DPoP error=\"invalid_token\""), Self.answer(200))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    #expect(try await client.authorized(by: source, for: origins, proof: proof).send(request).status == 200)
    #expect(proofs(in: client) == ["access-1 #1", "access-2 #2"])
  }

  @Test func `without a proof nothing is sent`() async throws {
    let client = ScriptedHTTPClient()
    proof.fail()
    await #expect(throws: AuthenticationError(.storageCorrupt, "")) {
      try await client.authorized(by: ScriptedSessionSource(.success(Self.first)), for: origins, proof: proof)
        .send(request)
    }
    #expect(client.requests == [])
  }

  // RFC 9470 §3
  @Test(
    arguments: [
      (
        #"Bearer error="insufficient_user_authentication", acr_values="gold silver", max_age="60""#,
        ["gold", "silver"], 60
      ),
      (#"DPoP error="insufficient_user_authentication", max_age=0"#, [], 0),
      (#"Bearer error="insufficient_user_authentication", max_age="-1""#, [], nil),
      (#"Bearer error="insufficient_user_authentication", max_age="soon""#, [], nil),
    ] as [(String, [String], Int?)])
  func `a resource that asks for another sign-in is heard, and nothing is renewed`(
    challenge: String, acrValues: [String], maxAge: Int?
  ) async throws {
    let client = ScriptedHTTPClient(Self.answer(401, challenge))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let error = await #expect(throws: AuthenticationError.self) {
      try await client.authorized(by: source, for: origins).send(request)
    }
    #expect(error?.code == .insufficientUserAuthentication)
    #expect(
      error?.requirements
        == AuthenticationRequirements(acrValues: acrValues, maxAge: maxAge.map { Duration.seconds($0) }))
    #expect(source.rejections == [nil])
  }

  @Test(arguments: [
    (403, #"Bearer error="insufficient_scope", scope="notes:write""#, AuthenticationError.Code.insufficientScope),
    (401, #"Bearer error="insufficient_user_authentication""#, .insufficientUserAuthentication),
  ])
  func `a refusal of the replay is heard like one of the first request`(
    status: Int, challenge: String, code: AuthenticationError.Code
  ) async throws {
    let client = ScriptedHTTPClient(Self.answer(401, "Bearer error=\"invalid_token\""), Self.answer(status, challenge))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let error = await #expect(throws: AuthenticationError.self) {
      try await client.authorized(by: source, for: origins).send(request)
    }
    #expect(error?.code == code)
    #expect(client.requests.count == 2)
  }

  @Test(arguments: [401, 403]) func `a caller who wants to see refusals sees them`(status: Int) async throws {
    let challenge = #"Bearer error="insufficient_\#(status == 401 ? "user_authentication" : "scope")""#
    let client = ScriptedHTTPClient(Self.answer(status, challenge))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let authorizing = client.authorized(by: source, for: origins, throwsRefusals: false)
    #expect(try await authorizing.send(request).status == status)
    #expect(source.rejections == [nil])
  }
}

/// Counts its proofs, and asks again as a test says.
final class CountingProof: RequestProof {
  private struct Contents {
    var count = 0
    var asksAgain: [Bool] = []
    var answers: [Int] = []
    var fails = false
  }

  private let contents = Mutex(Contents())

  /// The statuses it learned from.
  var answers: [Int] { contents.withLock { $0.answers } }
  func ask(again: Bool...) { contents.withLock { $0.asksAgain = again } }
  func fail() { contents.withLock { $0.fails = true } }

  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {
    let (count, fails) = contents.withLock { contents in
      contents.count += 1
      return (contents.count, contents.fails)
    }
    if fails { throw AuthenticationError(.storageCorrupt, "Scripted.") }
    request.headers["DPoP"] = "\(session.accessToken.value.reveal()) #\(count)"
  }

  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
    contents.withLock { contents in
      contents.answers.append(response.status)
      return contents.asksAgain.isEmpty ? false : contents.asksAgain.removeFirst()
    }
  }
}
