import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct TokenEndpointTests {
  private let grant = FormBody(["grant_type": "refresh_token", "refresh_token": "r/1 +"])
  private let good = Answer.success(json(200, #"{"access_token":"a","token_type":"DPoP"}"#))

  private func demand(_ nonce: String?, status: Int = 400, code: String = "use_dpop_nonce") -> Answer {
    .success(json(status, #"{"error":"\#(code)"}"#, nonce.map { ["DPoP-Nonce": $0] } ?? [:]))
  }

  @Test func `a grant is a form, posted, and none of it is in the query, rules 15, 30`() async throws {
    let bench = TokenBench(good)
    _ = try await bench.endpoint.send(grant, provenBy: nil)
    #expect(
      bench.http.requests.map(\.wire) == [
        ["POST", "https://id.example.com//token?tenant=1"] + Form.headers + [
          "grant_type=refresh_token&refresh_token=r%2F1+%2B&client_id=app"
        ]
      ])
    #expect(!bench.http.requests[0].isIdempotent)
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func `a redirect is not followed, rule 15`(status: Int) async throws {
    let bench = TokenBench(.success(json(status, "", ["Location": "https://id.example.com/other"])))
    let response = try await bench.endpoint.send(grant, provenBy: nil)
    let error = await failure { try bench.endpoint.tokens(of: response, askedFor: [], boundTo: nil) }
    #expect(error == .unexpectedResponse)
    #expect(bench.http.requests.count == 1)
  }

  @Test func `a proof is for the endpoint without its query, and new each time, rule 34`() async throws {
    let bench = TokenBench(good, good)
    let key = ProofOfPossessionKey().stored
    for _ in 0..<2 { _ = try await bench.endpoint.send(grant, provenBy: key) }
    let proofs = bench.http.requests.map(\.proof)
    #expect(proofs.allSatisfy { $0.header.contains(#""typ":"dpop+jwt""#) })
    #expect(proofs.map { $0.claims["htm"] as? String } == ["POST", "POST"])
    #expect(proofs.allSatisfy { ($0.claims["htu"] as? String)?.contains("?") == false })
    #expect(proofs.map { $0.claims["iat"] as? Int } == [1_767_225_600, 1_767_225_600])
    #expect(Set(proofs.map { $0.claims["jti"] as? String }).count == 2)
    #expect(proofs.allSatisfy { $0.claims["ath"] == nil && $0.claims["nonce"] == nil })
  }

  @Test(arguments: [400, 401]) func `an issuer that asks for a nonce is asked once more, rule 35`(status: Int)
    async throws
  {
    let bench = TokenBench(demand("n1", status: status), good)
    let response = try await bench.endpoint.send(grant, provenBy: ProofOfPossessionKey().stored)
    #expect(response.status == 200)
    #expect(bench.http.requests.map { $0.proof.claims["nonce"] as? String } == [nil, "n1"])
    #expect(bench.http.requests[0].body == bench.http.requests[1].body)
    #expect(bench.http.requests[1].headers.values(of: "DPoP").count == 1)
  }

  @Test func `an issuer that is never content is not asked a third time, rule 35`() async throws {
    let bench = TokenBench(demand("n1"), demand("n2"), demand("n3"))
    let response = try await bench.endpoint.send(grant, provenBy: ProofOfPossessionKey().stored)
    #expect(response.status == 400)
    #expect(bench.http.requests.count == 2)
    #expect(bench.nonces.nonce(for: TokenBench.url) == "n2")
  }

  @Test func `a demand that cannot be met, or is none, is the answer, rule 35`() async throws {
    for answer in [
      demand(nil), demand("a b"), demand(""), demand(String(repeating: "n", count: 1_025)),
      demand("n", code: "invalid_grant"),
      demand("n", status: 403),
    ] {
      let bench = TokenBench(answer, good)
      _ = try await bench.endpoint.send(grant, provenBy: ProofOfPossessionKey().stored)
      #expect(bench.http.requests.count == 1)
    }
  }

  @Test func `a nonce is kept from every answer, for its own server only, rule 35`() async throws {
    let bench = TokenBench(
      .success(json(200, "{}", ["DPoP-Nonce": "n1"])), .success(json(400, "{}", ["DPoP-Nonce": "n2"])), good)
    let key = ProofOfPossessionKey().stored
    for _ in 0..<3 { _ = try await bench.endpoint.send(grant, provenBy: key) }
    #expect(bench.http.requests.map { $0.proof.claims["nonce"] as? String } == [nil, "n1", "n2"])
    #expect(bench.nonces.nonce(for: URL(string: "https://id.example.com/userinfo")!) == "n2")
    #expect(bench.nonces.nonce(for: URL(string: "https://api.example.com/")!) == nil)
  }

  @Test func `a redirected response from another origin teaches no nonce`() {
    let nonces = DPoPNonces()
    var response = json(200, "", ["DPoP-Nonce": "n"])
    response.isFromOtherOrigin = true
    #expect(!nonces.learn(from: response, to: TokenBench.url))
    #expect(nonces.nonce(for: TokenBench.url) == nil)
  }

  @Test(arguments: [503, 429]) func `a proof that the issuer may have seen is not sent again, rule 34`(
    status: Int
  ) async throws {
    let bench = TokenBench(.success(json(status, "")), good)
    let endpoint = bench.endpoint(over: bench.http.retrying(clock: SleepRecorder()))
    #expect(try await endpoint.send(grant, provenBy: ProofOfPossessionKey().stored).status == status)
    #expect(bench.http.requests.count == 1)
  }

  @Test(arguments: [(AuthenticationError.unreachable, 2), (.connectionLost, 1), (.timedOut, 1)])
  func `nor where no answer came, unless it never got there, rule 34`(
    code: AuthenticationError, requests: Int
  ) async throws {
    let bench = TokenBench(.failure(AuthenticationError(code, "")), good)
    let endpoint = bench.endpoint(over: bench.http.retrying(clock: SleepRecorder()))
    _ = try? await endpoint.send(grant, provenBy: ProofOfPossessionKey().stored)
    #expect(bench.http.requests.count == requests)
  }

  // RFC 9449 §4.3, §11.1
  @Test(arguments: [-3_600, -61, 61, 3_600])
  func `a proof that is refused when this device's clock is off blames the clock`(offset: Int) async throws {
    let error = await refusal("invalid_dpop_proof", clockOffset: offset)
    #expect(error == .clockSkewed)
    #expect(error?.clockOffset == .seconds(offset))
    #expect(error?.providerCode == "invalid_dpop_proof")
  }

  @Test func `a difference that is tolerated, or unknown, is not to blame`() async throws {
    for offset in [-60, 0, 60, nil] {
      #expect(await refusal("invalid_dpop_proof", clockOffset: offset) == .clientRejected)
    }
  }

  @Test func `no other refusal is the clock's fault`() async throws {
    #expect(await refusal("invalid_grant", clockOffset: 3_600) == .invalidCredentials)
    #expect(await refusal("invalid_client", clockOffset: 3_600) == .clientRejected)
    #expect(await refusal("use_dpop_nonce", clockOffset: 3_600) == .clientRejected)
  }

  /// - Parameter clockOffset: how far this device's clock is ahead; nil where the issuer tells no time.
  private func refusal(_ code: String, clockOffset: Int?) async -> AuthenticationError? {
    let issuerTime = [
      -3_600: "Thu, 01 Jan 2026 01:00:00 GMT", -61: "Thu, 01 Jan 2026 00:01:01 GMT",
      -60: "Thu, 01 Jan 2026 00:01:00 GMT", 0: "Thu, 01 Jan 2026 00:00:00 GMT",
      60: "Wed, 31 Dec 2025 23:59:00 GMT", 61: "Wed, 31 Dec 2025 23:58:59 GMT",
      3_600: "Wed, 31 Dec 2025 23:00:00 GMT",
    ]
    var response = json(400, #"{"error":"\#(code)"}"#)
    if let clockOffset, let date = issuerTime[clockOffset] {
      response = json(400, #"{"error":"\#(code)"}"#, ["Date": date])
    }
    return await failure {
      try TokenBench().endpoint.tokens(of: response, askedFor: [], boundTo: ProofOfPossessionKey().stored)
    }
  }

  @Test func `a key that cannot be read sends nothing`() async {
    let bench = TokenBench(good)
    let error = await failure { try await bench.endpoint.send(grant, provenBy: Secret("no key")) }
    #expect(error == .storageCorrupt)
    #expect(bench.http.requests == [])
  }
}
