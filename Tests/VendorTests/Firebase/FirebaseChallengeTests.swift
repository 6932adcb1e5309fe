import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationFirebase

/// Codes, links and second factors.
@Suite struct FirebaseChallengeTests {
  let proof = ["recaptchaToken": Secret("human")]
  let factors =
    #"{"mfaPendingCredential":"pending","mfaInfo":[{"mfaEnrollmentId":"s","displayName":"Work","phoneInfo":"+*******1234"},{"mfaEnrollmentId":"t","displayName":"App","totpInfo":{}}]}"#

  @Test func `a phone number is sent a code, and the code signs in`() async throws {
    let bench = try FirebaseBench(json(200, #"{"sessionInfo":"s-1"}"#), json(200, ada))
    let challenge = try #require(
      try await bench.provider.signIn(with: .phone("+491701234567"), attributes: proof).challenge)
    #expect(challenge.kind == .smsCode)
    #expect(challenge.destination == "•••• 67")
    #expect(challenge.format == .digits(6))
    let session = try await bench.provider.signIn(with: .answer(to: challenge, code: Secret("123 456"))).session
    #expect(
      bench.sent == [
        #"/v1/accounts:sendVerificationCode {"phoneNumber":"+491701234567","recaptchaToken":"human"}"#,
        #"/v1/accounts:signInWithPhoneNumber {"code":"123456","sessionInfo":"s-1"}"#,
      ])
    #expect(session?.user.id == "uid-1")
  }

