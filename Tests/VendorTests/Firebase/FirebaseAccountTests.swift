import AuthenticationAccount
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationFirebase

@Suite struct FirebaseAccountTests {
  let session = AuthSession(
    user: User(id: "uid-1", email: "ada@example.org"),
    tokens: try! SessionTokens(access: AccessToken(Secret("id-1"), receivedAt: ManualClock().now)))
  let account =
    #"{"users":[{"localId":"uid-1","email":"ada@example.org","emailVerified":true,"createdAt":"1700000000000","providerUserInfo":[{"providerId":"password","email":"ada@example.org"},{"providerId":"google.com","email":"ada@gmail.example"}],"mfaInfo":[{"mfaEnrollmentId":"t","displayName":"App","totpInfo":{},"enrolledAt":"2026-01-02T03:04:05Z"}]}]}"#

  @Test func `the user, the methods and the factors are looked up`() async throws {
    let bench = try FirebaseBench(json(200, account), json(200, account), json(200, account))
    let user = try await bench.provider.user(of: session)
    #expect(user.createdAt == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(user.isEmailVerified == true)
    #expect(!user.isAnonymous)
    #expect(try await bench.provider.linkedMethods(of: session).map(\.method) == [.password, .google])
    let factors = try await bench.provider.factors(of: session)
    #expect(factors.map(\.kind) == [.oneTimePassword])
    #expect(factors.first?.createdAt == Date(timeIntervalSince1970: 1_767_323_045))
    #expect(bench.sent.allSatisfy { $0 == #"/v1/accounts:lookup {"idToken":"id-1"}"# })
  }

  @Test func `a new password gives new tokens, since the old ones are revoked`() async throws {
    let bench = try FirebaseBench(json(200, ada), json(200, ada))
    let step = try await bench.provider.changePassword(from: Secret("old"), to: Secret("new"), of: session)
    #expect(step.session?.tokens.refresh == Secret("r-1"))
    #expect(bench.sent[0].contains(#""password":"old""#))
    #expect(
      bench.sent[1] == #"/v1/accounts:update {"idToken":"\#(adaToken)","password":"new","returnSecureToken":true}"#)
  }

  @Test func `a wrong old password changes nothing`() async throws {
    let bench = try FirebaseBench(refusal("INVALID_LOGIN_CREDENTIALS"))
    let error = await failure {
      try await bench.provider.changePassword(from: Secret("wrong"), to: Secret("new"), of: session)
    }
    #expect(error == .invalidCredentials)
    #expect(bench.sent.count == 1)
  }

  @Test func `an account without a name is upgraded, and keeps its id`() async throws {
    let bench = try FirebaseBench(json(200, ada))
    let step = try await bench.provider.link(password, to: session)
    #expect(bench.sent[0].hasPrefix(#"/v1/accounts:signUp {"email":"ada@example.org","idToken":"id-1""#))
    #expect(step.session?.user.id == "uid-1")
  }

