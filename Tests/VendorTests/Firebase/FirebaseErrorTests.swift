import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationFirebase

/// The meaning of each code, by the kind of request.
@Suite struct FirebaseErrorTests {
  static let signIn: [(String, AuthenticationError)] = [
    ("EMAIL_NOT_FOUND", .invalidCredentials), ("INVALID_PASSWORD", .invalidCredentials),
    ("INVALID_LOGIN_CREDENTIALS", .invalidCredentials), ("USER_NOT_FOUND", .invalidCredentials),
    ("USER_DISABLED", .userDisabled), ("EMAIL_EXISTS", .accountExists), ("PHONE_NUMBER_EXISTS", .accountExists),
    ("CREDENTIAL_MISMATCH", .accountExists), ("FEDERATED_USER_ID_ALREADY_LINKED", .alreadyLinked),
    ("WEAK_PASSWORD : canary", .weakPassword), ("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : canary", .weakPassword),
    ("MISSING_PASSWORD", .emptyPassword), ("INVALID_EMAIL", .invalidEmailAddress),
    ("INVALID_PHONE_NUMBER : canary", .invalidPhoneNumber), ("OPERATION_NOT_ALLOWED : canary", .unsupportedMethod),
    ("PASSWORD_LOGIN_DISABLED", .unsupportedMethod), ("ADMIN_ONLY_OPERATION", .unsupportedMethod),
    ("INVALID_CODE", .wrongCode), ("INVALID_OOB_CODE", .wrongCode), ("EXPIRED_OOB_CODE", .signInExpired),
    ("SESSION_EXPIRED", .signInExpired), ("INVALID_SESSION_INFO", .signInExpired),
    ("INVALID_MFA_PENDING_CREDENTIAL", .signInExpired), ("MISSING_OR_INVALID_NONCE : canary", .security),
    ("INVALID_IDP_RESPONSE : canary", .security), ("INVALID_CUSTOM_TOKEN", .security),
    ("TOO_MANY_ATTEMPTS_TRY_LATER : canary", .rateLimited), ("QUOTA_EXCEEDED", .rateLimited),
    ("CAPTCHA_CHECK_FAILED", .captchaRequired), ("MISSING_RECAPTCHA_TOKEN", .captchaRequired),
    ("INVALID_APP_CREDENTIAL", .captchaRequired), ("BLOCKING_FUNCTION_ERROR_RESPONSE : canary", .declined),
    ("UNVERIFIED_EMAIL", .notVerified), ("INVALID_TENANT_ID", .clientRejected),
  ]

  @Test(arguments: signIn) func `a code of a sign-in is told, and none of its text`(
    message: String, code: AuthenticationError
  ) async throws {
    let bench = try FirebaseBench(refusal(message))
    let error = try #require(await failure { try await bench.provider.signIn(with: password) })
    #expect(error == code)
    #expect(error.providerCode == message.split(separator: " ").first.map(String.init))
    var dumped = ""
    dump(error, to: &dumped)
    #expect(!"\(error) \(dumped)".contains("canary"))
  }

  @Test(arguments: [
    ("TOKEN_EXPIRED", AuthenticationError.sessionRejected), ("USER_NOT_FOUND", .sessionRejected),
    ("INVALID_REFRESH_TOKEN", .sessionRejected), ("USER_DISABLED", .userDisabled),
  ])
  func `the token service ends a session`(message: String, code: AuthenticationError) async throws {
    let bench = try FirebaseBench(refusal(message))
    let error = await failure { try await bench.provider.refresh(.sample(receivedAt: bench.clock.now)) }
    #expect(error == code)
    #expect(error?.disposition == .endsSession)
  }

  @Test(arguments: [
    refusal("MISSING_REFRESH_TOKEN"), refusal("INVALID_GRANT_TYPE"), refusal("PROJECT_NUMBER_MISMATCH"),
    refusal("INVALID_TENANT_ID"), refusal("SESSION_EXPIRED"), refusal("EMAIL_NOT_FOUND"), refusal("NEVER_HEARD_OF"),
    refusal("API key not valid. Please pass a valid API key."), refusal("QUOTA_EXCEEDED : x"),
    refusal("TOKEN_EXPIRED", status: 500), refusal("TOKEN_EXPIRED", status: 500).withoutJSON, json(400, ""),
    json(400, "<html>TOKEN_EXPIRED"),
    json(400, #"{"error":"TOKEN_EXPIRED"}"#), json(400, #"{"error":{"message":7}}"#), json(503, "{}"), json(429, "{}"),
    json(200, ""), json(200, #"{"access_token":7}"#), json(200, String(repeating: "x", count: 10_000_000)),
  ])
  func `nothing else does`(answer: HTTPResponse) async throws {
    let bench = try FirebaseBench(answer)
    let error = await failure { try await bench.provider.refresh(.sample(receivedAt: bench.clock.now)) }
    #expect(try #require(error).disposition != .endsSession)
  }

  @Test func `a key that is not valid is the app's fault`() async throws {
    let body =
      #"{"error":{"code":400,"message":"API key not valid.","errors":[{"reason":"keyInvalid"}],"status":"INVALID_ARGUMENT"}}"#
    let bench = try FirebaseBench(json(400, body))
    #expect(await failure { try await bench.provider.signIn(with: password) } == .clientRejected)
    let restricted = try FirebaseBench(
      json(403, #"{"error":{"code":403,"message":"x y","status":"PERMISSION_DENIED"}}"#))
    #expect(await failure { try await restricted.provider.signIn(with: password) } == .clientRejected)
  }

  @Test func `an unknown code is reported beside a status, and blames no input`() async throws {
    let bench = try FirebaseBench(
      json(400, #"{"error":{"code":400,"message":"NEVER_HEARD_OF : canary","status":"INVALID_ARGUMENT"}}"#))
    let error = await failure { try await bench.provider.signIn(with: password) }
    #expect(error == .unexpectedResponse)
    #expect(error?.providerCode == "NEVER_HEARD_OF")
  }

  @Test func `a sentence in place of a code is not told`() async throws {
    let bench = try FirebaseBench(refusal("Ask canary about it"))
    let error = await failure { try await bench.provider.signIn(with: password) }
    #expect(error == .unexpectedResponse)
    #expect(error?.providerCode == nil)
  }

  @Test(arguments: ["INVALID_ID_TOKEN", "TOKEN_EXPIRED", "USER_NOT_FOUND"])
  func `an ID token that is refused elsewhere is refreshed first`(message: String) async throws {
    let bench = try FirebaseBench(refusal(message))
    let error = await failure { try await bench.provider.user(of: .sample(receivedAt: bench.clock.now)) }
    #expect(error == .accessTokenRefused)
  }

  @Test func `an unknown code keeps the session, and is reported`() async throws {
    let bench = try FirebaseBench(refusal("NEVER_HEARD_OF : canary"))
    let error = await failure { try await bench.provider.signIn(with: password) }
    #expect(error == .unexpectedResponse)
    #expect(error?.providerCode == "NEVER_HEARD_OF")
  }
}

extension HTTPResponse {
  fileprivate var withoutJSON: HTTPResponse { HTTPResponse(status: status, body: body) }
}