  /// Fictional numbers and the emulator need none.
  @Test func `whether a code takes a proof of the app is the project's to say`() async throws {
    let bench = try FirebaseBench(json(200, #"{"sessionInfo":"s-1"}"#), refusal("MISSING_RECAPTCHA_TOKEN"))
    #expect(try await bench.provider.signIn(with: .phone("+491701234567")).challenge?.kind == .smsCode)
    #expect(await failure { try await bench.provider.signIn(with: .phone("+491701234567")) } == .captchaRequired)
    #expect(bench.sent.last == #"/v1/accounts:sendVerificationCode {"phoneNumber":"+491701234567"}"#)
  }

  @Test func `so is whether a second factor by text message takes one`() async throws {
    let bench = try FirebaseBench(
      json(200, factors), json(200, #"{"phoneResponseInfo":{"sessionInfo":"m-1"}}"#),
      refusal("MISSING_CLIENT_IDENTIFIER"))
    let choice = try #require(try await bench.provider.signIn(with: password).challenge)
    let chosen = ChallengeAnswer(to: choice, .choice("s"))
    #expect(try await bench.provider.signIn(with: chosen).challenge?.kind == .smsCode)
    #expect(
      bench.sent.last
        == #"/v2/accounts/mfaSignIn:start {"mfaEnrollmentId":"s","mfaPendingCredential":"pending","phoneSignInInfo":{}}"#
    )
    #expect(await failure { try await bench.provider.signIn(with: chosen) } == .captchaRequired)
  }

  @Test func `another code replaces the handle`() async throws {
    let bench = try FirebaseBench(json(200, #"{"sessionInfo":"s-1"}"#), json(200, #"{"sessionInfo":"s-2"}"#))
    let first = try #require(
      try await bench.provider.signIn(with: .phone("+491701234567"), attributes: proof).challenge)
    let second = try await bench.provider.signIn(with: ChallengeAnswer(to: first, .resend), attributes: proof).challenge
    #expect(second?.handle != first.handle)
    #expect(second?.kind == .smsCode)
  }

  @Test func `a number of another user's account is no sign-in`() async throws {
    let bench = try FirebaseBench(
      json(200, #"{"sessionInfo":"s-1"}"#), json(200, #"{"temporaryProof":"p","phoneNumber":"+1"}"#))
    let challenge = try #require(
      try await bench.provider.signIn(with: .phone("+491701234567"), attributes: proof).challenge)
    let answer = ChallengeAnswer(to: challenge, code: Secret("123456"))
    #expect(await failure { try await bench.provider.signIn(with: answer) } == .accountExists)
  }

  @Test(arguments: [
    "https://app.example.org/link?mode=signIn&oobCode=o-1&apiKey=key",
    "https://x.page.link/?link=https%3A%2F%2Fapp.example.org%2Flink%3Fmode%3DsignIn%26oobCode%3Do-1",
    "https://x.page.link/?deep_link_id=https%3A%2F%2Fy.page.link%2F%3Flink%3Dhttps%253A%252F%252Fapp.example.org%252Flink%253Fmode%253DsignIn%2526oobCode%253Do-1",
  ])
  func `a link signs in, wrapped once or twice or not at all`(link: String) async throws {
    let bench = try FirebaseBench(json(200, #"{"email":"ada@example.org"}"#), json(200, ada)) {
      $0.bundleID = "org.example.app"
    }
    let challenge = try #require(try await bench.provider.signIn(with: .emailLink("ada@example.org")).challenge)
    #expect(challenge.kind == .link)
    #expect(challenge.destination == "a•••@example.org")
    let url = try #require(URL(string: link))
    _ = try await bench.provider.signIn(with: ChallengeAnswer(to: challenge, .link(url)))
    #expect(
      bench.sent == [
        #"/v1/accounts:sendOobCode {"canHandleCodeInApp":true,"continueUrl":"https://app.example.org/link","email":"ada@example.org","iOSBundleId":"org.example.app","requestType":"EMAIL_SIGNIN"}"#,
        #"/v1/accounts:signInWithEmailLink {"email":"ada@example.org","oobCode":"o-1"}"#,
      ])
  }

  @Test(arguments: [
    "https://app.example.org/link", "https://app.example.org/link?mode=signIn",
    "https://app.example.org/link?mode=resetPassword&oobCode=o-1",
    "https://app.example.org/link?mode=signIn&oobCode=o-1&apiKey=another",
    "https://app.example.org/link?mode=signIn&oobCode=o-1&oobCode=o-2",
  ])
  func `a link that is not one of a sign-in is not followed`(link: String) async throws {
    let bench = try FirebaseBench(json(200, "{}"))
    let challenge = try #require(try await bench.provider.signIn(with: .emailLink("ada@example.org")).challenge)
    let url = try #require(URL(string: link))
    let error = await failure { try await bench.provider.signIn(with: ChallengeAnswer(to: challenge, .link(url))) }
    #expect(error == .invalidLink)
    #expect(bench.sent.count == 1)
  }

  @Test func `the user chooses among several second factors`() async throws {
    let tokens = #"{"idToken":"\#(adaToken)","refreshToken":"r-2"}"#
    let bench = try FirebaseBench(json(200, factors), json(200, tokens))
    let choice = try #require(try await bench.provider.signIn(with: password).challenge)
    #expect(choice.kind == .choice)
    #expect(
      choice.choices == [
        .init(id: "s", kind: .smsCode, destination: "+*******1234", label: "Work"),
        .init(id: "t", kind: .oneTimePassword, label: "App"),
      ])
    let asked = try #require(
      try await bench.provider.signIn(with: ChallengeAnswer(to: choice, .choice("t"))).challenge)
    #expect(asked.kind == .oneTimePassword)
    #expect(asked.choices == choice.choices)
    let session = try await bench.provider.signIn(with: .answer(to: asked, code: Secret("123456"))).session
    #expect(
      bench.sent.last
        == #"/v2/accounts/mfaSignIn:finalize {"mfaEnrollmentId":"t","mfaPendingCredential":"pending","totpVerificationInfo":{"verificationCode":"123456"}}"#
    )
    // The answer has only tokens: the rest is in the ID token.
    #expect(session?.user.id == "uid-1")
    #expect(session?.tokens.access.lifetime == .seconds(3_600))
  }

  @Test func `a factor by text message is sent a code when it is chosen`() async throws {
    let bench = try FirebaseBench(
      json(200, factors), json(200, #"{"phoneResponseInfo":{"sessionInfo":"m-1"}}"#), json(200, ada))
    let choice = try #require(try await bench.provider.signIn(with: password).challenge)
    let asked = try #require(
      try await bench.provider.signIn(with: ChallengeAnswer(to: choice, .choice("s")), attributes: proof).challenge)
    #expect(asked.destination == "+*******1234")
    _ = try await bench.provider.signIn(with: .answer(to: asked, code: Secret("123456")))
    #expect(
      bench.sent.suffix(2) == [
        #"/v2/accounts/mfaSignIn:start {"mfaEnrollmentId":"s","mfaPendingCredential":"pending","phoneSignInInfo":{"recaptchaToken":"human"}}"#,
        #"/v2/accounts/mfaSignIn:finalize {"mfaPendingCredential":"pending","phoneVerificationInfo":{"code":"123456","sessionInfo":"m-1"}}"#,
      ])
  }

  @Test(arguments: ["", "{}", #"{"step":"x"}"#, #"{"step":"phone"}"#, "h"])
  func `an answer to a challenge that Firebase never issued is not sent`(handle: String) async throws {
    let bench = try FirebaseBench()
    let challenge = Challenge(kind: .smsCode, handle: Secret(handle))
    let answer = ChallengeAnswer(to: challenge, code: Secret("123456"))
    #expect(await failure { try await bench.provider.signIn(with: answer) } == .challengeReplaced)
    #expect(bench.sent.isEmpty)
  }
}
