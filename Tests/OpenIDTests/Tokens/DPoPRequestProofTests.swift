import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

/// RFC 9449 §7, §9.
@Suite struct DPoPRequestProofTests {
  private let bench = TokenBench()
  private let url = URL(string: "https://api.example.com/notes?page=2#top")!
  private var proof: DPoPRequestProof { DPoPRequestProof(nonces: bench.nonces, environment: bench.environment) }

  private func session(bound: Bool) throws -> AuthSession {
    AuthSession(
      user: .ada,
      tokens: SessionTokens(
        access: try AccessToken(
          Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"), type: bound ? "DPoP" : "Bearer",
          receivedAt: bench.clock.now),
        proofKey: bound ? ProofOfPossessionKey().stored : nil))
  }

  @Test func `a proof is for this method, URL and token, rule 34`() throws {
    var request = HTTPRequest(.put, url)
    try proof.prove(&request, for: session(bound: true))
    let claims = request.proof.claims
    #expect(claims["htm"] as? String == "PUT")
    #expect(claims["htu"] as? String == "https://api.example.com/notes")
    // RFC 9449 §7.1's own token and hash.
    #expect(claims["ath"] as? String == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
    #expect((claims["jti"] as? String)?.utf8.count == 22)
    #expect(claims["nonce"] == nil)
  }

  // RFC 9449 §11.1
  @Test func `a request is proved for one sending, also when it is repeated, rule 34`() async throws {
    var request = HTTPRequest(.get, url)
    try proof.prove(&request, for: session(bound: true))
    #expect(!request.isIdempotent)
    request.headers["Authorization"] = "DPoP token"
    let transport = ScriptedHTTPClient(.success(HTTPResponse(status: 503)), .success(HTTPResponse(status: 200)))
    #expect(try await transport.retrying(clock: SleepRecorder()).send(request).status == 503)
  }

  // RFC 9449 §4.2, §11.1
  @Test func `each sending through an app's client has a proof of its own, rules 34, 35`() async throws {
    let session = try session(bound: true)
    let script = ScriptedAnswers([
      .success(HTTPResponse(status: 503)),
      .success(HTTPResponse(status: 301, headers: ["Location": "/items"])),
      .success(
        HTTPResponse(
          status: 401, headers: ["WWW-Authenticate": #"DPoP error="use_dpop_nonce""#, "DPoP-Nonce": "n1"])),
      .success(HTTPResponse(status: 200)),
    ])
    let transport = ScriptedHTTPClient { _ in script.next() }
    let client = transport.proving(with: proof).retrying(clock: SleepRecorder()).followRedirects()
      .authorized(by: OneSession(session: session), for: [Origin(url)!])
    #expect(try await client.send(HTTPRequest(.get, url)).status == 200)
    let claims = transport.requests.map(\.proof.claims)
    #expect(
      claims.map { $0["htu"] as? String } == [
        "https://api.example.com/notes", "https://api.example.com/notes", "https://api.example.com/items",
        "https://api.example.com/items",
      ])
    #expect(Set(claims.map { $0["jti"] as? String }).count == 4)
    #expect(claims.map { $0["nonce"] as? String } == [nil, nil, nil, "n1"])
  }

  @Test func `a session without a key is left as it is`() throws {
    var request = HTTPRequest(.get, url)
    try proof.prove(&request, for: session(bound: false))
    #expect(request == HTTPRequest(.get, url))
  }

  @Test func `a nonce that is asked for is in the next proof, rule 35`() throws {
    var request = HTTPRequest(.get, url)
    let session = try session(bound: true)
    try proof.prove(&request, for: session)
    let demand = HTTPResponse(
      status: 401, headers: ["WWW-Authenticate": #"DPoP error="use_dpop_nonce""#, "DPoP-Nonce": "n1"])
    #expect(proof.asksAgain(demand, to: request))
    try proof.prove(&request, for: session)
    #expect(request.proof.claims["nonce"] as? String == "n1")
    #expect(request.headers.values(of: "DPoP").count == 1)
  }

  @Test(arguments: [
    HTTPResponse(status: 401, headers: ["WWW-Authenticate": #"DPoP error="use_dpop_nonce""#]),
    HTTPResponse(status: 401, headers: ["WWW-Authenticate": #"DPoP error="invalid_token""#, "DPoP-Nonce": "n"]),
    HTTPResponse(status: 401, headers: ["WWW-Authenticate": #"Bearer error="use_dpop_nonce""#, "DPoP-Nonce": "n"]),
    HTTPResponse(status: 400, headers: ["WWW-Authenticate": #"DPoP error="use_dpop_nonce""#, "DPoP-Nonce": "n"]),
    HTTPResponse(status: 200, headers: ["DPoP-Nonce": "n"]),
  ])
  func `anything else is an answer, rule 35`(response: HTTPResponse) throws {
    var request = HTTPRequest(.get, url)
    try proof.prove(&request, for: session(bound: true))
    #expect(!proof.asksAgain(response, to: request))
    #expect(bench.nonces.nonce(for: url) == response.headers["DPoP-Nonce"])
  }

  @Test func `a request that carried no proof is not proved again`() {
    let demand = HTTPResponse(
      status: 401, headers: ["WWW-Authenticate": #"DPoP error="use_dpop_nonce""#, "DPoP-Nonce": "n1"])
    #expect(!proof.asksAgain(demand, to: HTTPRequest(.get, url)))
  }
}

private struct OneSession: SessionSource {
  let session: AuthSession

  func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession { session }
}
