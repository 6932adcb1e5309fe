import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct LoopbackFirebaseTests {
  static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

  // RFC 6238 appendix B, the last six digits; the secret is "12345678901234567890".
  @Test(
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (2_000_000_000, "279037"),
    ] as [(Double, String)])
  func `codes of an authenticator app are those of the standard`(time: Double, code: String) {
    let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    #expect(OneTimePassword.code(secret: secret, at: Date(timeIntervalSince1970: time)) == code)
  }

  @Test func `a sign-in gives tokens with a lifetime in a text`() async throws {
    let client = try await FirebaseClient()
    let id = client.addAda()
    let answer = try await client.signIn()
    #expect(answer["localId"] == id && answer["expiresIn"] == "3600" && answer.values["registered"] == true)
    let claims = try #require(JSONMembers(unverified: Secret(answer.required("idToken"))))
    #expect(claims["sub"] == id && claims.members("firebase")?["sign_in_provider"] == "password")
    #expect(try await client.signIn("wrong").refusal == "INVALID_LOGIN_CREDENTIALS")
  }

  @Test func `a body that the operation does not take is refused`() async throws {
    let client = try await FirebaseClient()
    let path = "identitytoolkit.googleapis.com/v1/accounts:signUp"
    for body in [["returnSecureToken": "true"], ["returnSecureToken": true, "mail": "x"], [:]] as [[String: JSONValue]]
    {
      let answer = try await client.post(path, body)
      #expect(answer.members("error")?["status"] == "INVALID_ARGUMENT")
    }
    #expect(try await client.post(path, ["returnSecureToken": true], key: "x").refusal?.contains("key") == true)
    let form = try await client.send(path, Data("{}".utf8), type: "text/plain", key: "api-key")
    #expect(form.members("error")?["status"] == "INVALID_ARGUMENT")
  }

  @Test func `an anonymous account is upgraded and keeps its id`() async throws {
    let client = try await FirebaseClient()
    let anonymous = try await client.accounts("signUp", ["returnSecureToken": true])
    let upgraded = try await client.accounts(
      "signUp",
      [
        "idToken": anonymous.text("idToken"), "email": "ada@example.com", "password": "correct horse",
        "returnSecureToken": true,
      ])
    #expect(upgraded["localId"] == anonymous["localId"])
    #expect(try await client.refresh(anonymous.required("refreshToken")).refusal == "TOKEN_EXPIRED")
  }

  @Test func `a new password ends the tokens from before, and gives new ones`() async throws {
    let client = try await FirebaseClient()
    client.addAda()
    let old = try await client.signIn()
    let changed = try await client.accounts(
      "update", ["idToken": old.text("idToken"), "password": "battery staple", "returnSecureToken": true])
    #expect(try await client.refresh(old.required("refreshToken")).refusal == "TOKEN_EXPIRED")
    let refreshed = try await client.refresh(changed.required("refreshToken"))
    #expect(refreshed["expires_in"] == "3600" && refreshed["access_token"] == refreshed["id_token"])
    #expect(
      try await client.accounts("lookup", ["idToken": refreshed.text("id_token")]).list("users").first?["email"]
        == "ada@example.com")
  }

  @Test func `a session ends with its account`() async throws {
    let client = try await FirebaseClient()
    let id = client.addAda()
    let token = try await client.signIn().required("refreshToken")
    client.firebase.setDisabled(true, account: id)
    #expect(try await client.refresh(token).refusal == "USER_DISABLED")
    client.firebase.deleteAccount(id)
    #expect(try await client.refresh(token).refusal == "USER_NOT_FOUND")
    #expect(try await client.refresh("unknown").refusal == "INVALID_REFRESH_TOKEN")
  }

  @Test func `a link by e-mail signs in once, with its address`() async throws {
    let client = try await FirebaseClient()
    _ = try await client.accounts(
      "sendOobCode",
      [
        "requestType": "EMAIL_SIGNIN", "email": "grace@example.com", "canHandleCodeInApp": true,
        "continueUrl": "https://app.example.com/sign-in",
      ])
    let code = JSONValue.string(try #require(client.firebase.mails.last).oobCode)
    let wrong = try await client.accounts("signInWithEmailLink", ["email": "eve@example.com", "oobCode": code])
    #expect(wrong.refusal?.hasPrefix("INVALID_EMAIL") == true)
    let body: [String: JSONValue] = ["email": "grace@example.com", "oobCode": code]
    #expect(try await client.accounts("signInWithEmailLink", body).values["isNewUser"] == true)
    #expect(try await client.accounts("signInWithEmailLink", body).refusal == "INVALID_OOB_CODE")
  }

  @Test func `a code by text message signs in, and expires`() async throws {
    let client = try await FirebaseClient()
    let asked: [String: JSONValue] = ["phoneNumber": "+491701234567", "recaptchaToken": "solved"]
    let session = try await client.accounts("sendVerificationCode", asked).text("sessionInfo")
    let code = JSONValue.string(try #require(client.firebase.messages.last).code)
    #expect(
      try await client.accounts("signInWithPhoneNumber", ["sessionInfo": session, "code": "x"]).refusal
        == "INVALID_CODE")
    client.clock.advance(by: .seconds(301))
    let body = ["sessionInfo": session, "code": code]
    #expect(try await client.accounts("signInWithPhoneNumber", body).refusal == "SESSION_EXPIRED")
    #expect(
      try await client.accounts("sendVerificationCode", ["phoneNumber": "+491701234567"]).refusal
        == "MISSING_CLIENT_IDENTIFIER")
  }

  @Test func `a second factor comes after the first, and its tokens alone`() async throws {
    let client = try await FirebaseClient()
    client.addAda(factorSecret: Self.secret)
    let first = try await client.signIn()
    #expect(first["idToken"] == nil)
    let factor = try #require(first.list("mfaInfo").first)
    let code = OneTimePassword.code(secret: Self.secret, at: client.clock.now)
    let body: [String: JSONValue] = [
      "mfaPendingCredential": try first.text("mfaPendingCredential"),
      "mfaEnrollmentId": try factor.text("mfaEnrollmentId"),
      "totpVerificationInfo": ["verificationCode": .string(code)],
    ]
    let tokens = try await client.factors("mfaSignIn:finalize", body)
    #expect(Set(tokens.values.keys) == ["idToken", "refreshToken"])
    #expect(try await client.factors("mfaSignIn:finalize", body).refusal == "INVALID_MFA_PENDING_CREDENTIAL")
  }

  @Test func `a second factor is enrolled soon after a sign-in`() async throws {
    let client = try await FirebaseClient()
    client.addAda()
    let token = try await client.signIn().text("idToken")
    let begun = try await client.factors("mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
    let info = try #require(begun.members("totpSessionInfo"))
    let code = OneTimePassword.code(secret: try info.required("sharedSecretKey"), at: client.clock.now)
    let verification: JSONValue = ["sessionInfo": try info.text("sessionInfo"), "verificationCode": .string(code)]
    let enrolled = try await client.factors(
      "mfaEnrollment:finalize", ["idToken": token, "totpVerificationInfo": verification])
    #expect(enrolled["idToken"] != nil)
    client.clock.advance(by: .seconds(301))
    let late = try await client.factors(
      "mfaEnrollment:start", ["idToken": enrolled.text("idToken"), "totpEnrollmentInfo": [:]])
    #expect(late.refusal == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
  }

  @Test func `an identity of another account is not linked, which arrives as a success`() async throws {
    let client = try await FirebaseClient()
    let token = VendorToken.make(["sub": "google-1", "email": "ada@example.com"])
    var body: [String: JSONValue] = [
      "requestUri": "http://localhost", "postBody": .string("providerId=google.com&id_token=\(token)"),
      "returnSecureToken": true, "returnIdpCredential": true, "autoCreate": true,
    ]
    let first = try await client.accounts("signInWithIdp", body)
    #expect(first.values["isNewUser"] == true && first["rawUserInfo"]?.contains("google-1") == true)
    body["idToken"] = try await client.accounts("signUp", ["returnSecureToken": true]).text("idToken")
    let second = try await client.accounts("signInWithIdp", body)
    #expect(second["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED" && second["idToken"] == nil)
  }

  @Test func `an operation misbehaves as it is told to`() async throws {
    let client = try await FirebaseClient()
    client.addAda()
    client.firebase.traffic.set(.error("BLOCKING_FUNCTION_ERROR_RESPONSE : No."), on: "signInWithPassword", times: 1)
    #expect(try await client.signIn().refusal == "BLOCKING_FUNCTION_ERROR_RESPONSE : No.")
    #expect(try await client.signIn()["idToken"] != nil)
    let request = try #require(client.firebase.traffic.requests(on: "signInWithPassword").first)
    #expect(!"\(request)".contains("correct horse"))
  }
}
