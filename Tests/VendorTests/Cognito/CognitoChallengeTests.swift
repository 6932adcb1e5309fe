import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationCognito

/// Every challenge that a pool may ask, and the request of its answer.
@Suite struct CognitoChallengeTests {
  func asked(_ pool: ScriptedPool, _ provider: CognitoAuthProvider) async throws -> Challenge {
    try #require(try await provider.signIn(with: .password(userName: "ada", password: Secret("pass"))).challenge)
  }

  struct Code: Sendable {
    let name: String
    let kind: Challenge.Kind
    let answer: String
    let lengths: ClosedRange<Int>?
  }

  static let codes = [
    Code(name: "SMS_MFA", kind: .smsCode, answer: "SMS_MFA_CODE", lengths: 6...6),
    Code(name: "SMS_OTP", kind: .smsCode, answer: "SMS_OTP_CODE", lengths: 6...8),
    Code(name: "EMAIL_OTP", kind: .emailCode, answer: "EMAIL_OTP_CODE", lengths: 6...8),
    Code(name: "EMAIL_MFA", kind: .emailCode, answer: "EMAIL_MFA_CODE", lengths: 6...8),
    Code(name: "SOFTWARE_TOKEN_MFA", kind: .oneTimePassword, answer: "SOFTWARE_TOKEN_MFA_CODE", lengths: 6...6),
    Code(name: "CUSTOM_CHALLENGE", kind: .custom, answer: "ANSWER", lengths: nil),
  ]

