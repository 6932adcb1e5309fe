import AuthenticationAccount
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Backends of other shapes than the standard one, each described and not programmed: the request, byte for byte, and
/// the meaning of the response.
@Suite struct APIDescriptionTests {
  let date = Date(timeIntervalSince1970: 1_767_225_600)
  let password = PasswordCredentials(userName: "ada", password: Secret("p&ss"))
  let change = (old: Secret("old"), new: Secret("new"))
  var session: AuthSession { .sample(1, receivedAt: date) }

  func provider(
    _ client: ScriptedHTTPClient, _ change: (inout BackendDescription) -> Void
  ) throws -> any AccountProvider & SessionValidatingProvider {
    var backend = BackendDescription()
    backend.contract.mapIncludedUser = { _ in User(id: "7") }
    change(&backend)
    return try backend.provider(over: client)
  }

  func client(_ status: Int = 200, _ body: String = Wire.tokens) -> ScriptedHTTPClient {
    ScriptedHTTPClient { _ in .success(json(status, body)) }
  }

  /// Method, path, `Authorization` and body of each request.
  func sent(_ client: ScriptedHTTPClient) -> [[String]] {
    client.requests.map { request in
      [
        request.method.rawValue, request.url.path(), request.headers["Authorization"] ?? "-",
        request.body.map { String(decoding: $0, as: UTF8.self) } ?? "-",
      ]
    }
  }

  // MARK: Requests

  @Test func `a body may be a form`() async throws {
    let client = client()
    let provider = try provider(client) { backend in
      backend.contract.signInRequest = { request throws(AuthenticationError) in
        guard let typed = request.credentials as? PasswordCredentials else { return nil }
        return APIRequest(.post, "login", form: ["username": Secret(typed.userName), "password": typed.password])
      }
    }
    _ = try await provider.signIn(with: password)
    #expect(sent(client) == [["POST", "/login", "-", "password=p%26ss&username=ada"]])
    #expect(client.requests[0].headers["Content-Type"] == "application/x-www-form-urlencoded")
  }

