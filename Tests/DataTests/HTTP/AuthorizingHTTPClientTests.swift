import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

@Suite struct AuthorizingHTTPClientTests {
  typealias Answer = Result<HTTPResponse, AuthenticationError>

  static let date = Date(timeIntervalSince1970: 1_767_225_600)
  static let first = AuthSession.sample(1, receivedAt: date)
  static let second = AuthSession.sample(2, receivedAt: date)

  static func answer(_ status: Int, _ challenge: String? = nil) -> Answer {
    .success(HTTPResponse(status: status, headers: challenge.map { ["WWW-Authenticate": $0] } ?? [:]))
  }

  let request = HTTPRequest(.get, URL(string: "https://api.example.com/things?x=1")!, headers: ["Accept": "text/plain"])
  let origins: Set<Origin> = [Origin(URL(string: "https://api.example.com")!)!]

  func tokens(in client: ScriptedHTTPClient) -> [String?] { client.requests.map { $0.headers["Authorization"] } }

  @Test func `a request gets the token and nothing else changes`() async throws {
    let client = ScriptedHTTPClient(Self.answer(200))
    let source = ScriptedSessionSource(.success(Self.first))
    #expect(try await client.authorized(by: source, for: origins).send(request).status == 200)
    var expected = request
    expected.headers = ["Accept": "text/plain", "Authorization": "Bearer access-1"]
    #expect(client.requests == [expected])
    #expect(source.rejections == [nil])
  }

  @Test func `a token the caller attached is replaced, in any case of its name`() async throws {
    let client = ScriptedHTTPClient(Self.answer(200))
    var request = request
    request.headers = ["authorization": "Bearer stale", "AUTHORIZATION": "Basic stale"]
    _ = try await client.authorized(by: ScriptedSessionSource(.success(Self.first)), for: origins).send(request)
    #expect(client.requests[0].headers == ["Authorization": "Bearer access-1"])
  }

  // failure rows 29, 31
  @Test(arguments: [
    nil, "Bearer", "Bearer realm=\"x\", error=\"invalid_token\"", "Basic realm=\"x\"", "BEARER Error=invalid_token",
    #"Bearer error="token_expired""#, #"Bearer error="expired_token""#, #"Bearer error="invalid_request""#,
    #"DPoP error="invalid_dpop_proof""#, #"Bearer error="""#, #"Bearer error="insufficient_scope""#,
    #"Bearer error="INVALID_TOKEN", DPoP algs="ES256""#, #"Basic error="insufficient_user_authentication""#,
  ])
  func `one 401 leads to one refresh and one replay`(challenge: String?) async throws {
    let client = ScriptedHTTPClient(Self.answer(401, challenge), Self.answer(200))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    #expect(try await client.authorized(by: source, for: origins).send(request).status == 200)
    #expect(tokens(in: client) == ["Bearer access-1", "Bearer access-2"])
    #expect(source.rejections == [nil, Self.first.accessToken])
  }

