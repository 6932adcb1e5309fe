import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationCognito

/// The account services of a pool: the request of each, and the steps it asks for.
@Suite struct CognitoAccountTests {
  static let sent = amz(#"{"CodeDeliveryDetails":{"Destination":"a***@e***","AttributeName":"email"}}"#)

  @Test func `a forgotten password takes the code, then a new password`() async throws {
    let pool = ScriptedPool(
      ("ForgotPassword", Self.sent), ("ConfirmForgotPassword", amzError("CodeMismatchException")),
      ("ConfirmForgotPassword", amz("{}")))
    let provider = try pool.provider()
    let code = try #require(try await provider.resetPassword(of: "ada").challenge)
    #expect(code.kind == .confirmation)
    #expect(code.destination == "a***@e***")
    let wrong = try #require(
      try await provider.answer(.answer(to: code, code: Secret("000000")), for: nil).challenge)
    #expect(wrong.kind == .newPassword)
    #expect(!wrong.handle.reveal().contains("000000"))
    let refused = ChallengeAnswer(to: wrong, .newPassword(Secret("new")))
    #expect(await failure { try await provider.answer(refused, for: nil) } == .wrongCode)
    let back = try #require(
      try await provider.answer(ChallengeAnswer(to: wrong, .choice("code")), for: nil).challenge)
    #expect(back.kind == .confirmation)
    let right = try #require(
      try await provider.answer(.answer(to: back, code: Secret("123456")), for: nil).challenge)
    #expect(try await provider.answer(ChallengeAnswer(to: right, .newPassword(Secret("new"))), for: nil) == .done)
    #expect(
      pool.calls[2].body
        == ["ClientId": "client1", "Username": "ada", "ConfirmationCode": "123456", "Password": "new"])
  }

  @Test func `a code that is lost is asked for again, and another one can be sent`() async throws {
    let pool = ScriptedPool(("ForgotPassword", Self.sent), ("ForgotPassword", Self.sent))
    let code = try #require(try await pool.provider().resetPassword(of: "ada").challenge)
    let password = try #require(
      try await pool.provider().answer(.answer(to: code, code: Secret("123456")), for: nil).challenge)
    let relaunched = try pool.provider()
    let again = try await relaunched.answer(ChallengeAnswer(to: password, .newPassword(Secret("new"))), for: nil)
    #expect(again.challenge?.kind == .confirmation)
    #expect(try await relaunched.answer(ChallengeAnswer(to: code, .resend), for: nil).challenge?.kind == .confirmation)
  }

  @Test func `that there is no such account is not said`() async throws {
    let pool = ScriptedPool(("ForgotPassword", amzError("UserNotFoundException")))
    #expect(try await pool.provider().resetPassword(of: "unknown").challenge?.kind == .confirmation)
  }

  @Test func `a sign-in that must choose another password goes on with it`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", amzError("PasswordResetRequiredException")), ("ConfirmForgotPassword", amz("{}")),
      ("InitiateAuth", signedIn()))
    let provider = try pool.provider()
    let code = try #require(
      try await provider.signIn(with: .password(userName: "ada", password: Secret("old"))).challenge)
    let password = try #require(try await provider.signIn(with: .answer(to: code, code: Secret("123456"))).challenge)
    #expect(try await provider.signIn(with: ChallengeAnswer(to: password, .newPassword(Secret("new")))).session != nil)
  }

  @Test func `a password is changed with the old one`() async throws {
    let pool = ScriptedPool(
      ("ChangePassword", amz("{}")), ("ChangePassword", amzError("InvalidPasswordException")),
      ("ChangePassword", amzError("NotAuthorizedException", "Incorrect username or password.")),
      ("ChangePassword", amzError("NotAuthorizedException", "Access Token has expired")))
    let provider = try pool.provider()
    let session = try AuthSession.cognito()
    #expect(try await provider.changePassword(from: Secret("old"), to: Secret("new"), of: session) == .done)
    #expect(
      pool.calls[0].body
        == ["AccessToken": "canary-access", "PreviousPassword": "old", "ProposedPassword": "new"])
    for code in [AuthenticationError.weakPassword, .invalidCredentials, .accessTokenRefused] {
      let error = await failure { try await provider.changePassword(from: Secret("a"), to: Secret("b"), of: session) }
      #expect(error == code)
    }
  }

  @Test func `an address is changed and verified by a code, one that stays only verified`() async throws {
    let pool = ScriptedPool(
      (
        "UpdateUserAttributes",
        amz(#"{"CodeDeliveryDetailsList":[{"Destination":"+*42","AttributeName":"phone_number"}]}"#)
      ),
      ("GetUserAttributeVerificationCode", Self.sent), ("VerifyUserAttribute", amz("{}")),
      ("GetUserAttributeVerificationCode", Self.sent), ("UpdateUserAttributes", amz("{}")))
    let provider = try pool.provider()
    let session = try AuthSession.cognito()
    let challenge = try #require(try await provider.verify(.phone("+491701234567"), of: session).challenge)
    #expect(challenge.destination == "+*42")
    #expect(pool.calls[0].body["UserAttributes"] == [["Name": "phone_number", "Value": "+491701234567"]])
    let resent = try #require(
      try await provider.answer(ChallengeAnswer(to: challenge, .resend), for: session).challenge)
    #expect(try await provider.answer(.answer(to: resent, code: Secret("123456")), for: session) == .done)
    #expect(
      pool.calls[2].body == ["AccessToken": "canary-access", "AttributeName": "phone_number", "Code": "123456"])
    #expect(try await provider.verify(.email("ada@example.org"), of: session).challenge != nil)
    #expect(pool.calls[3].body["AttributeName"] == "email")
    #expect(try await provider.verify(.email("other@example.org"), of: session) == .done)
    #expect(
      await failure { try await provider.answer(ChallengeAnswer(to: resent, .resend), for: nil) } == .notSignedIn)
  }

  @Test func `a profile is read and changed`() async throws {
    let account = amz(
      #"{"Username":"name-1","UserAttributes":[{"Name":"sub","Value":"sub-1"},{"Name":"email","Value":"ada@example.org"},{"Name":"email_verified","Value":"false"},{"Name":"custom:team","Value":"7"}]}"#
    )
    let pool = ScriptedPool(("UpdateUserAttributes", amz("{}")), ("GetUser", account), ("GetUser", amz("{}")))
    let provider = try pool.provider()
    let changes = ProfileChanges(name: "Ada", claims: ["custom:team": "7", "number": 7])
    let user = try await provider.update(changes, of: .cognito())
    #expect(
      pool.calls[0].body["UserAttributes"]
        == [["Name": "custom:team", "Value": "7"], ["Name": "name", "Value": "Ada"]])
    #expect(user.id == "sub-1")
    #expect(user.isEmailVerified == false)
    #expect(user.claims == ["custom:team": "7", "cognito:username": "name-1"])
    #expect(await failure { try await provider.user(of: .cognito()) } == .unexpectedResponse)
  }

  @Test func `an account is deleted`() async throws {
    let pool = ScriptedPool(("DeleteUser", amz("")))
    try await pool.provider().deleteAccount(of: .cognito())
    #expect(pool.calls[0].body == ["AccessToken": "canary-access"])
  }

  @Test func `factors are listed, added and removed`() async throws {
    let pool = ScriptedPool(
      ("GetUser", amz(#"{"UserMFASettingList":["SOFTWARE_TOKEN_MFA","UNKNOWN"]}"#)),
      (
        "ListWebAuthnCredentials",
        amz(#"{"Credentials":[{"CredentialId":"p-1","FriendlyCredentialName":"Phone","CreatedAt":1700000000}]}"#)
      ), ("SetUserMFAPreference", amz("{}")), ("DeleteWebAuthnCredential", amz("{}")),
      ("SetUserMFAPreference", amz("{}")), ("GetUser", amz("{}")),
      ("ListWebAuthnCredentials", amzError("WebAuthnNotEnabledException")))
    let provider = try pool.provider()
    let session = try AuthSession.cognito()
    let factors = try await provider.factors(of: session)
    #expect(factors.map(\.kind) == [.oneTimePassword, .passkey])
    #expect(factors.map(\.label) == [nil, "Phone"])
    for factor in factors { try await provider.remove(factor, of: session) }
    #expect(pool.calls[2].body["SoftwareTokenMfaSettings"] == ["Enabled": false, "PreferredMfa": false])
    #expect(pool.calls[3].body["CredentialId"] == "p-1")
    #expect(try await provider.enrol(.smsCode, for: session) == .done)
    #expect(pool.calls[4].body["SMSMfaSettings"] == ["Enabled": true, "PreferredMfa": true])
    #expect(try await provider.factors(of: session) == [])
    #expect(await failure { try await provider.enrol(.approval, for: session) } == .invalidRequest)
  }

  @Test func `an authenticator app is enrolled by its first code`() async throws {
    let pool = ScriptedPool(
      ("AssociateSoftwareToken", amz(#"{"SecretCode":"JBSWY3DP"}"#)),
      ("VerifySoftwareToken", amz(#"{"Status":"ERROR"}"#)), ("VerifySoftwareToken", amz(#"{"Status":"SUCCESS"}"#)),
      ("SetUserMFAPreference", amz("{}")))
    let provider = try pool.provider()
    let session = try AuthSession.cognito()
    let challenge = try #require(try await provider.enrol(.oneTimePassword, for: session).challenge)
    #expect(challenge.kind == .enrolment)
    #expect(challenge.enrolment?.secret == Secret("JBSWY3DP"))
    let answer = ChallengeAnswer(to: challenge, code: Secret("123456"))
    #expect(await failure { try await provider.answer(answer, for: session) } == .wrongCode)
    #expect(try await provider.answer(answer, for: session) == .done)
    #expect(pool.calls[2].body == ["AccessToken": "canary-access", "UserCode": "123456"])
    #expect(pool.calls[3].body["SoftwareTokenMfaSettings"] == ["Enabled": true, "PreferredMfa": true])
  }

  @Test func `a passkey is registered with the options of the pool`() async throws {
    let pool = ScriptedPool(
      ("StartWebAuthnRegistration", amz(#"{"CredentialCreationOptions":{"challenge":"AAAA"}}"#)),
      ("CompleteWebAuthnRegistration", amz("{}")), ("StartWebAuthnRegistration", amz("{}")))
    let provider = try pool.provider()
    let session = try AuthSession.cognito()
    let challenge = try #require(try await provider.enrol(.passkey, for: session).challenge)
    #expect(challenge.kind == .passkeyRegistration)
    #expect(challenge.passkeyRequest == Secret(#"{"challenge":"AAAA"}"#))
    let answer = ChallengeAnswer(to: challenge, .passkey(Secret(#"{"id":"x","response":{}}"#)))
    #expect(try await provider.answer(answer, for: session) == .done)
    #expect(pool.calls[1].body["Credential"] == ["id": "x", "response": [:]])
    #expect(await failure { try await provider.enrol(.passkey, for: session) } == .unexpectedResponse)
  }
}
