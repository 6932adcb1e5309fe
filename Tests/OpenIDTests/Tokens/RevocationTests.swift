import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

/// RFC 7009.
@Suite struct RevocationTests {
  private let endpoint = URL(string: "https://id.example.com/revoke")!

  private func revoke(_ bench: TokenBench, canRenew: Bool = true) async -> AuthenticationError? {
    let tokens = SessionTokens.sample(receivedAt: bench.clock.now, canRenew: canRenew)
    let revocation = Revocation(client: bench.client, environment: bench.environment)
    return await failure { try await revocation.revoke(tokens, at: endpoint) }
  }

  @Test func `the refresh token goes first, then the access token, each in a form, rules 30, 33`() async {
    let bench = TokenBench(.success(json(200, "")), .success(json(200, "")))
    #expect(await revoke(bench) == nil)
    let start = ["POST", "https://id.example.com/revoke"] + Form.headers
    #expect(
      bench.http.requests.map(\.wire) == [
        start + ["token=refresh-1&token_type_hint=refresh_token&client_id=app"],
        start + ["token=access-1&token_type_hint=access_token&client_id=app"],
      ])
  }

  @Test func `without a refresh token only the access token is revoked`() async {
    let bench = TokenBench(.success(json(200, "")))
    #expect(await revoke(bench, canRenew: false) == nil)
    #expect(bench.http.requests.count == 1)
  }

  @Test(arguments: [
    json(200, ""), json(204, ""), json(200, "<p>anything</p>", type: "text/html"),
    json(400, #"{"error":"unsupported_token_type"}"#), json(400, #"{"error":"invalid_token"}"#),
    json(401, #"{"error":"invalid_client"}"#), json(400, #"{"error":"unauthorized_client"}"#), json(401, "", type: nil),
    json(403, #"{"error":"unauthorized_client"}"#),
  ])
  func `what is over, or never can be, is not asked for ever, rule 33`(response: HTTPResponse) async {
    #expect(await revoke(TokenBench { _ in .success(response) }) == nil)
  }

  @Test(
    arguments: [
      (json(503, ""), .serverFailed), (json(500, #"{"error":"invalid_client"}"#), .serverFailed),
      (json(429, ""), .rateLimited), (json(302, ""), .unexpectedAnswer), (json(404, ""), .endpointMissing),
      (json(401, "<p>Sign in</p>", type: "text/html"), .unexpectedAnswer),
      (json(403, "", type: nil), .unexpectedAnswer),
      (json(400, ""), .unexpectedAnswer), (json(400, #"{"error":"invalid_request"}"#), .clientRejected),
    ] as [(HTTPResponse, AuthenticationError.Code)])
  func `what may succeed later is thrown, rule 33`(response: HTTPResponse, code: AuthenticationError.Code) async {
    let bench = TokenBench { _ in .success(response) }
    #expect(await revoke(bench)?.code == code)
    #expect(bench.http.requests.count == 1)
  }

  @Test func `how long to wait is kept, rule 33`() async {
    let bench = TokenBench(.success(json(503, "", ["Retry-After": "30"])))
    #expect(await revoke(bench)?.retryAfter == .seconds(30))
  }

  @Test func `an access token that could not be revoked is told of though the refresh token was`() async {
    let bench = TokenBench(.success(json(200, "")), .failure(.timedOut))
    #expect(await revoke(bench) == .timedOut)
  }
}
