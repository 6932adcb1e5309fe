import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Refusals that are not for the token's sake.
@Suite struct AuthorizingHTTPClientRefusalTests {
  static let first = AuthorizingHTTPClientTests.first
  static let second = AuthorizingHTTPClientTests.second
  static func answer(_ status: Int, _ challenge: String? = nil) -> Result<HTTPResponse, AuthenticationError> {
    AuthorizingHTTPClientTests.answer(status, challenge)
  }

  let request = HTTPRequest(.get, URL(string: "https://api.example.com/things?x=1")!)
  let origins: Set<Origin> = [Origin(URL(string: "https://api.example.com")!)!]

  // failure row 29
  @Test func `a resource that has just refused a new token is not sent another, and the 401 is the caller's`()
    async throws
  {
    let client = ScriptedHTTPClient(Self.answer(401))
    let source = ScriptedSessionSource(.success(Self.first), .failure(.accessTokenRefused))
    #expect(try await client.authorized(by: source, for: origins).send(request).status == 401)
    #expect(client.requests.count == 1)
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
  func `a resource that asks for another sign-in is heard, and nothing is refreshed`(
    challenge: String, acrValues: [String], maxAge: Int?
  ) async throws {
    let client = ScriptedHTTPClient(Self.answer(401, challenge))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let error = await #expect(throws: AuthenticationError.self) {
      try await client.authorized(by: source, for: origins).send(request)
    }
    #expect(error == .insufficientUserAuthentication)
    #expect(
      error?.requirements
        == AuthenticationRequirements(acrValues: acrValues, maxAge: maxAge.map { Duration.seconds($0) }))
    #expect(source.rejections == [nil])
  }

  @Test(arguments: [
    (403, #"Bearer error="insufficient_scope", scope="notes:write""#, AuthenticationError.insufficientScope),
    (401, #"Bearer error="insufficient_user_authentication""#, .insufficientUserAuthentication),
  ])
  func `a refusal of the replay is heard like one of the first request`(
    status: Int, challenge: String, code: AuthenticationError
  ) async throws {
    let client = ScriptedHTTPClient(Self.answer(401, "Bearer error=\"invalid_token\""), Self.answer(status, challenge))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let error = await #expect(throws: AuthenticationError.self) {
      try await client.authorized(by: source, for: origins).send(request)
    }
    #expect(error == code)
    #expect(client.requests.count == 2)
  }

  // {"access_token":{}}
  private let claims = #"Bearer error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnt9fQ==""#

  @Test func `a resource that asks for claims gets a token of one refresh`() async throws {
    let client = ScriptedHTTPClient(Self.answer(401, claims), Self.answer(200))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    #expect(try await client.authorized(by: source, for: origins).send(request).status == 200)
    #expect(source.rejections == [nil, Self.first.accessToken])
  }

  @Test(arguments: [true, false]) func `claims that the refresh did not bring are the user's to bring`(isRefused: Bool)
    async throws
  {
    let client = ScriptedHTTPClient(Self.answer(401, claims), Self.answer(401, claims))
    let source = ScriptedSessionSource(
      .success(Self.first), isRefused ? .failure(.accessTokenRefused) : .success(Self.second))
    let error = await #expect(throws: AuthenticationError.self) {
      try await client.authorized(by: source, for: origins).send(request)
    }
    #expect(error == .insufficientUserAuthentication)
    #expect(error?.requirements?.claims == #"{"access_token":{}}"#)
    #expect(client.requests.count == (isRefused ? 1 : 2))
  }

  @Test(arguments: [
    (401, "insufficient_user_authentication"), (401, "insufficient_claims"), (403, "insufficient_scope"),
  ])
  func `a caller who wants to see refusals sees them`(status: Int, code: String) async throws {
    let client = ScriptedHTTPClient(Self.answer(status, #"Bearer error="invalid_token", Bearer error="\#(code)""#))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let authorizing = client.authorized(by: source, for: origins, throwsRefusals: false)
    #expect(try await authorizing.send(request).status == status)
    #expect(source.rejections == [nil])
  }

  // RFC 6750 §3.1: only the recipient of the token can refuse it.
  @Test(arguments: [
    (401, #"Bearer error="invalid_token""#), (401, #"Bearer error="insufficient_user_authentication""#),
    (403, #"Bearer error="insufficient_scope""#),
  ])
  func `a challenge of another origin after a redirect does not reject the token`(
    status: Int, challenge: String
  ) async throws {
    let redirect = HTTPResponse(status: 302, headers: ["Location": "https://elsewhere.example.com/"])
    let client = ScriptedHTTPClient(.success(redirect), Self.answer(status, challenge))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let response = try await client.followRedirects().authorized(by: source, for: origins).send(request)
    #expect(response.status == status)
    #expect(client.requests.map { $0.headers["Authorization"] != nil } == [true, false])
    #expect(source.rejections == [nil])
  }
}