  @Test(arguments: codes) func `a code is asked for and sent with the newest session`(code: Code) async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", asking(code.name, #"{"USERNAME":"name-1","CODE_DELIVERY_DESTINATION":"+*******42"}"#)),
      ("RespondToAuthChallenge", asking(code.name, session: "session-2")),
      ("RespondToAuthChallenge", signedIn()))
    let provider = try pool.provider()
    let challenge = try await asked(pool, provider)
    #expect(challenge.kind == code.kind)
    #expect(challenge.destination == "+*******42")
    #expect(challenge.lifetime == .seconds(180))
    #expect(challenge.format?.length == code.lengths)
    #expect(challenge.resendDelay == nil)
    let again = try #require(
      try await provider.signIn(with: .answer(to: challenge, code: Secret("123 456"))).challenge)
    #expect(pool.calls[1].body["ChallengeName"] == .string(code.name))
    #expect(pool.calls[1].body["Session"] == "session-1")
    #expect(pool.calls[1].answer(code.answer) == "123456")
    #expect(pool.calls[1].answer("USERNAME") == "name-1")
    _ = try await provider.signIn(with: .answer(to: again, code: Secret("654321")))
    #expect(pool.calls[2].body["Session"] == "session-2")
  }

  @Test func `a wrong code leaves the challenge as it is`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", asking("SMS_MFA")), ("RespondToAuthChallenge", amzError("CodeMismatchException")),
      ("RespondToAuthChallenge", amzError("NotAuthorizedException", "Invalid session for the user.")))
    let provider = try pool.provider()
    let challenge = try await asked(pool, provider)
    let answer = ChallengeAnswer(to: challenge, code: Secret("000000"))
    #expect(await failure { try await provider.signIn(with: answer) } == .wrongCode)
    #expect(await failure { try await provider.signIn(with: answer) } == .signInExpired)
  }

  @Test func `a code by e-mail can be asked for again, a second factor cannot`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", asking("EMAIL_OTP", session: "session-1")),
      ("InitiateAuth", asking("EMAIL_OTP", session: "session-2")), ("InitiateAuth", asking("EMAIL_OTP")))
    let provider = try pool.provider()
    let first = try #require(try await provider.signIn(with: .emailCode("ada@example.org")).challenge)
    #expect(first.resendDelay == .seconds(30))
    let second = try #require(try await provider.signIn(with: ChallengeAnswer(to: first, .resend)).challenge)
    #expect(second.handle != first.handle)
    #expect(pool.calls[1].parameter("USERNAME") == "ada@example.org")
    let factor = try await asked(pool, provider)
    #expect(
      await failure { try await provider.signIn(with: ChallengeAnswer(to: factor, .resend)) } == .invalidRequest)
  }

  @Test(arguments: [#""[\"SMS_MFA\",\"SOFTWARE_TOKEN_MFA\"]""#, #"["SMS_MFA","SOFTWARE_TOKEN_MFA"]"#])
  func `a factor is chosen`(list: String) async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", asking("SELECT_MFA_TYPE", #"{"MFAS_CAN_CHOOSE":\#(list)}"#)),
      ("RespondToAuthChallenge", asking("SOFTWARE_TOKEN_MFA")))
    let provider = try pool.provider()
    let challenge = try await asked(pool, provider)
    #expect(challenge.kind == .choice)
    #expect(challenge.choices.map(\.id) == ["SMS_MFA", "SOFTWARE_TOKEN_MFA"])
    #expect(challenge.choices.map(\.kind) == [.smsCode, .oneTimePassword])
    let next = try await provider.signIn(with: ChallengeAnswer(to: challenge, .choice("SOFTWARE_TOKEN_MFA"))).challenge
    #expect(next?.kind == .oneTimePassword)
    #expect(pool.calls[1].answer("ANSWER") == "SOFTWARE_TOKEN_MFA")
  }

  @Test func `an authenticator app is enrolled during the sign-in`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", asking("MFA_SETUP", #"{"MFAS_CAN_SETUP":"[\"SOFTWARE_TOKEN_MFA\"]"}"#)),
      ("AssociateSoftwareToken", amz(#"{"SecretCode":"JBSWY3DP","Session":"session-2"}"#)),
      ("VerifySoftwareToken", amzError("EnableSoftwareTokenMFAException")),
      ("VerifySoftwareToken", amz(#"{"Status":"SUCCESS","Session":"session-3"}"#)),
      ("RespondToAuthChallenge", signedIn()))
    let provider = try pool.provider()
    let challenge = try await asked(pool, provider)
    #expect(challenge.kind == .enrolment)
    #expect(challenge.enrolment?.secret == Secret("JBSWY3DP"))
    #expect(
      challenge.enrolment?.uri == Secret("otpauth://totp/AbCdEfGhI:ada?secret=JBSWY3DP&issuer=AbCdEfGhI"))
    #expect(pool.calls[1].body == ["Session": "session-1"])
    let answer = ChallengeAnswer(to: challenge, code: Secret("123456"))
    #expect(await failure { try await provider.signIn(with: answer) } == .wrongCode)
    #expect(try await provider.signIn(with: answer).session != nil)
    #expect(pool.calls[3].body == ["Session": "session-2", "UserCode": "123456"])
    #expect(pool.calls[4].body["ChallengeName"] == "MFA_SETUP")
    #expect(pool.calls[4].body["Session"] == "session-3")
  }

  @Test func `an address for codes is asked for where nothing else can be set up`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", asking("MFA_SETUP", #"{"MFAS_CAN_SETUP":"[\"EMAIL_OTP\"]"}"#)),
      ("RespondToAuthChallenge", asking("EMAIL_OTP")))
    let provider = try pool.provider()
    let challenge = try await asked(pool, provider)
    #expect(challenge.kind == .emailAddress)
    let answer = ChallengeAnswer(to: challenge, .code(Secret("a-da@example.org")))
    #expect(try await provider.signIn(with: answer).challenge?.kind == .emailCode)
    #expect(pool.calls[1].answer("EMAIL") == "a-da@example.org")
  }

  @Test func `a new password is sent with the attributes that the pool requires`() async throws {
    let pool = ScriptedPool(
      (
        "InitiateAuth",
        asking("NEW_PASSWORD_REQUIRED", #"{"requiredAttributes":"[\"userAttributes.given_name\"]"}"#)
      ), ("RespondToAuthChallenge", amzError("InvalidPasswordException")), ("RespondToAuthChallenge", signedIn()))
    let provider = try pool.provider()
    let challenge = try await asked(pool, provider)
    #expect(challenge.kind == .newPassword)
    #expect(challenge.cognitoParameters == ["requiredAttributes": #"["userAttributes.given_name"]"#])
    let answer = ChallengeAnswer(to: challenge, .newPassword(Secret("n e w")))
    #expect(await failure { try await provider.signIn(with: answer) } == .weakPassword)
    _ = try await provider.signIn(with: answer, attributes: ["userAttributes.given_name": Secret("Ada")])
    #expect(pool.calls[2].answer("NEW_PASSWORD") == "n e w")
    #expect(pool.calls[2].answer("userAttributes.given_name") == "Ada")
    #expect(pool.calls[2].body["ClientMetadata"] == nil)
  }

  @Test func `a passkey's request and response go through unchanged`() async throws {
    let options = #"{\"challenge\":\"AAAA\",\"rpId\":\"example.org\"}"#
    let pool = ScriptedPool(
      ("InitiateAuth", asking("WEB_AUTHN", #"{"CREDENTIAL_REQUEST_OPTIONS":"\#(options)"}"#)),
      ("RespondToAuthChallenge", amzError("ExpiredCodeException")), ("RespondToAuthChallenge", signedIn()))
    let provider = try pool.provider()
    let credentials = CognitoCredentials(userName: "ada", method: .passkey)
    let challenge = try #require(try await provider.signIn(with: credentials).challenge)
    #expect(challenge.kind == .passkey)
    #expect(challenge.resendDelay == nil)
    #expect(challenge.passkeyRequest == Secret(#"{"challenge":"AAAA","rpId":"example.org"}"#))
    let answer = ChallengeAnswer(to: challenge, .passkey(Secret(#"{"id":"x"}"#)))
    #expect(await failure { try await provider.signIn(with: answer) } == .signInExpired)
    _ = try await provider.signIn(with: answer)
    #expect(pool.calls[2].answer("CREDENTIAL") == #"{"id":"x"}"#)
  }

  @Test func `among several ways the password is proved, not sent`() async throws {
    let vector = SRPVectors.published.exchanges[0]
    let offered =
      #"{"ChallengeName":"SELECT_CHALLENGE","Session":"session-1","AvailableChallenges":["PASSWORD","PASSWORD_SRP","EMAIL_OTP","WEB_AUTHN"]}"#
    let pool = ScriptedPool(
      ("InitiateAuth", amz(offered)), ("RespondToAuthChallenge", CognitoSignInTests.verifier()),
      ("RespondToAuthChallenge", signedIn()), ("RespondToAuthChallenge", asking("EMAIL_OTP")))
    let provider = try pool.provider(
      clock: ManualClock(now: Date(timeIntervalSince1970: 1_772_510_706)), random: bytes(vector.secret))
    let challenge = try #require(try await provider.signIn(with: .emailCode("ada@example.org")).challenge)
    #expect(challenge.choices.map(\.id) == ["PASSWORD_SRP", "EMAIL_OTP", "WEB_AUTHN"])
    let password = try #require(
      try await provider.signIn(with: ChallengeAnswer(to: challenge, .choice("PASSWORD_SRP"))).challenge)
    #expect(password.kind == .password)
    #expect(pool.calls.count == 1)
    _ = try await provider.signIn(with: ChallengeAnswer(to: password, .newPassword(Secret(vector.password))))
    #expect(pool.calls[1].body["ChallengeName"] == "SELECT_CHALLENGE")
    #expect(pool.calls[1].answer("ANSWER") == "PASSWORD_SRP")
    #expect(pool.calls[1].answer("SRP_A") == vector.client)
    #expect(pool.calls[2].answer("PASSWORD_CLAIM_SIGNATURE") == vector.signature)
    let code = try await provider.signIn(with: ChallengeAnswer(to: challenge, .choice("EMAIL_OTP"))).challenge
    #expect(code?.kind == .emailCode)
    #expect(pool.calls[3].answer("ANSWER") == "EMAIL_OTP")
  }

  @Test(arguments: ["PASSWORD", "PASSWORD_SRP"]) func `a password is asked for on its own`(name: String) async throws {
    let pool = ScriptedPool(("InitiateAuth", asking(name)), ("RespondToAuthChallenge", signedIn()))
    let provider = try pool.provider()
    let challenge = try #require(try await provider.signIn(with: .emailCode("ada@example.org")).challenge)
    #expect(challenge.kind == .password)
    _ = try await provider.signIn(with: ChallengeAnswer(to: challenge, .newPassword(Secret("pass"))))
    #expect((pool.calls[1].answer("PASSWORD") == "pass") == (name == "PASSWORD"))
    #expect((pool.calls[1].answer("SRP_A") != nil) == (name == "PASSWORD_SRP"))
  }

  @Test func `the pool's own challenge tells its parameters`() async throws {
    let pool = ScriptedPool(("InitiateAuth", asking("CUSTOM_CHALLENGE", #"{"question":"colour","n":1}"#)))
    let credentials = CognitoCredentials(userName: "ada", method: .customChallenge)
    let challenge = try #require(try await pool.provider().signIn(with: credentials).challenge)
    #expect(challenge.cognitoParameters == ["question": "colour"])
    #expect(pool.calls[0].body["AuthFlow"] == "CUSTOM_AUTH")
    #expect(Challenge(kind: .custom, handle: Secret("other")).cognitoParameters == [:])
  }

  @Test func `a challenge that is not known is named, and one of another provider is refused`() async throws {
    let pool = ScriptedPool(("InitiateAuth", asking("ADMIN_NO_SRP_AUTH")))
    let provider = try pool.provider()
    let error = await failure { try await asked(pool, provider) }
    #expect(error == .unexpectedResponse)
    #expect(error?.providerCode == "ADMIN_NO_SRP_AUTH")
    let foreign = Challenge(kind: .smsCode, handle: Secret("other"))
    #expect(
      await failure { try await provider.signIn(with: .answer(to: foreign, code: Secret("1"))) } == .challengeReplaced)
  }

  @Test func `an answer of another sort is not sent`() async throws {
    let pool = ScriptedPool(("InitiateAuth", asking("SMS_MFA")))
    let provider = try pool.provider()
    let challenge = try await asked(pool, provider)
    for content in [.newPassword(Secret("x")), .approval, .passkey(Secret("{}"))] as [ChallengeAnswer.Content] {
      let error = await failure { try await provider.signIn(with: ChallengeAnswer(to: challenge, content)) }
      #expect(error == .invalidRequest)
    }
    #expect(pool.calls.count == 1)
  }

  @Test func `the stored handle of a challenge holds no password and no code`() async throws {
    let pool = ScriptedPool(("InitiateAuth", amzError("UserNotConfirmedException")))
    let challenge = try #require(
      try await pool.provider().signIn(with: .password(userName: "ada", password: Secret("canary-pass"))).challenge)
    #expect(!challenge.handle.reveal().contains("canary"))
  }
}
