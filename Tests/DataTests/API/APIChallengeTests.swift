import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// A second step in the standard contract of a JSON backend.
@Suite struct APIChallengeTests {
  let challenge = Challenge(kind: .smsCode, handle: Secret("challenge-1"))

  func provider(_ answer: HTTPResponse, _ seen: ScriptedHTTPClient? = nil) throws -> any RemoteAuthProvider {
    try AuthProviderConfiguration.api(baseURL: "https://api.example.com")
      .provider(seen ?? ScriptedHTTPClient { _ in .success(answer) })
  }

  func asked(_ body: String, status: Int = 401) async throws -> Challenge? {
    let outcome = try? await provider(json(status, body))
      .signIn(with: .password(userName: "ada", password: Secret("pass")))
    guard case .challenge(let challenge) = outcome else { return nil }
    return challenge
  }

  @Test(arguments: [200, 401, 403]) func `a challenge has everything the backend says of it`(status: Int) async throws {
    let body = """
      {"challenge":{"id":"c-1","kind":"choice","destination":"•••• 42","length":6,"maxLength":8,"letters":true,
      "expiresIn":300,"resendIn":60,"attemptsLeft":3,"passwordRules":["12 characters"],"pollIn":5,"new":{"member":1},
      "choices":[{"id":"t","kind":"otp"},{"id":"m","kind":"email","destination":"a•••"}],
      "secret":"JBSWY3DP","uri":"otpauth://totp/x","passkey":{"challenge":"AAAA"}}}
      """
    let expected = Challenge(
      kind: .choice, destination: "•••• 42", handle: Secret("c-1"),
      format: CodeFormat(length: 6...8, alphabet: .lettersAndDigits), lifetime: .seconds(300),
      resendDelay: .seconds(60), attemptsLeft: 3,
      choices: [.init(id: "t", kind: .oneTimePassword), .init(id: "m", kind: .emailCode, destination: "a•••")],
      passwordRules: ["12 characters"],
      enrolment: .init(secret: Secret("JBSWY3DP"), uri: Secret("otpauth://totp/x")),
      passkeyRequest: Secret(#"{"challenge":"AAAA"}"#), pollInterval: .seconds(5))
    #expect(try await asked(body, status: status) == expected)
  }

  @Test(arguments: [
    #"{"challenge":{"id":"","kind":"sms"}}"#, #"{"challenge":{"id":"a"}}"#, #"{"challenge":"sms"}"#, "{}", "",
    #"{"challenge":{"id":"a","kind":"sms","length":"six"}}"#,
  ])
  func `a malformed or missing challenge is not returned`(body: String) async throws {
    #expect(try await asked(body) == nil)
  }

  @Test(arguments: [-1, 0, 7]) func `a length that no code has is not known`(length: Int) async throws {
    let body = #"{"challenge":{"id":"a","kind":"sms","length":\#(length),"maxLength":6,"expiresIn":-5}}"#
    let challenge = try await asked(body)
    #expect(challenge?.format == nil)
    #expect(challenge?.lifetime == nil)
  }

  @Test(arguments: [
    (ChallengeAnswer.Content.code(Secret("123456")), #"{"challenge":"challenge-1","code":"123456"}"#),
    (.newPassword(Secret("new")), #"{"challenge":"challenge-1","password":"new"}"#),
    (.choice("totp"), #"{"challenge":"challenge-1","choice":"totp"}"#),
    (.resend, #"{"challenge":"challenge-1","resend":true}"#),
    (.approval, #"{"approval":true,"challenge":"challenge-1"}"#),
    (.passkey(Secret(#"{"id":"x"}"#)), #"{"challenge":"challenge-1","passkey":{"id":"x"}}"#),
    (
      .link(URL(string: "https://app.example.com/l?c=1")!),
      #"{"challenge":"challenge-1","link":"https://app.example.com/l?c=1"}"#
    ),
  ])
  func `an answer goes to a path of its own`(content: ChallengeAnswer.Content, body: String) async throws {
    let client = ScriptedHTTPClient { _ in .success(json(500, "")) }
    let provider = try provider(json(500, ""), client)
    _ = await failure { try await provider.signIn(with: ChallengeAnswer(to: challenge, content)) }
    #expect(client.requests.map { $0.url.path() } == ["/auth/challenge"])
    #expect(client.requests.first?.body == Data(body.utf8))
  }

  @Test(arguments: [
    ("wrong_code", AuthenticationError.wrongCode), ("code_expired", .codeExpired), ("code_reused", .codeReused),
    ("too_many_attempts", .tooManyAttempts), ("sign_in_expired", .signInExpired), ("weak_password", .weakPassword),
    ("captcha_required", .captchaRequired), ("user_disabled", .userDisabled), ("not_verified", .notVerified),
  ])
  func `a step that failed says why`(word: String, code: AuthenticationError) async throws {
    let provider = try provider(json(400, #"{"error":"\#(word)","attemptsLeft":2}"#))
    let error = await failure { try await provider.signIn(with: .answer(to: challenge, code: Secret("1"))) }
    #expect(error == code)
    #expect(error?.attemptsLeft == 2)
    let outage = try self.provider(json(500, #"{"error":"\#(word)"}"#))
    #expect(
      await failure { try await outage.signIn(with: .answer(to: challenge, code: Secret("1"))) } == .serverFailed)
  }

  @Test func `a refused sign-up says why, too`() async throws {
    let password = PasswordCredentials(userName: "ada", password: Secret("pass"))
    let taken = try provider(json(409, #"{"error":"account_exists"}"#))
    #expect(await failure { try await taken.signUp(with: password) } == .accountExists)
    let answer = json(422, #"{"error":"weak_password","passwordRules":["12 characters"]}"#)
    let weak = try provider(answer)
    let error = await failure { try await weak.signUp(with: password) }
    #expect(error == .weakPassword)
    #expect(error?.passwordRules == ["12 characters"])
  }

  @Test func `too many attempts say when the next one counts`() async throws {
    let body = Data(#"{"error":"too_many_attempts"}"#.utf8)
    let provider = try provider(
      HTTPResponse(
        status: 429, headers: ["Content-Type": "application/json", "Retry-After": "90"], body: body))
    let error = await failure { try await provider.signIn(with: .answer(to: challenge, code: Secret("1"))) }
    #expect(error == .tooManyAttempts)
    #expect(error?.retryAfter == .seconds(90))
  }
}
