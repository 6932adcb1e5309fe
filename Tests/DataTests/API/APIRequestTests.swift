import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Requests to the backend, byte for byte. // origin A2
@Suite struct APIRequestTests {
  static let bases = [
    ("https://api.example.com", "https://api.example.com"), ("https://api.example.com/", "https://api.example.com"),
    ("https://api.example.com:8443/v1", "https://api.example.com:8443/v1"),
    ("https://api.example.com/v1/", "https://api.example.com/v1"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
  ]

  let date = Date(timeIntervalSince1970: 1_767_225_600)
  let client = ScriptedHTTPClient {
    $0.url.path().hasSuffix("/user") ? .success(json(200, Wire.user)) : .success(json(200, Wire.tokens))
  }
  var session: AuthSession { .sample(1, receivedAt: date) }

  /// Method, URL, headers in their order, and body of each request.
  var sent: [[String]] {
    client.requests.map { request in
      [request.method.rawValue, request.url.absoluteString]
        + request.headers.fields.map { "\($0.name): \($0.value.reveal())" }
        + [request.body.map { String(decoding: $0, as: UTF8.self) } ?? "no body"]
    }
  }

  @Test(arguments: bases) func `signing in posts the password, then gets the user`(base: String, root: String)
    async throws
  {
    let provider = try AuthProviderConfiguration.api(baseURL: base).provider(client)
    _ = try await provider.signIn(with: .password(userName: "ädá", password: Secret(#"p/"\ä"#)))
    #expect(
      sent == [
        [
          "POST", "\(root)/auth", "Content-Type: application/json", "Accept: application/json",
          #"{"password":"p/\"\\ä","username":"ädá"}"#,
        ],
        ["GET", "\(root)/user", "Accept: application/json", "Authorization: Bearer canary-access", "no body"],
      ])
    #expect(client.requests.map(\.isIdempotent) == [false, true])
  }

  @Test(arguments: bases) func `signing up posts the password, then gets the user`(base: String, root: String)
    async throws
  {
    let provider = try AuthProviderConfiguration.api(baseURL: base).provider(client)
    _ = try await provider.signUp(with: .password(userName: "ada", password: Secret("pass")))
    #expect(
      sent == [
        [
          "POST", "\(root)/auth/sign-up", "Content-Type: application/json", "Accept: application/json",
          #"{"password":"pass","username":"ada"}"#,
        ],
        ["GET", "\(root)/user", "Accept: application/json", "Authorization: Bearer canary-access", "no body"],
      ])
  }

  @Test(arguments: bases) func `a refresh posts the refresh token and no access token`(base: String, root: String)
    async throws
  {
    let provider = try AuthProviderConfiguration.api(baseURL: base).provider(client)
    _ = try await provider.refresh(session)
    #expect(
      sent == [
        [
          "POST", "\(root)/auth/refresh", "Content-Type: application/json", "Accept: application/json",
          #"{"refreshToken":"refresh-1"}"#,
        ]
      ])
    #expect(client.requests.map(\.isIdempotent) == [false])
  }

  @Test(arguments: bases) func `a sign-out posts both tokens`(base: String, root: String) async throws {
    let provider = try AuthProviderConfiguration.api(baseURL: base).provider(client)
    try await provider.revoke(session.tokens)
    try await provider.revoke(.sample(2, receivedAt: date, canRefresh: false))
    #expect(
      sent == [
        [
          "POST", "\(root)/auth/sign-out", "Content-Type: application/json", "Accept: application/json",
          "Authorization: Bearer access-1", #"{"refreshToken":"refresh-1"}"#,
        ],
        [
          "POST", "\(root)/auth/sign-out", "Content-Type: application/json", "Accept: application/json",
          "Authorization: Bearer access-2", "{}",
        ],
      ])
  }

  @Test(arguments: bases) func `a validity check gets the user`(base: String, root: String) async throws {
    let provider = try AuthProviderConfiguration.api(baseURL: base).provider(client)
    #expect(try await provider.isValid(session))
    #expect(sent == [["GET", "\(root)/user", "Accept: application/json", "Authorization: Bearer access-1", "no body"]])
  }

  @Test func `credentials of another kind are refused before anything is sent`() async throws {
    let provider = try AuthProviderConfiguration.api(baseURL: "https://api.example.com").provider(client)
    let phone = PhoneCredentials(phoneNumber: "+4912345678")
    #expect(await failure { try await provider.signIn(with: phone) } == .unsupportedMethod)
    #expect(await failure { try await provider.signUp(with: phone) } == .unsupportedMethod)
    #expect(sent == [])
  }

