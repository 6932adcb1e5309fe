import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

/// The meaning of each of Auth0's codes, by the request.
@Suite struct Auth0RefusalTests {
  typealias Row = (error: String, description: String, code: AuthenticationError)

  static let anywhere: [Row] = [
    ("expired_token", "mfa_token is expired", .signInExpired), ("invalid_grant", "Malformed mfa_token", .signInExpired),
    ("too_many_attempts", "canary", .rateLimited), ("too_many_requests", "canary", .rateLimited),
    ("unauthorized", "user is blocked", .userDisabled), ("unauthorized", "canary", .declined),
    ("access_denied", "canary", .declined), ("password_leaked", "canary", .declined),
    ("requires_verification", "canary", .notVerified),
    ("login_required", "canary", .insufficientUserAuthentication),
    ("interaction_required", "canary", .insufficientUserAuthentication),
    ("consent_required", "canary", .insufficientUserAuthentication),
    ("invalid_client", "canary", .clientRejected),
    ("unauthorized_client", "Grant type 'x' not allowed for the client.", .clientRejected),
    ("invalid_request", "canary", .clientRejected), ("bad.connection", "canary", .clientRejected),
    ("bad.email", "canary", .invalidRequest), ("bad.phone_number", "canary", .invalidRequest),
    ("never_heard_of", "canary", .unexpectedResponse),
  ]

  static let password: [Row] = [
    ("invalid_grant", "Wrong email or password.", .invalidCredentials),
    ("invalid_user_password", "canary", .invalidCredentials),
  ]

  // "do not trust the status": 401 and 403 mean the same.
  @Test(arguments: password + anywhere, [400, 401, 403])
  func `a refusal of a password is told by its code, and none of its text`(row: Row, status: Int) async throws {
    let bench = try Auth0.bench(["/oauth/token": [Auth0.error(row.error, row.description, status: status)]])
    let error = try #require(await bench.signInFailure(Auth0.password))
    #expect(error == row.code)
    #expect(error.providerCode == row.error)
    #expect(!texts(of: error).contains("canary") && !texts(of: error).contains("blocked"))
  }

  static let code: [Row] = [
    ("invalid_grant", "Wrong email or verification code.", .wrongCode),
    ("invalid_grant", "Wrong phone number or verification code.", .wrongCode),
    ("invalid_grant", "Wrong email or password.", .wrongCode), ("invalid_user_password", "canary", .wrongCode),
    ("invalid_grant", "Invalid otp_code.", .wrongCode), ("invalid_grant", "Invalid binding_code.", .wrongCode),
    ("a0.mfa_invalid_code", "canary", .wrongCode), ("invalid_grant", "MFA Authorization rejected.", .wrongCode),
  ]

  @Test(arguments: code + anywhere)
  func `a refusal of a code leaves the attempt open`(row: Row) async throws {
    let bench = try Auth0.bench([
      "/passwordless/start": [json(200, "{}")], "/oauth/token": [Auth0.error(row.error, row.description)],
    ])
    let challenge = try await bench.challenge(EmailCredentials(address: "ada@example.com"))
    let error = await bench.signInFailure(ChallengeAnswer(to: challenge, code: Secret("123456")))
    #expect(error == row.code)
  }

  @Test func `a rejected push is declined`() async throws {
    let bench = try Auth0.bench([
      "/oauth/token": [Auth0.mfaRequired, Auth0.error("invalid_grant", "MFA Authorization rejected.")],
      "/mfa/authenticators": [Auth0.authenticators(Auth0.push)],
      "/mfa/challenge": [json(200, #"{"challenge_type":"oob","oob_code":"oob-1"}"#)],
    ])
    let challenge = try await bench.challenge(Auth0.password)
    #expect(await bench.signInFailure(ChallengeAnswer(to: challenge, .approval)) == .declined)
  }

  @Test(arguments: [
    "Unknown or invalid refresh token.", "The refresh_token was generated for a user who doesn't exist anymore.",
    "any other",
  ]) func `invalid_grant ends a session, whatever its words`(description: String) async throws {
    let bench = try Auth0.bench(["/oauth/token": [Auth0.error("invalid_grant", description)]])
    #expect(await bench.refreshFailure() == .sessionRejected)
  }

  @Test(arguments: [
    Auth0.mfaRequired, Auth0.error("unauthorized", "user is blocked"), Auth0.error("unauthorized"),
    Auth0.error("too_many_attempts", status: 429), Auth0.error("invalid_grant", status: 429),
    Auth0.error("invalid_grant", status: 500), Auth0.error("login_required"), Auth0.error("invalid_client"),
    Auth0.error("unauthorized_client"), Auth0.error("invalid_request"), Auth0.error("expired_token"),
    Auth0.error("access_denied"), Auth0.error("password_leaked"), Auth0.error("never_heard_of"),
    json(400, "<html>invalid_grant", type: "text/html"), json(400, ""), json(400, #"{"error":7}"#), json(200, ""),
    json(200, "{}"), json(503, "{}"), json(200, String(repeating: "x", count: 10_000_000)),
  ])
  func `nothing else does`(answer: HTTPResponse) async throws {
    let bench = try Auth0.bench(["/oauth/token": [answer]])
    let error = try #require(await bench.refreshFailure())
    #expect(error.disposition != .endsSession)
  }

  @Test func `a refresh that asks for a factor keeps the session, and says so`() async throws {
    let bench = try Auth0.bench(["/oauth/token": [Auth0.mfaRequired]])
    let error = await bench.refreshFailure()
    #expect(error == .insufficientUserAuthentication)
    #expect(error?.providerCode == "mfa_required")
  }

  @Test(arguments: [
    (#"{"code":"invalid_signup","description":"canary"}"#, AuthenticationError.accountExists),
    (
      #"{"code":"invalid_password","name":"PasswordStrengthError","description":{"rules":[]},"policy":"canary"}"#,
      .weakPassword
    ),
    (#"{"code":"never_heard_of","description":"canary"}"#, .unexpectedResponse),
  ])
  func `a sign-up that is refused says why, in its own shape`(body: String, code: AuthenticationError) async throws {
    let bench = try Auth0.bench(["/dbconnections/signup": [json(400, body)]])
    let provider = bench.provider
    let error = try #require(await failure { try await provider.signUp(with: Auth0.password) })
    #expect(error == code)
    #expect(error.providerCode?.isEmpty == false)
    #expect(!texts(of: error).contains("canary"))
  }
}
