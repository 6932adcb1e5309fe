import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

/// RFC 7009.
@Suite struct RevocationTests {
  private let endpoint = URL(string: "https://id.example.com/revoke")!

  private func revoke(_ bench: TokenBench, canRefresh: Bool = true) async -> AuthenticationError? {
    let tokens = SessionTokens.sample(receivedAt: bench.clock.now, canRefresh: canRefresh)
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
    #expect(await revoke(bench, canRefresh: false) == nil)
    #expect(bench.http.requests.count == 1)
  }

  /// Why the tokens can never be revoked; nil if they are.
  private func refusal(_ response: HTTPResponse) async throws -> AuthenticationError? {
    let bench = TokenBench { _ in .success(response) }
    return try await Revocation(client: bench.client, environment: bench.environment)
      .revoke(.sample(receivedAt: bench.clock.now), at: endpoint)
  }

  @Test(arguments: [
    json(200, ""), json(204, ""), json(200, "<p>anything</p>", type: "text/html"),
    json(400, #"{"error":"invalid_token"}"#), json(400, #"{"error":"invalid_grant"}"#),
  ])
  func `an invalid or unknown token counts as revoked, rule 33`(response: HTTPResponse) async throws {
    #expect(try await refusal(response) == nil)
  }

  @Test(arguments: [
    (json(400, #"{"error":"unsupported_token_type"}"#), "of this kind (HTTP 400)"),
    (json(401, #"{"error":"invalid_client"}"#), "refuses to revoke tokens for this client (HTTP 401)"),
    (json(400, #"{"error":"unauthorized_client"}"#), "refuses to revoke tokens for this client (HTTP 400)"),
    (json(401, "", type: nil), "refuses to revoke tokens for this client (HTTP 401)"),
    (json(403, #"{"error":"unauthorized_client"}"#), "refuses to revoke tokens for this client (HTTP 403)"),
    (json(200, "<html><FORM>Sign out?</FORM>", type: "text/html; charset=utf-8"), "a page that asks a user"),
  ])
  func `a token that this client can never revoke is not retried for ever, and not called revoked`(
    response: HTTPResponse, words: String
  ) async throws {
    let refusal = try #require(try await refusal(response))
    #expect(refusal == .unsupportedMethod && refusal.message.contains(words))
  }

  @Test func `the refresh token decides whether the tokens are revoked`() async throws {
    let done = Answer.success(json(200, ""))
    let unsupported = Answer.success(json(400, #"{"error":"unsupported_token_type"}"#))
    for (answers, isRevoked) in [([done, unsupported], true), ([unsupported, done], false)] {
      let bench = TokenBench(answers[0], answers[1])
      let revocation = Revocation(client: bench.client, environment: bench.environment)
      let refusal = try await revocation.revoke(.sample(receivedAt: bench.clock.now), at: endpoint)
      #expect((refusal == nil) == isRevoked)
    }
  }

  @Test(
    arguments: [
      (json(503, ""), .serverFailed), (json(500, #"{"error":"invalid_client"}"#), .serverFailed),
      (json(429, ""), .rateLimited), (json(302, ""), .unexpectedResponse), (json(404, ""), .endpointMissing),
      (json(401, "<p>Sign in</p>", type: "text/html"), .unexpectedResponse),
      (json(403, "", type: nil), .unexpectedResponse),
      (json(400, ""), .unexpectedResponse), (json(400, #"{"error":"invalid_request"}"#), .clientRejected),
    ] as [(HTTPResponse, AuthenticationError)])
  func `a failed revocation that may succeed later throws, rule 33`(response: HTTPResponse, code: AuthenticationError)
    async
  {
    let bench = TokenBench { _ in .success(response) }
    #expect(await revoke(bench) == code)
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
