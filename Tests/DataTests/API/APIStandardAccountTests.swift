import AuthenticationAccount
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// The standard contract's account services on the wire, as their documentation has them.
@Suite struct APIStandardAccountTests {
  let session: AuthSession

  init() throws {
    let token = try AccessToken(Secret("access-1"), receivedAt: ManualClock().now)
    session = AuthSession(user: User(id: "ada"), tokens: SessionTokens(access: token))
  }

  func provider(_ client: ScriptedHTTPClient) throws -> any AccountProvider {
    try BackendDescription(account: .standard).provider(at: "https://api.example.com/v1", over: client)
  }

  @Test func `every service is offered`() throws {
    let abilities = try provider(ScriptedHTTPClient { _ in .success(json(204, "")) }).accountAbilities
    #expect(
      abilities == [
        .resetPassword, .changePassword, .verify, .link, .factors, .sessions, .delete, .profile,
      ])
    let silent = try BackendDescription().provider(over: ScriptedHTTPClient { _ in .success(json(204, "")) })
    #expect(silent.accountAbilities == [.profile])
  }

  @Test func `each service is sent as it is documented`() async throws {
    let client = ScriptedHTTPClient { request in
      switch request.url.lastPathComponent {
      case "methods" where request.method == .get:
        .success(json(200, #"{"methods":[{"id":"1","method":"password","label":"ada"}]}"#))
      case "factors" where request.method == .get:
        .success(json(200, #"{"factors":[{"id":"2","kind":"sms","createdAt":"2026-01-02T03:04:05Z"}]}"#))
      case "sessions" where request.method == .get:
        .success(json(200, #"{"sessions":[{"id":"3","isCurrent":true,"lastUsedAt":"2026-01-02T03:04:05Z"}]}"#))
      case "account" where request.method == .patch: .success(json(200, Wire.user))
      default: .success(json(204, ""))
      }
    }
    let provider = try provider(client)
    let date = Date(timeIntervalSince1970: 1_767_323_045)
    let challenge = Challenge(kind: .emailCode, handle: Secret("step-1"))
    #expect(try await provider.resetPassword(of: "ada") == .done)
    #expect(try await provider.changePassword(from: Secret("a"), to: Secret("b"), of: session) == .done)
    #expect(try await provider.verify(.email("a@example.com"), of: session) == .done)
    #expect(try await provider.verify(.phone("+491701234567"), of: session) == .done)
    #expect(try await provider.answer(ChallengeAnswer(to: challenge, code: Secret("1")), for: session) == .done)
    #expect(
      try await provider.linkedMethods(of: session) == [LinkedMethod(id: "1", method: .password, label: "ada")])
    #expect(
      try await provider.link(.password(userName: "ada", password: Secret("p")), to: session) == .done)
    _ = try await provider.link(
      NativeCredentials(method: .google, identityToken: Secret("jwt"), rawNonce: Secret("n")), to: session)
    try await provider.unlink(LinkedMethod(id: "a b", method: .password), from: session)
    #expect(try await provider.factors(of: session) == [EnrolledFactor(id: "2", kind: .smsCode, createdAt: date)])
    #expect(try await provider.enrol(.passkey, for: session) == .done)
    try await provider.remove(EnrolledFactor(id: "2", kind: .smsCode), of: session)
    #expect(try await provider.sessions(of: session) == [RemoteSession(id: "3", isCurrent: true, lastUsedAt: date)])
    try await provider.end(RemoteSession(id: "3", isCurrent: true), of: session)
    try await provider.deleteAccount(of: session)
    #expect(try await provider.update(ProfileChanges(name: "Ada", claims: ["x": true]), of: session).id == "canary")

    let sent = client.requests.map { request in
      let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
      return "\(request.method.rawValue) \(request.url.path(percentEncoded: true).dropFirst(3))\(body)"
    }
    #expect(
      sent == [
        #"POST /account/password/reset {"account":"ada"}"#, #"PUT /account/password {"new":"b","old":"a"}"#,
        #"PUT /account/address {"email":"a@example.com"}"#, #"PUT /account/address {"phone":"+491701234567"}"#,
        #"POST /account/challenge {"challenge":"step-1","code":"1"}"#, "GET /account/methods",
        #"POST /account/methods {"method":"password","password":"p","username":"ada"}"#,
        #"POST /account/methods {"identityToken":"jwt","method":"google","nonce":"n"}"#,
        "DELETE /account/methods/a%20b", "GET /account/factors", #"POST /account/factors {"kind":"passkey"}"#,
        "DELETE /account/factors/2", "GET /account/sessions", "DELETE /account/sessions/3", "DELETE /account",
        #"PATCH /account {"name":"Ada","x":true}"#,
      ])
    let tokens = client.requests.map { $0.headers["Authorization"] }
    #expect(tokens.first == .some(nil))
    #expect(tokens.dropFirst().allSatisfy { $0 == "Bearer access-1" })
  }

  @Test(arguments: [200, 202, 409]) func `a step is asked with any status`(status: Int) async throws {
    let body = #"{"challenge":{"id":"step-1","kind":"email","length":6}}"#
    let provider = try provider(ScriptedHTTPClient { _ in .success(json(status, body)) })
    #expect(
      try await provider.resetPassword(of: "ada")
        == .challenge(Challenge(kind: .emailCode, handle: Secret("step-1"), format: .digits(6))))
  }

  @Test(arguments: [
    (400, "invalid_credentials", AuthenticationError.invalidCredentials), (422, "weak_password", .weakPassword),
    (403, "recent_sign_in_required", .recentSignInRequired), (409, "account_exists", .accountExists),
    (409, "already_linked", .alreadyLinked), (409, "last_method", .lastMethod),
    (400, "unsupported_method", .unsupportedMethod), (400, "wrong_code", .wrongCode),
    (400, "code_expired", .codeExpired), (401, "invalid_credentials", .accessTokenRefused),
    (404, "not_found", .endpointMissing), (500, "weak_password", .serverFailed), (418, "teapot", .unexpectedResponse),
  ])
  func `a refusal is classified by its status and its code`(status: Int, error: String, code: AuthenticationError)
    async throws
  {
    let body = #"{"error":"\#(error)","passwordRules":["8 characters"],"attemptsLeft":2}"#
    let provider = try provider(ScriptedHTTPClient { _ in .success(json(status, body)) })
    let refusal = await failure {
      try await provider.changePassword(from: Secret("a"), to: Secret("b"), of: session)
    }
    #expect(refusal == code)
    #expect(refusal?.passwordRules == (code == .weakPassword ? ["8 characters"] : []))
    if code == .wrongCode { #expect(refusal?.attemptsLeft == 2) }
  }

  @Test(arguments: ["", ".", "..", "a/b", "../user"])
  func `an id that leads to another path is not sent`(id: String) async throws {
    let client = ScriptedHTTPClient { _ in .success(json(204, "")) }
    let provider = try provider(client)
    let error = await failure { try await provider.end(RemoteSession(id: id, isCurrent: false), of: session) }
    #expect(error == .invalidRequest)
    #expect(client.requests.isEmpty)
  }

  @Test(arguments: ["", "[]", "{}", #"{"sessions":[{"id":"1"}]}"#, #"{"sessions":"canary"}"#])
  func `a list that is none is told without quoting it`(body: String) async throws {
    let provider = try provider(ScriptedHTTPClient { _ in .success(json(200, body)) })
    let error = try #require(await failure { try await provider.sessions(of: session) })
    #expect(error == .unexpectedResponse)
    #expect(texts(of: error).allSatisfy { !$0.contains("canary") })
  }

  @Test func `the passkeys that are accepted are all or none`() async throws {
    let whole = #"{"user":"dXNlcg","name":"ada","credentials":["AQ","Ag=="],"next":null}"#
    let provider = try provider(ScriptedHTTPClient { _ in .success(json(200, whole)) })
    #expect(
      try await provider.acceptedPasskeys(of: session)
        == AcceptedPasskeys(credentialIDs: [Data([1]), Data([2])], userHandle: Data("user".utf8), userName: "ada"))
    #expect(!provider.acceptsConditionalPasskeys)
    let silent = try BackendDescription().provider(over: ScriptedHTTPClient { _ in .success(json(200, whole)) })
    #expect(try await silent.acceptedPasskeys(of: session) == nil)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"user":"dXNlcg","name":"ada"}"#, #"{"user":"dXNlcg","name":"ada","credentials":null}"#,
    #"{"user":"dXNlcg","name":"ada","credentials":{}}"#, #"{"user":"dXNlcg","name":"ada","credentials":["AQ",1]}"#,
    #"{"user":"dXNlcg","name":"ada","credentials":["AQ",""]}"#,
    #"{"user":"dXNlcg","name":"ada","credentials":["canary!"]}"#,
    #"{"user":"dXNlcg","name":"ada","credentials":["AQ"],"next":"2"}"#,
    #"{"user":"","name":"ada","credentials":[]}"#, #"{"name":"ada","credentials":[]}"#,
    #"{"user":"dXNlcg","credentials":[]}"#,
  ])
  func `a list of passkeys that is not whole is none`(body: String) async throws {
    let provider = try provider(ScriptedHTTPClient { _ in .success(json(200, body)) })
    let error = await failure { try await provider.acceptedPasskeys(of: session) }
    #expect(error == .unexpectedResponse)
    #expect(error.map { texts(of: $0).allSatisfy { !$0.contains("canary") } } == true)
  }

  @Test func `credentials that the wire does not know are not sent`() async throws {
    let client = ScriptedHTTPClient { _ in .success(json(204, "")) }
    let provider = try provider(client)
    #expect(await failure { try await provider.link(.anonymous, to: session) } == .unsupportedMethod)
    #expect(client.requests.isEmpty)
  }
}
