import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// The meaning of each response of the backend for each call: status × body. // failure rows 18, 37
@Suite struct APIAnswerTests {
  static let statuses = [
    100, 199, 300, 301, 302, 307, 400, 401, 402, 403, 404, 405, 409, 418, 422, 429, 500, 501, 502, 503, 504, 599,
  ]
  static let bodies = [
    json(0, "", type: nil), json(0, ""), json(0, "{\"error\":\"canary text\"}"),
    json(0, "<html>canary</html>", type: "text/html"),
    json(0, "[\(Wire.invalidGrant)]"),
    json(0, String(Wire.invalidGrant.dropLast())), json(0, "{\"error\":null}"),
    json(0, "{\"error\":{\"code\":\"invalid_grant\"}}"),
    json(0, "null"), json(0, Wire.tokens), json(0, String(repeating: "[", count: 10_000)),
    json(0, "{\"error\":\"\(String(repeating: "canary", count: 100_000))\"}"),
  ]

  let session = AuthSession.sample(1, receivedAt: Date(timeIntervalSince1970: 0))
  let password = PasswordCredentials(userName: "ada", password: Secret("canary"))

  func provider(_ client: ScriptedHTTPClient) throws -> any SessionValidatingProvider {
    try AuthProviderConfiguration.api(baseURL: "https://api.example.com").provider(client)
  }

  static func usualCode(_ status: Int) -> AuthenticationError {
    switch status {
    case 429: .rateLimited
    case 404, 405, 501: .endpointMissing
    case 500...599: .serverFailed
    default: .unexpectedResponse
    }
  }

  func expect(_ code: AuthenticationError, _ error: AuthenticationError?, _ status: Int, _ index: Int) {
    #expect(error == code, "HTTP \(status), body \(index)")
    for text in error.map(texts) ?? [] { #expect(!text.contains("canary"), "HTTP \(status), body \(index)") }
  }

  /// Runs a call against every status with every body of the matrix.
  func forEachAnswer(
    _ call: (any SessionValidatingProvider) async throws -> Void,
    expecting code: (Int) -> AuthenticationError?
  ) async throws {
    for status in Self.statuses {
      for (index, body) in Self.bodies.enumerated() {
        let answer = HTTPResponse(status: status, headers: body.headers, body: body.body)
        let client = ScriptedHTTPClient(.success(answer))
        let provider = try provider(client)
        let error = await failure { try await call(provider) }
        if let code = code(status) { expect(code, error, status, index) } else { #expect(error == nil) }
        #expect(client.requests.count == 1)
      }
    }
  }

  @Test func `no answer without invalid_grant ends a session`() async throws {
    try await forEachAnswer {
      _ = try await $0.refresh(session)
    } expecting: {
      Self.usualCode($0)
    }
  }

  @Test func `a sign-in is refused by 401, and by nothing else without a code`() async throws {
    try await forEachAnswer {
      _ = try await $0.signIn(with: password)
    } expecting: {
      $0 == 401 ? .invalidCredentials : Self.usualCode($0)
    }
  }

  @Test func `a sign-up is refused by 400, 409 and 422`() async throws {
    try await forEachAnswer {
      _ = try await $0.signUp(with: password)
    } expecting: {
      [400, 409, 422].contains($0) ? .signUpRefused : Self.usualCode($0)
    }
  }

  @Test func `a sign-out that the backend did not confirm is an error`() async throws {
    try await forEachAnswer {
      try await $0.revoke(session.tokens)
    } expecting: {
      Self.usualCode($0)
    }
  }

  @Test func `a validity check is answered no by 401 alone`() async throws {
    try await forEachAnswer {
      let isValid = try await $0.isValid(session)
      #expect(!isValid)
    } expecting: {
      $0 == 401 ? nil : Self.usualCode($0)
    }
  }

  @Test(
    arguments: [200, 201, 400, 401, 402, 403, 404, 409, 422], ["application/json", "text/plain", "text/html", nil])
  func `invalid_grant ends a session, whatever the status and the media type`(status: Int, type: String?) async throws {
    let provider = try provider(ScriptedHTTPClient(.success(json(status, Wire.invalidGrant, type: type))))
    let error = await failure { try await provider.refresh(session) }
    expect(.sessionRejected, error, status, 0)
    #expect(error?.providerCode == "invalid_grant")
  }

  @Test(arguments: [199, 301, 302, 307, 407, 408, 425, 429, 500, 502, 503, 504])
  func `a redirect, a limit and a failure end no session, whatever they say`(status: Int) async throws {
    let provider = try provider(ScriptedHTTPClient(.success(json(status, Wire.invalidGrant))))
    let error = await failure { try await provider.refresh(session) }
    expect(Self.usualCode(status), error, status, 0)
    #expect(error?.response == nil)
  }

  @Test func `tokens beside an error are used, and an unusable response is not a lost one`() async throws {
    func error(_ body: String, _ status: Int = 200) async throws -> AuthenticationError? {
      let provider = try provider(ScriptedHTTPClient(.success(json(status, body))))
      return await failure { try await provider.refresh(session) }
    }
    #expect(try await error(#"{"accessToken":"a","error":"invalid_grant"}"#) == nil)
    #expect(try await error(#"{"accessToken":"a","error":"invalid_grant"}"#, 400) == .sessionRejected)
    #expect(try await error(#"{"error":"locked"}"#)?.response == .refused)
    #expect(try await error(#"{"accessToken":7}"#)?.response == .unusable)
    #expect(try await error("<html>")?.response == nil)
    #expect(try await error("<html>", 403)?.response == nil)
    #expect(try await error("Unauthorized", 401)?.response == .refused)
  }

  @Test(arguments: ["invalid_request", "invalid_client", "unauthorized_client", "INVALID_GRANT", "invalid_grant ", ""])
  func `another code does not end a session`(code: String) async throws {
    for status in [400, 401] {
      let provider = try provider(ScriptedHTTPClient(.success(json(status, #"{"error":"\#(code)"}"#))))
      expect(.unexpectedResponse, await failure { try await provider.refresh(session) }, status, 0)
    }
  }

  @Test(arguments: [
    (400, "invalid_credentials", true), (400, "invalid_grant", true), (403, "invalid_credentials", true),
    (403, "invalid_grant", false), (400, "invalid_request", false), (403, "account_locked", false),
    (500, "invalid_credentials", false),
  ])
  func `a sign-in is refused by these codes`(status: Int, code: String, isRefused: Bool) async throws {
    let provider = try provider(ScriptedHTTPClient(.success(json(status, #"{"error":"\#(code)"}"#))))
    let error = await failure { try await provider.signIn(with: password) }
    expect(isRefused ? .invalidCredentials : Self.usualCode(status), error, status, 0)
  }

  @Test(arguments: [400, 401]) func `a sign-out of tokens that are already unknown is a success`(status: Int)
    async throws
  {
    let provider = try provider(ScriptedHTTPClient(.success(json(status, Wire.invalidGrant))))
    #expect(await failure { try await provider.revoke(session.tokens) } == nil)
  }

  @Test(arguments: [429, 500, 503]) func `the time to wait reaches the caller`(status: Int) async throws {
    let answer = HTTPResponse(status: status, headers: ["Retry-After": "7"])
    let provider = try provider(ScriptedHTTPClient(.success(answer)))
    #expect(await failure { try await provider.refresh(session) }?.retryAfter == .seconds(7))
  }
}
