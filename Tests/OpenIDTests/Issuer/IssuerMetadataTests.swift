import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct IssuerMetadataTests {
  private static let members = [
    "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "revocation_endpoint",
    "introspection_endpoint", "end_session_endpoint", "device_authorization_endpoint",
    "pushed_authorization_request_endpoint",
  ]

  private func metadata(
    of issuer: String = "https://id.example.com", _ answer: HTTPResponse
  ) async throws(AuthenticationError) -> IssuerMetadata {
    try await Issuer(issuer, client: ScriptedHTTPClient(.success(answer)), clock: ManualClock()).metadata()
  }

  private func failure(
    of issuer: String = "https://id.example.com", _ answer: HTTPResponse
  ) async -> AuthenticationError? {
    do throws(AuthenticationError) {
      _ = try await metadata(of: issuer, answer)
      return nil
    } catch {
      return error
    }
  }

  @Test func `everything an issuer says of itself is read`() async throws {
    let urls = Dictionary(uniqueKeysWithValues: Self.members.map { ($0, "https://id.example.com/" + $0) })
    let more: [String: any Sendable] = [
      "require_pushed_authorization_requests": true, "authorization_response_iss_parameter_supported": true,
      "code_challenge_methods_supported": ["S256"], "id_token_signing_alg_values_supported": ["RS256", "none"],
      "scopes_supported": ["openid"], "grant_types_supported": ["implicit"], "response_types_supported": ["code"],
      "token_endpoint_auth_methods_supported": ["none"], "dpop_signing_alg_values_supported": ["ES256"],
    ]
    let metadata = try await metadata(.metadata(more.merging(urls) { $1 }))
    let found = OpenIDClient.Endpoint.allCases.map { metadata.endpoints[$0]?.lastPathComponent }
    #expect(found == Self.members)
    #expect(metadata.requiresPushedAuthorizationRequests && metadata.sendsIssuerInResponses)
    #expect(metadata.codeChallengeMethods == ["S256"] && metadata.idTokenAlgorithms == ["RS256", "none"])
    #expect(metadata.scopes == ["openid"] && metadata.grantTypes == ["implicit"] && metadata.responseTypes == ["code"])
    #expect(metadata.clientAuthenticationMethods == ["none"] && metadata.proofAlgorithms == ["ES256"])
  }

  @Test func `a list or a flag of the wrong kind is as good as absent`() async throws {
    let metadata = try await metadata(
      .metadata(["code_challenge_methods_supported": "S256", "authorization_response_iss_parameter_supported": "true"]))
    #expect(metadata.codeChallengeMethods == nil && !metadata.sendsIssuerInResponses)
  }

  @Test(arguments: [
    "https://id.example.com/", "https://ID.example.com", "https://evil.example", "https://id.example.com:443", "",
  ])
  func `a document that names another issuer is refused, rule 13`(_ other: String) async {
    let reason: FailureReason = other == "https://id.example.com/" ? .issuerSlash : .issuer
    #expect(await failure(.metadata(["issuer": other]))?.reason == reason)
  }

  @Test(arguments: [
    ("https://id.example.com", "https://id.example.com/", "with a slash"),
    ("https://id.example.com/t/", "https://id.example.com/t", "without a slash"),
  ])
  func `an issuer that differs by a slash is named`(_ asked: String, _ named: String, _ side: String) async {
    let error = await failure(of: asked, .metadata(["issuer": named]))
    #expect(error?.reason == .issuerSlash)
    #expect(error?.message.contains("'\(named)', \(side)") == true)
    #expect(await failure(.metadata(["issuer": "https://evil.example/"]))?.message.contains("evil") == false)
  }

  @Test func `a document that names no issuer is refused, rule 13`() async {
    #expect(await failure(.body("{}"))?.reason == .issuer)
    #expect(await failure(.body(#"{"issuer": null}"#))?.reason == .issuer)
  }

  @Test(arguments: members)
  func `a document with an endpoint that is not https is refused and says which, rule 14`(_ member: String) async {
    let error = await failure(.metadata([member: "http://id.example.com/path"]))
    #expect(error == .insecureConnection)
    #expect(error?.message.contains(member) == true)
  }

  @Test func `an issuer elsewhere cannot point to this machine, rule 14`() async throws {
    let local = "http://127.0.0.1:8080/token"
    #expect(await failure(.metadata(["token_endpoint": local])) == .insecureConnection)
    let issuer = "http://127.0.0.1:8080"
    let own = try await metadata(of: issuer, .metadata(issuer: issuer, ["token_endpoint": local]))
    #expect(own.endpoints[.token]?.absoluteString == local)
  }

  @Test(arguments: ["/token", "https://user@id.example.com/token", "https://id.example.com/token#x", "https:"])
  func `an endpoint that no request can go to is refused`(_ text: String) async {
    #expect(await failure(.metadata(["token_endpoint": text])) == .unexpectedResponse)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect of the metadata is not followed, rule 15`(_ status: Int) async {
    let answer = HTTPResponse(status: status, headers: ["Location": "https://evil.example/"])
    let error = await failure(answer)
    #expect(error == .unexpectedResponse)
    #expect(error?.message.contains("redirect") == true)
  }

  @Test(arguments: [
    HTTPResponse.body("<html>canary</html>", type: "text/html"),
    .body("{\"issuer\":\"https://id.example.com\"}", type: "text/html"), .body("<html>canary</html>"),
    .body("[\"canary\"]"),
    .body("{\"issuer\": \"canary"), .body(""), .body("{\"issuer\": 7, \"canary\": 1}"),
    .body("{\"issuer\":\"https://id.example.com\",\"token_endpoint\":{\"canary\":1}}"),
  ])
  func `text that is no discovery document is an unexpected response, and not quoted`(_ answer: HTTPResponse) async {
    let error = await failure(answer)
    #expect(error == .unexpectedResponse)
    #expect(error?.description.contains("canary") == false)
  }

  @Test func `an endless document is refused`() async {
    let padding = String(repeating: "x", count: MetadataResponseMapper.maximumSize)
    #expect(await failure(.metadata(["padding": padding])) == .responseTooLarge)
  }

  @Test(arguments: [
    (404, AuthenticationError.endpointMissing), (500, .serverFailed), (503, .serverFailed), (429, .rateLimited),
    (403, .unexpectedResponse), (204, .unexpectedResponse),
  ])
  func `each status has its error, with the time to wait`(_ status: Int, _ code: AuthenticationError) async throws {
    let answer = HTTPResponse(status: status, headers: ["Retry-After": "7"])
    let client = ScriptedHTTPClient { _ in .success(answer) }
    let issuer = try Issuer("https://id.example.com", client: client, clock: ManualClock())
    let error = await #expect(throws: AuthenticationError.self) { try await issuer.metadata() }
    #expect(error == code)
    #expect(error?.retryAfter == .seconds(7))
  }
}