  @Test func `nothing is replayed for a user whose id differs by Unicode normalisation`() async {
    let client = ScriptedHTTPClient { _ in Self.answer(401) }
    let sessions = ["caf\u{E9}", "cafe\u{301}"].map { AuthSession.sample(of: User(id: $0), receivedAt: Self.date) }
    let source = ScriptedSessionSource(.success(sessions[0]), .success(sessions[1]))
    await #expect(throws: AuthenticationError.superseded) {
      try await client.authorized(by: source, for: origins).send(request)
    }
    #expect(client.requests.count == 1)
  }

  @Test(arguments: [401, 403])
  func `a challenge of another origin after a redirect does not reject the token`(status: Int) async throws {
    let challenge = #"Bearer error="\(status == 401 ? "invalid_token" : "insufficient_scope")""#
    let client = ScriptedHTTPClient(
      .success(HTTPResponse(status: 302, headers: ["Location": "https://elsewhere.example/"])),
      Self.answer(status, challenge))
    let source = ScriptedSessionSource(.success(Self.first))
    let response = try await client.followRedirects().authorized(by: source, for: origins).send(request)
    #expect(response.status == status)
    #expect(source.rejections == [nil])
  }

  // failure row 26
  @Test(arguments: [true, false]) func `only an allowed origin's word is taken for the time`(isAllowed: Bool)
    async throws
  {
    let location = isAllowed ? "https://api.example.com/other" : "https://elsewhere.example/"
    let client = ScriptedHTTPClient(
      .success(HTTPResponse(status: 302, headers: ["Location": location])),
      .success(HTTPResponse(status: 200, headers: ["Date": "Thu, 01 Jan 2026 00:00:09 GMT"])))
    let source = ScriptedSessionSource(.success(Self.first))
    _ = try await client.followRedirects().authorized(by: source, for: origins).send(request)
    #expect(source.dates == (isAllowed ? [Self.date + 9] : []))
  }

  // failure row 29
  @Test func `a second 401 is the caller's, after exactly two requests`() async throws {
    let client = ScriptedHTTPClient { _ in Self.answer(401) }
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second), .success(Self.first))
    #expect(try await client.authorized(by: source, for: origins).send(request).status == 401)
    #expect(client.requests.count == 2)
    #expect(source.rejections.count == 2)
  }

  // failure row 29
  @Test(arguments: [
    "Bearer", #"Bearer realm="x", error="invalid_token""#, #"DPoP algs="ES256", error="invalid_token""#,
    #"Basic realm="x", Bearer"#,
  ])
  func `a POST that was refused because of its token was not processed, and is sent once more`(
    challenge: String
  ) async throws {
    let client = ScriptedHTTPClient { _ in Self.answer(401, challenge) }
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second), .success(Self.first))
    let post = HTTPRequest(.post, request.url, body: Data("{}".utf8))
    #expect(try await client.authorized(by: source, for: origins).send(post).status == 401)
    #expect(client.requests.map(\.body) == [post.body, post.body])
    #expect(tokens(in: client) == ["Bearer access-1", "Bearer access-2"])
  }

  @Test func `a POST that was processed and led to a page is not sent again if that page refuses the token`()
    async throws
  {
    let client = ScriptedHTTPClient {
      $0.method == .post
        ? .success(HTTPResponse(status: 303, headers: ["Location": "/orders/1"])) : Self.answer(401, "Bearer")
    }
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let post = HTTPRequest(.post, request.url, body: Data("{}".utf8))
    let sender = client.followRedirects().authorized(by: source, for: origins)
    #expect(try await sender.send(post).status == 401)
    #expect(client.requests.map(\.method) == [.post, .get])
    #expect(source.rejections == [nil, Self.first.accessToken])
  }

  @Test(arguments: [nil, #"Basic realm="x""#])
  func `a POST that was refused without a challenge for the token is not replayed, but its session is refreshed`(
    challenge: String?
  ) async throws {
    let client = ScriptedHTTPClient(Self.answer(401, challenge))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let post = HTTPRequest(.post, request.url, body: Data("{}".utf8))
    #expect(try await client.authorized(by: source, for: origins).send(post).status == 401)
    #expect(client.requests.count == 1)
    #expect(source.rejections == [nil, Self.first.accessToken])
  }

  @Test func `a POST with an idempotency key is replayed whole`() async throws {
    let client = ScriptedHTTPClient(Self.answer(401), Self.answer(201))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    let post = HTTPRequest(.post, request.url, body: Data("{}".utf8), isIdempotent: true)
    #expect(try await client.authorized(by: source, for: origins).send(post).status == 201)
    #expect(client.requests.map(\.body) == [Data("{}".utf8), Data("{}".utf8)])
    #expect(client.requests.map(\.method) == [.post, .post])
  }

  // rule 32, failure row 32
  @Test(arguments: [
    ("Bearer error=\"insufficient_scope\", scope=\"read write\"", ["read", "write"]),
    ("Bearer error=insufficient_scope", []), ("bearer Scope=\"admin\", Error=\"insufficient_scope\"", ["admin"]),
    ("Basic realm=\"x\", Bearer realm=\"y\", error=\"insufficient_scope\", scope=\" a  b \"", ["a", "b"]),
    (
      "Bearer error=\"insufficient_scope\", scope=\"\(String(repeating: "s ", count: 99))\"",
      Array(repeating: "s", count: 32)
    ),
  ])
  func `403 insufficient_scope tells the scopes and refreshes nothing`(challenge: String, scopes: [String]) async throws
  {
    let client = ScriptedHTTPClient(Self.answer(403, challenge))
    let source = ScriptedSessionSource(.success(Self.first))
    let error = await #expect(throws: AuthenticationError.self) {
      try await client.authorized(by: source, for: origins).send(request)
    }
    #expect(error == .insufficientScope)
    #expect(error?.requiredScopes == scopes)
    #expect(source.rejections == [nil])
    #expect(client.requests.count == 1)
  }

  @Test(
    arguments: [
      (403, nil), (403, "Bearer error=\"invalid_token\""), (403, "Basic error=\"insufficient_scope\""),
      (403, "Bearer realm=\"insufficient_scope\""),
      (400, "Bearer error=\"invalid_token\""), (407, nil), (500, "Bearer error=\"invalid_token\""), (404, nil),
      (302, nil), (200, "Bearer error=\"invalid_token\""),
    ] as [(Int, String?)])
  func `any other answer is the caller's, and refreshes nothing`(status: Int, challenge: String?) async throws {
    let client = ScriptedHTTPClient(Self.answer(status, challenge))
    let source = ScriptedSessionSource(.success(Self.first), .success(Self.second))
    #expect(try await client.authorized(by: source, for: origins).send(request).status == status)
    #expect(source.rejections == [nil])
    #expect(client.requests.count == 1)
  }

  @Test func `a request is not replayed for another user`() async throws {
    let client = ScriptedHTTPClient(Self.answer(401))
    let source = ScriptedSessionSource(.success(Self.first), .success(.sample(2, of: .grace, receivedAt: Self.date)))
    await #expect(throws: AuthenticationError.superseded) {
      try await client.authorized(by: source, for: origins).send(request)
    }
    #expect(client.requests.count == 1)
  }

  @Test func `a refresh that fails is thrown, and nothing is replayed`() async throws {
    for failure in [AuthenticationError.sessionRejected, .timedOut, .notSignedIn] {
      let client = ScriptedHTTPClient(Self.answer(401))
      let source = ScriptedSessionSource(.success(Self.first), .failure(failure))
      await #expect(throws: failure) { try await client.authorized(by: source, for: origins).send(request) }
      #expect(client.requests.count == 1)
    }
  }

  @Test func `without a session nothing is sent`() async throws {
    let client = ScriptedHTTPClient()
    await #expect(throws: AuthenticationError.notSignedIn) {
      try await client.authorized(by: ScriptedSessionSource(), for: origins).send(request)
    }
    #expect(client.requests == [])
  }

  @Test func `a failure in transit is thrown as it is, and refreshes nothing`() async throws {
    let client = ScriptedHTTPClient(.failure(AuthenticationError(.connectionLost, "")))
    let source = ScriptedSessionSource(.success(Self.first))
    await #expect(throws: AuthenticationError(.connectionLost, "")) {
      try await client.authorized(by: source, for: origins).send(request)
    }
    #expect(source.rejections == [nil])
  }
}