  @Test func `a session without a refresh token is not refreshed`() async throws {
    let provider = try AuthProviderConfiguration.api(baseURL: "https://api.example.com").provider(client)
    let session = AuthSession.sample(receivedAt: date, canRefresh: false)
    #expect(await failure { try await provider.refresh(session) } == .sessionExpired)
    #expect(sent == [])
  }

  @Test func `a contract changes the parts that it names and nothing else`() async throws {
    var contract = APIContract.standard
    contract.signInPath = "/v2/login"
    contract.userPath = "me"
    contract.signInBody = { credentials throws(AuthenticationError) in
      guard let password = credentials as? PasswordCredentials else { throw .unsupportedMethod(credentials.method) }
      return ["login": password.userName, "secret": password.password.reveal()]
    }
    contract.mapTokens = { response, date throws(AuthenticationError) in
      let fields = try? JSONDecoder().decode([String: String].self, from: response.body)
      return SessionTokens(access: try AccessToken(Secret(fields?["jwt"] ?? ""), receivedAt: date))
    }
    contract.mapUser = { response throws(AuthenticationError) in
      User(id: String(decoding: response.body, as: UTF8.self))
    }
    let client = ScriptedHTTPClient(.success(json(200, #"{"jwt":"a.b.c"}"#)), .success(json(200, "ada")))
    let provider = try AuthProviderConfiguration.api(baseURL: "https://api.example.com/x", contract: contract).provider(
      client)
    let outcome = try await provider.signIn(with: .password(userName: "ada", password: Secret("pass")))
    let tokens = SessionTokens(access: try AccessToken(Secret("a.b.c"), receivedAt: date))
    #expect(outcome == .session(AuthSession(user: User(id: "ada"), tokens: tokens)))
    #expect(
      client.requests.map(\.description) == [
        "POST https://api.example.com/x/v2/login", "GET https://api.example.com/x/me",
      ])
    #expect(client.requests[0].body == Data(#"{"login":"ada","secret":"pass"}"#.utf8))
    #expect(client.requests[1].headers["Authorization"] == "Bearer a.b.c")
  }

  // origin B2
  @Test func `a backend that knows phones sends a code, and its answer signs in`() async throws {
    var contract = APIContract.standard
    contract.signInBody = { credentials throws(AuthenticationError) in
      switch credentials {
      case let phone as PhoneCredentials: ["phone": phone.phoneNumber]
      case let answer as ChallengeAnswer: ["attempt": answer.challenge.handle.reveal(), "code": answer.code.reveal()]
      default: throw .unsupportedMethod(credentials.method)
      }
    }
    contract.mapChallenge = { response in
      guard response.status == 202 else { return nil }
      return Challenge(kind: .smsCode, handle: Secret(String(decoding: response.body, as: UTF8.self)))
    }
    let client = ScriptedHTTPClient(
      .success(HTTPResponse(status: 202, body: Data("a7".utf8))), .success(json(200, Wire.tokens)),
      .success(json(200, Wire.user)))
    let provider = try AuthProviderConfiguration.api(baseURL: "https://api.example.com", contract: contract)
      .provider(client)
    let challenge = Challenge(kind: .smsCode, handle: Secret("a7"))
    #expect(try await provider.signIn(with: .phone("+4930123456")) == .challenge(challenge))
    guard case .session(let session) = try await provider.signIn(with: .answer(to: challenge, code: Secret("123456")))
    else { return #expect(Bool(false), "signed in") }
    #expect(session.user.id == "canary")
    #expect(
      client.requests.map { $0.body.map { String(decoding: $0, as: UTF8.self) } } == [
        #"{"phone":"+4930123456"}"#, #"{"attempt":"a7","code":"123456"}"#, nil,
      ])
  }

  @Test func `an access token that is over is not sent with the refresh token it would have refused`() async throws {
    let provider = try AuthProviderConfiguration.api(baseURL: "https://api.example.com").provider(client)
    try await provider.revoke(.sample(1, receivedAt: .distantPast))
    #expect(client.requests.map { $0.headers["Authorization"] } == [nil])
    #expect(client.requests.first?.body == Data(#"{"refreshToken":"refresh-1"}"#.utf8))
  }
}