  @Test(arguments: [
    (APIContract.Refreshing.tokenInBody, "-", #"{"refreshToken":"refresh-1"}"#),
    (.tokenInHeader, "Bearer refresh-1", "-"), (.accessToken, "Bearer access-1", "-"),
  ])
  func `a refresh carries the token that the contract names`(
    refreshing: APIContract.Refreshing, authorization: String, body: String
  ) async throws {
    let client = client()
    let provider = try provider(client) { $0.contract.refreshing = refreshing }
    let tokens = try await provider.refresh(session)
    #expect(sent(client) == [["POST", "/auth/refresh", authorization, body]])
    #expect(tokens.refresh == Secret(refreshing == .accessToken ? "canary-access" : "canary-refresh"))
  }

  @Test func `a backend without a refresh is not asked for one, and its sessions say when they end`() async throws {
    let client = client()
    let provider = try provider(client) { $0.contract.refreshing = .never }
    #expect(await failure { try await provider.refresh(session) } == .sessionExpired)
    #expect(client.requests.isEmpty)
    guard case .session(let session) = try await provider.signIn(with: password) else { throw Unexpected() }
    #expect(session.tokens.refresh == nil)
    #expect(ActiveSession(session: session).expiresAt == date.addingTimeInterval(3_600))
  }

  @Test func `a refresh may be a request of its own`() async throws {
    let client = client()
    let provider = try provider(client) { backend in
      backend.contract.refreshRequest = { tokens throws(AuthenticationError) in
        APIRequest(
          .put, "sessions", body: ["old": tokens.access.value.reveal()],
          headers: ["X-Refresh": tokens.refresh ?? Secret("")])
      }
    }
    _ = try await provider.refresh(session)
    #expect(sent(client) == [["PUT", "/sessions", "-", #"{"old":"access-1"}"#]])
    #expect(client.requests[0].headers["X-Refresh"] == "refresh-1")
  }

  @Test func `a path may name the user, and a request the session`() async throws {
    let client = client(200, "{}")
    let provider = try provider(client) { backend in
      backend.contract.userPath = "users/{user}"
      backend.contract.mapUser = { _ in .ada }
      backend.account.change = { change, session in
        switch change {
        case .deleteAccount: .sending(APIRequest(.delete, "users/{user}"))
        case .end(let remote):
          .sending(
            APIRequest(.post, "end", body: ["id": remote.id, "of": session?.tokens.refresh?.reveal() ?? ""]))
        case .update(let changes):
          APIService(APIRequest(.patch, "users/{user}", body: ["name": changes.name ?? ""])) { _ in
            let user = session.map { User(id: $0.user.id, name: changes.name) }
            return session.map { .session(AuthSession(user: user ?? $0.user, tokens: $0.tokens)) } ?? .done
          }
        default: nil
        }
      }
    }
    try await provider.deleteAccount(of: session)
    try await provider.end(RemoteSession(id: "s1", isCurrent: false), of: session)
    _ = try await provider.user(of: session)
    #expect(try await provider.isValid(session))
    #expect(
      try await provider.update(ProfileChanges(name: "Countess"), of: session) == User(id: "ada", name: "Countess"))
    #expect(
      sent(client) == [
        ["DELETE", "/users/ada", "Bearer access-1", "-"],
        ["POST", "/end", "Bearer access-1", #"{"id":"s1","of":"refresh-1"}"#],
        ["GET", "/users/ada", "Bearer access-1", "-"], ["GET", "/users/ada", "Bearer access-1", "-"],
        ["PATCH", "/users/ada", "Bearer access-1", #"{"name":"Countess"}"#],
      ])
  }

  @Test(arguments: ["", "..", "a/b"]) func `an id that would lead to another path is not sent`(id: String) async throws
  {
    let client = client()
    let provider = try provider(client) {
      $0.account.change = { _, _ in .sending(APIRequest(.delete, "users/{user}")) }
    }
    let other = AuthSession(user: User(id: id), tokens: session.tokens)
    #expect(await failure { try await provider.deleteAccount(of: other) } == .invalidRequest)
    #expect(client.requests.isEmpty)
  }

  @Test func `a sign-in that does not know the user of the path yet reports an invalid configuration`() async throws {
    let provider = try provider(client()) { backend in
      backend.contract.userPath = "users/{user}"
      backend.contract.mapIncludedUser = { _ in nil }
    }
    #expect(await failure { try await provider.signIn(with: password) } == .invalidConfiguration)
  }

  // MARK: The requests after a response

  @Test func `a 401 refuses the credentials at a sign-in, and the access token in an account service`() async throws {
    let client = client(401, #"{"code":"EXPIRED"}"#)
    let provider = try provider(client) { backend in
      backend.contract.refusals = [
        APIRefusal(.userDisabled, at: "code", is: "CLOSED"), APIRefusal(.invalidCredentials, status: 401),
      ]
      backend.account.change = { _, _ in .sending(APIRequest(.delete, "account")) }
    }
    #expect(await failure { try await provider.signIn(with: password) } == .invalidCredentials)
    #expect(await failure { try await provider.deleteAccount(of: session) } == .accessTokenRefused)
    let closed = try self.provider(self.client(401, #"{"code":"CLOSED"}"#)) { backend in
      backend.contract.refusals = [APIRefusal(.userDisabled, at: "code", is: "CLOSED")]
      backend.account.change = { _, _ in .sending(APIRequest(.delete, "account")) }
    }
    #expect(await failure { try await closed.deleteAccount(of: session) } == .userDisabled)
  }

  @Test func `a service that wants a proof takes the answer with the same request`() async throws {
    let client = ScriptedHTTPClient {
      let body = String(decoding: $0.body ?? Data(), as: UTF8.self)
      if body.contains("correct horse") { return .success(json(200, "{}")) }
      return .success(json(401, body == "{}" ? #"{"session":"s1"}"# : #"{"session":"s2","code":"WRONG"}"#))
    }
    let provider = try provider(client) { backend in
      backend.contract.refusals = [APIRefusal(.invalidCredentials, at: "code", is: "WRONG")]
      backend.account.change = { _, _ in .sending(APIRequest(.delete, "account", body: [String: String]())) }
      backend.account.mapProof = { response in
        response.value(at: "session")?.text.map { Challenge(kind: .password, handle: Secret($0)) }
      }
      backend.account.addProof = { request, answer, session throws(AuthenticationError) in
        let words = [session.user.id, answer.challenge.handle.reveal(), answer.typed?.reveal() ?? ""]
        var request = request
        request.body = ["proof": words.joined(separator: " ")]
        return request
      }
    }
    let asked = await failure { try await provider.deleteAccount(of: session) }
    #expect(asked == .challengeRequired)
    let first = try #require(asked?.challenge)
    let wrong = await failure {
      try await provider.deleteAccount(of: session, proof: ChallengeAnswer(to: first, .newPassword(Secret("guess"))))
    }
    #expect(wrong == .invalidCredentials)
    let second = try #require(wrong?.challenge)
    try await provider.deleteAccount(
      of: session, proof: ChallengeAnswer(to: second, .newPassword(Secret("correct horse"))))
    let user = session.user.id
    #expect(
      sent(client).map { $0[3] } == [
        "{}", #"{"proof":"\#(user) s1 guess"}"#, #"{"proof":"\#(user) s2 correct horse"}"#,
      ])
    #expect(client.requests.allSatisfy { $0.method == .delete && $0.url.path() == "/account" })
  }

  @Test func `a sign-up without tokens is followed by a sign-in`() async throws {
    let client = ScriptedHTTPClient {
      .success($0.url.path().hasSuffix("sign-up") ? json(201, #"{"id":7}"#) : json(200, Wire.tokens))
    }
    let provider = try provider(client) { $0.contract.signUpReturnsTokens = false }
    guard case .session = try await provider.signUp(with: password) else { throw Unexpected() }
    #expect(sent(client).map { $0[1] } == ["/auth/sign-up", "/auth"])
  }

  @Test func `a sign-up that is refused is not followed by a sign-in`() async throws {
    let client = client(409, "{}")
    let provider = try provider(client) { $0.contract.signUpReturnsTokens = false }
    #expect(await failure { try await provider.signUp(with: password) } == .signUpRefused)
    #expect(client.requests.count == 1)
  }

  @Test func `a change of the password that ends all tokens signs in with the new one`() async throws {
    let client = client()
    let provider = try provider(client) { backend in
      backend.account = .standard
      backend.account.credentialsAfterChange = { PasswordCredentials(userName: $1.user.id, password: $0) }
    }
    let step = try await provider.changePassword(from: change.old, to: change.new, of: session)
    guard case .session(let changed) = step else { throw Unexpected() }
    #expect(changed.accessToken.value == Secret("canary-access"))
    #expect(sent(client).last == ["POST", "/auth", "-", #"{"password":"new","username":"ada"}"#])
  }

  @Test func `a step of that sign-in is asked, and its answer signs in`() async throws {
    let client = ScriptedHTTPClient {
      .success(
        $0.url.path() == "/auth" ? json(200, #"{"challenge":{"id":"c1","kind":"sms-code"}}"#) : json(200, Wire.tokens))
    }
    let provider = try provider(client) { backend in
      backend.account.change = { change, _ in
        if case .changePassword = change { .sending(APIRequest(.put, "password")) } else { nil }
      }
      backend.account.credentialsAfterChange = { PasswordCredentials(userName: $1.user.id, password: $0) }
    }
    let step = try await provider.changePassword(from: change.old, to: change.new, of: session)
    guard case .challenge(let challenge) = step else { throw Unexpected() }
    let answer = ChallengeAnswer(to: challenge, code: Secret("123456"))
    guard case .session = try await provider.answer(answer, for: session) else { throw Unexpected() }
  }

  @Test func `a changed password stays changed if the sign-in after it fails`() async throws {
    let client = ScriptedHTTPClient {
      $0.url.path() == "/auth" ? .failure(.unreachable) : .success(json(204, ""))
    }
    let provider = try provider(client) { backend in
      backend.account.change = { change, _ in
        if case .changePassword = change { .sending(APIRequest(.put, "password")) } else { nil }
      }
      backend.account.credentialsAfterChange = { PasswordCredentials(userName: $1.user.id, password: $0) }
    }
    #expect(try await provider.changePassword(from: change.old, to: change.new, of: session) == .done)
  }

  // MARK: Sign-out

  @Test func `a response that means already revoked at a sign-out ends no session at a refresh`() async throws {
    let provider = try provider(client(401, #"{"detail":"gone"}"#)) {
      $0.contract.isRevoked = { $0.status == 401 && $0.value(at: "detail") == "gone" }
    }
    try await provider.revoke(session.tokens)
    #expect(await failure { try await provider.refresh(session) } == .unexpectedResponse)
  }

  @Test func `an access token that refreshes itself is no refresh token of a sign-out`() async throws {
    let client = client()
    let provider = try provider(client) { $0.contract.refreshing = .accessToken }
    let tokens = try await provider.refresh(session)
    try await provider.revoke(tokens)
    #expect(sent(client).last == ["POST", "/auth/sign-out", "Bearer canary-access", "{}"])
  }

  // MARK: Tokens and users

  private func lifetime(_ claims: String, at date: String?, _ body: String = "") throws -> Duration? {
    let token = ["{}", claims, "s"].map { Data($0.utf8).base64URL }.joined(separator: ".")
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    headers["Date"] = date
    let response = HTTPResponse(
      status: 200, headers: headers, body: Data(#"{"a":{"t":"\#(token)"\#(body)}}"#.utf8))
    let map = APIContract.tokens(access: "a.t", lifetime: "a.ms", unit: .milliseconds(1))
    return try map(response, self.date).access.lifetime
  }

  @Test func `a token's lifetime is read from it, by the server's clock`() throws {
    // The device says 00:00:00, the server 01:00:00.
    let expiry = Int(date.timeIntervalSince1970) + 3_900
    #expect(try lifetime(#"{"exp":\#(expiry)}"#, at: "Thu, 01 Jan 2026 01:00:00 GMT") == .seconds(300))
    #expect(try lifetime(#"{"exp":\#(expiry),"iat":\#(expiry - 60)}"#, at: nil) == .seconds(60))
    #expect(try lifetime(#"{"exp":\#(expiry)}"#, at: nil) == .seconds(3_900))
  }

  @Test func `a lifetime in the body comes first, in the unit of the backend`() throws {
    #expect(try lifetime(#"{"exp":1767229200}"#, at: nil, #","ms":30000"#) == .seconds(30))
    #expect(try lifetime(#"{"exp":1767229200}"#, at: nil, #","ms":"45000""#) == .seconds(45))
    #expect(try lifetime(#"{"exp":1767229200}"#, at: nil, #","ms":-1"#) == .seconds(3_600))
    #expect(try lifetime("{}", at: nil) == nil)
  }

  @Test(arguments: [
    #""2026-01-01T00:10:00Z""#, #""2026-01-01T00:10:00.000000Z""#, #""2026-01-01T02:10:00+02:00""#, "1767226200",
    "1767226200000", #""1767226200""#,
  ])
  func `an end may be a point in time, by the server's clock`(expiry: String) throws {
    var response = json(200, #"{"token":"t","expiry":\#(expiry)}"#)
    let map = APIContract.tokens(access: "token", expiry: "expiry", type: "Token")
    #expect(try map(response, date).access.lifetime == .seconds(600))
    response = HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json", "Date": "Thu, 01 Jan 2026 00:05:00 GMT"],
      body: response.body)
    let token = try map(response, date).access
    #expect(token.lifetime == .seconds(300))
    #expect(token.authorization == Secret("Token t"))
  }

  @Test func `a refresh may respond in another shape, and end the session with any status`() async throws {
    var answer = json(200, #"{"data":{"access":"a2"}}"#)
    let client = ScriptedHTTPClient { [answer] _ in .success(answer) }
    let change: (inout BackendDescription) -> Void = { backend in
      backend.contract.mapRefreshedTokens = APIContract.tokens(access: "data.access")
      backend.contract.endsSession = { $0.value(at: "ok") == false }
    }
    #expect(try await provider(client, change).refresh(session).access.value == Secret("a2"))
    answer = json(200, #"{"ok":false}"#)
    let refusing = ScriptedHTTPClient { [answer] _ in .success(answer) }
    #expect(await failure { try await provider(refusing, change).refresh(session) } == .sessionRejected)
  }

  @Test func `a user may be known by the access token alone`() async throws {
    let token = ["{}", #"{"sub":42,"name":"Ada"}"#, "s"].map { Data($0.utf8).base64URL }.joined(separator: ".")
    let client = client(200, #"{"accessToken":"\#(token)"}"#)
    let provider = try provider(client) { backend in
      backend.contract.userPath = nil
      backend.contract.mapIncludedUser = APIContract.user(inToken: "accessToken", id: "sub", name: "name")
    }
    guard case .session(let session) = try await provider.signIn(with: password) else { throw Unexpected() }
    #expect(session.user == User(id: "42", name: "Ada"))
    #expect(client.requests.count == 1)
    #expect(provider.accountAbilities.contains(.profile) == false)
    #expect(await failure { try await provider.user(of: session) } == .unsupportedMethod)
  }

  @Test func `the user name and the password may have other names`() async throws {
    let client = client()
    let provider = try provider(client) {
      $0.contract.signInBody = APIContract.body(userName: "email", password: "pass", adding: ["client": "ios"])
    }
    _ = try await provider.signIn(with: password)
    #expect(sent(client)[0].last == #"{"client":"ios","email":"ada","pass":"p&ss"}"#)
    let phone = PhoneCredentials(phoneNumber: "+15550100")
    #expect(await failure { try await provider.signIn(with: phone) } == .unsupportedMethod)
  }

  @Test func `a user is found by paths, with a number for an id`() throws {
    let map = APIContract.user(id: "users.0.pk", name: "users.0.name", email: "mail", isEmailVerified: "ok")
    let user = try map(json(200, #"{"users":[{"pk":12,"name":""}],"mail":"a@b.c","ok":true}"#))
    #expect(user == User(id: "12", email: "a@b.c", isEmailVerified: true))
    for body in ["{}", "[]", #"{"users":[{"pk":null}]}"#, #"{"users":[{"pk":1.5}]}"#] {
      #expect(throws: AuthenticationError.unexpectedResponse) { try map(json(200, body)) }
    }
  }

  // MARK: Refusals

  static let refusals = [
    APIRefusal(.userDisabled, status: 423), APIRefusal(.weakPassword, at: "errors.password"),
    APIRefusal(.accountExists, at: "errors.0.code", is: "taken"), APIRefusal(.invalidCredentials, at: "detail", is: 17),
    APIRefusal(.notVerified, status: 200, at: "ok", is: false),
  ]

  @Test(
    arguments: [
      (423, "", AuthenticationError.userDisabled, nil),
      (400, #"{"errors":{"password":["short"]}}"#, .weakPassword, nil),
      (422, #"{"errors":[{"code":"taken"}]}"#, .accountExists, "taken"),
      (403, #"{"detail":17}"#, .invalidCredentials, nil),
      (400, #"{"detail":["x",17]}"#, .invalidCredentials, nil), (200, #"{"ok":false}"#, .notVerified, nil),
      (400, #"{"errors":{"password":null}}"#, .unexpectedResponse, nil), (503, #"{"detail":17}"#, .serverFailed, nil),
    ] as [(Int, String, AuthenticationError, String?)])
  func `an error is named by status, by any member, or by both`(
    status: Int, body: String, code: AuthenticationError, providerCode: String?
  ) async throws {
    let provider = try provider(client(status, body)) { backend in
      backend.contract.refusals = Self.refusals
      backend.account.change = { _, _ in .sending(APIRequest(.put, "password")) }
    }
    let error = await failure { try await provider.signIn(with: password) }
    #expect(error == code)
    #expect(error?.providerCode == providerCode)
    if status != 200 {
      let error = await failure { try await provider.changePassword(from: change.old, to: change.new, of: session) }
      #expect(error == code)
    }
  }

  @Test func `refused credentials that are a code are a wrong code`() async throws {
    let provider = try provider(client(400, "{}")) {
      $0.contract.refusals = [APIRefusal(.invalidCredentials, status: 400)]
    }
    let answer = ChallengeAnswer(to: Challenge(kind: .smsCode, handle: Secret("h")), code: Secret("123456"))
    #expect(await failure { try await provider.signIn(with: answer) } == .wrongCode)
    #expect(await failure { try await provider.signIn(with: password) } == .invalidCredentials)
  }

  @Test func `the backend says how it refuses an access token`() async throws {
    let provider = try provider(client(404, #"{"status":404}"#)) { backend in
      backend.contract.refusesAccessToken = { $0.value(at: "status") == 404 }
      backend.account.change = { _, _ in .sending(APIRequest(.delete, "me")) }
    }
    #expect(await failure { try await provider.deleteAccount(of: session) } == .accessTokenRefused)
    #expect(try await !provider.isValid(session))
  }

  @Test func `a handle keeps the fields that a later step needs, and prints none of them`() throws {
    let handle = ChallengeHandle("mail", ["id": "canary", "none": nil])
    let read = try ChallengeHandle(Challenge(kind: .emailCode, handle: handle.secret))
    #expect(read.step == "mail" && read["id"] == "canary" && read.fields.count == 2)
    var dumped = "\(handle) \(String(reflecting: handle))"
    dump(handle, to: &dumped)
    #expect(!dumped.contains("canary"))
  }
}

private struct Unexpected: Error {}
