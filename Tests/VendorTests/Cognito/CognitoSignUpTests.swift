import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationCognito

/// New accounts, and the code that confirms them.
@Suite struct CognitoSignUpTests {
  static let unconfirmed = amz(
    #"{"UserConfirmed":false,"UserSub":"sub-1","CodeDeliveryDetails":{"Destination":"a***@e***","DeliveryMedium":"EMAIL","AttributeName":"email"}}"#
  )
  static let credentials = PasswordCredentials(userName: "ada", password: Secret("canary-pass"))

  @Test func `an account is created with the attributes that the app supplies, then confirmed, then signed in to`()
    async throws
  {
    let pool = ScriptedPool(
      ("SignUp", Self.unconfirmed), ("ResendConfirmationCode", Self.unconfirmed),
      ("ConfirmSignUp", amzError("CodeMismatchException")), ("ConfirmSignUp", amz("{}")), ("InitiateAuth", signedIn()))
    let provider = try pool.provider()
    let attributes = ["userAttributes.email": Secret("ada@example.org"), "captcha": Secret("c-1")]
    let challenge = try await provider.signUp(with: Self.credentials, attributes: attributes).challenge
    let first = try #require(challenge)
    #expect(first.kind == .confirmation)
    #expect(first.destination == "a***@e***")
    #expect(!first.handle.reveal().contains("canary"))
    #expect(pool.calls[0].body["UserAttributes"] == [["Name": "email", "Value": "ada@example.org"]])
    #expect(pool.calls[0].body["ClientMetadata"] == ["captcha": "c-1"])
    #expect(pool.calls[0].body["Password"] == "canary-pass")
    let second = try #require(try await provider.signIn(with: ChallengeAnswer(to: first, .resend)).challenge)
    let answer = ChallengeAnswer(to: second, code: Secret("123456"))
    #expect(await failure { try await provider.signIn(with: answer) } == .wrongCode)
    #expect(try await provider.signIn(with: answer).session?.user.id == "sub-1")
    #expect(pool.calls[3].body == ["ClientId": "client1", "Username": "ada", "ConfirmationCode": "123456"])
    #expect(pool.calls[4].body["AuthFlow"] == "USER_SRP_AUTH")
  }

  @Test func `an account that needs no confirmation is signed in to at once`() async throws {
    let pool = ScriptedPool(("SignUp", amz(#"{"UserConfirmed":true}"#)), ("InitiateAuth", signedIn()))
    #expect(try await pool.provider().signUp(with: Self.credentials).session != nil)
  }

  @Test func `a session of the confirmation signs in`() async throws {
    let pool = ScriptedPool(
      ("SignUp", amz(#"{"UserConfirmed":false,"Session":"session-1"}"#)),
      ("ConfirmSignUp", amz(#"{"Session":"session-2"}"#)), ("InitiateAuth", signedIn()))
    let provider = try pool.provider()
    let challenge = try #require(try await provider.signUp(with: .emailCode("ada@example.org")).challenge)
    _ = try await provider.signIn(with: .answer(to: challenge, code: Secret("123456")))
    #expect(pool.calls[0].body["Password"] == nil)
    #expect(pool.calls[0].body["UserAttributes"] == [["Name": "email", "Value": "ada@example.org"]])
    #expect(pool.calls[1].body["Session"] == "session-1")
    #expect(pool.calls[2].body["AuthFlow"] == "USER_AUTH")
    #expect(pool.calls[2].body["Session"] == "session-2")
  }

  @Test func `after a relaunch the password is asked for`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", amzError("UserNotConfirmedException")), ("ConfirmSignUp", amz("{}")),
      ("InitiateAuth", signedIn()))
    let challenge = try #require(try await pool.provider().signIn(with: Self.credentials).challenge)
    #expect(challenge.kind == .confirmation)
    #expect(challenge.resendDelay == .zero)
    let relaunched = try pool.provider()
    let password = try #require(
      try await relaunched.signIn(with: .answer(to: challenge, code: Secret("123456"))).challenge)
    #expect(password.kind == .password)
    #expect(
      try await relaunched.signIn(with: ChallengeAnswer(to: password, .newPassword(Secret("canary-pass")))).session
        != nil)
  }

  @Test func `a password is forgotten when a sign-in has ended`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", amzError("UserNotConfirmedException")), ("ConfirmSignUp", amz("{}")))
    let provider = try pool.provider()
    let challenge = try #require(try await provider.signIn(with: Self.credentials).challenge)
    provider.forgetBegunSignIns()
    let asked = try await provider.signIn(with: .answer(to: challenge, code: Secret("123456"))).challenge
    #expect(asked?.kind == .password)
  }

  @Test(arguments: [
    ("UsernameExistsException", AuthenticationError.accountExists), ("InvalidPasswordException", .weakPassword),
    ("UserLambdaValidationException", .declined),
  ]) func `a refusal says why`(type: String, code: AuthenticationError) async throws {
    let pool = ScriptedPool(("SignUp", amzError(type)))
    #expect(await failure { try await pool.provider().signUp(with: Self.credentials) } == code)
  }
}