  @Test func `the last method stays`() async throws {
    let one = account.replacing(#",{"providerId":"google.com","email":"ada@gmail.example"}"#, with: "")
    let bench = try FirebaseBench(json(200, one))
    let method = LinkedMethod(id: "password", method: .password)
    #expect(await failure { try await bench.provider.unlink(method, from: session) } == .lastMethod)
    let two = try FirebaseBench(json(200, account), json(200, "{}"))
    try await two.provider.unlink(method, from: session)
    #expect(two.sent.last == #"/v1/accounts:update {"deleteProvider":["password"],"idToken":"id-1"}"#)
  }

  @Test func `a reset leads through the link to a new password`() async throws {
    let bench = try FirebaseBench(json(200, "{}"), json(200, #"{"email":"ada@example.org"}"#), json(200, "{}"))
    let sent = try #require(try await bench.provider.resetPassword(of: "ada@example.org").challenge)
    let url = try #require(URL(string: "https://app.example.org/link?mode=resetPassword&oobCode=o-1"))
    let asked = try #require(
      try await bench.provider.answer(ChallengeAnswer(to: sent, .link(url)), for: nil).challenge)
    #expect(asked.kind == .newPassword)
    let step = try await bench.provider.answer(ChallengeAnswer(to: asked, .newPassword(Secret("new"))), for: nil)
    #expect(step == .done)
    #expect(bench.sent.last == #"/v1/accounts:resetPassword {"newPassword":"new","oobCode":"o-1"}"#)
  }

  @Test(arguments: [#"{"email":"eve@example.org"}"#, "{}"])
  func `a link for another account resets nothing`(answer: String) async throws {
    let bench = try FirebaseBench(json(200, "{}"), json(200, answer), json(200, #"{"email":"Ada@example.org"}"#))
    let sent = try #require(try await bench.provider.resetPassword(of: "ada@example.org").challenge)
    let url = try #require(URL(string: "https://app.example.org/link?mode=resetPassword&oobCode=o-1"))
    let open = ChallengeAnswer(to: sent, .link(url))
    #expect(await failure { try await bench.provider.answer(open, for: nil) } == .invalidLink)
    #expect(try await bench.provider.answer(open, for: nil).challenge?.kind == .newPassword, "the right one counts")
  }

  @Test(arguments: ["1e300", "-1", "0", "3", "13", #""1e300""#, "6.9", #""six""#])
  func `a length that no code has is the usual one`(length: String) async throws {
    let start =
      #"{"totpSessionInfo":{"sharedSecretKey":"JBSWY3DP","verificationCodeLength":\#(length),"sessionInfo":"e-1","finalizeEnrollmentTime":"9999-01-01T12:05:00Z"}}"#
    let bench = try FirebaseBench(json(200, start))
    let asked = try #require(try await bench.provider.enrol(.oneTimePassword, for: session).challenge)
    #expect(asked.format == .digits(6))
    #expect(asked.lifetime == nil)
  }

  @Test func `a date after the year 9999 is unknown`() async throws {
    let times = [#""1e300""#, "1e18", "-1e300"]
    for time in times {
      let answer = account.replacing(#""1700000000000""#, with: time)
      #expect(answer != account)
      #expect(try await FirebaseBench(json(200, answer)).provider.user(of: session).createdAt == nil)
    }
  }

  @Test func `a reset does not store the code of its link, and asks for the link after a relaunch`()
    async throws
  {
    let bench = try FirebaseBench(json(200, "{}"), json(200, #"{"email":"ada@example.org"}"#))
    let sent = try #require(try await bench.provider.resetPassword(of: "ada@example.org").challenge)
    let url = try #require(URL(string: "https://app.example.org/link?mode=resetPassword&oobCode=canary-1"))
    let asked = try #require(
      try await bench.provider.answer(ChallengeAnswer(to: sent, .link(url)), for: nil).challenge)
    #expect(!asked.handle.reveal().contains("canary"))
    let relaunched = try FirebaseBench(json(200, #"{"email":"ada@example.org"}"#), json(200, "{}"))
    let new = Secret("new")
    let again = try #require(
      try await relaunched.provider.answer(ChallengeAnswer(to: asked, .newPassword(new)), for: nil).challenge)
    #expect(again.kind == .link)
    #expect(relaunched.sent.isEmpty)
    let next = try #require(
      try await relaunched.provider.answer(ChallengeAnswer(to: again, .link(url)), for: nil).challenge)
    #expect(try await relaunched.provider.answer(ChallengeAnswer(to: next, .newPassword(new)), for: nil) == .done)
    #expect(relaunched.sent.last == #"/v1/accounts:resetPassword {"newPassword":"new","oobCode":"canary-1"}"#)
  }

  @Test func `a reset does not tell whether there is such an account`() async throws {
    let bench = try FirebaseBench(refusal("EMAIL_NOT_FOUND")) { $0.continueURL = nil }
    #expect(try await bench.provider.resetPassword(of: "unknown@example.org") == .done)
  }

  @Test func `an authenticator app is enrolled, and the session keeps the new tokens`() async throws {
    let start =
      #"{"totpSessionInfo":{"sharedSecretKey":"JBSWY3DP","verificationCodeLength":6,"sessionInfo":"e-1","finalizeEnrollmentTime":"2026-01-01T12:05:00Z"}}"#
    let bench = try FirebaseBench(json(200, start), json(200, #"{"idToken":"\#(adaToken)","refreshToken":"r-9"}"#))
    let asked = try #require(try await bench.provider.enrol(.oneTimePassword, for: session).challenge)
    #expect(asked.kind == .enrolment)
    #expect(asked.enrolment?.secret == Secret("JBSWY3DP"))
    let step = try await bench.provider.answer(ChallengeAnswer(to: asked, code: Secret("123456")), for: session)
    #expect(step.session?.tokens.refresh == Secret("r-9"))
    #expect(
      bench.sent.last
        == #"/v2/accounts/mfaEnrollment:finalize {"idToken":"id-1","totpVerificationInfo":{"sessionInfo":"e-1","verificationCode":"123456"}}"#
    )
  }

  @Test func `Apple's grant is revoked before the account is deleted`() async throws {
    let bench = try FirebaseBench(json(200, "{}"), json(200, "{}"))
    try await bench.provider.deleteAccount(of: session, attributes: ["appleAuthorizationCode": Secret("c")])
    #expect(
      bench.sent == [
        #"/v2/accounts:revokeToken {"idToken":"id-1","providerId":"apple.com","token":"c","tokenType":"3"}"#,
        #"/v1/accounts:delete {"idToken":"id-1"}"#,
      ])
  }

  @Test func `a deletion asks for a fresh sign-in where Firebase does`() async throws {
    let bench = try FirebaseBench(refusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN"))
    #expect(await failure { try await bench.provider.deleteAccount(of: session) } == .recentSignInRequired)
  }
}
