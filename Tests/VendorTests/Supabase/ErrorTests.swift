import AuthenticationDomain
import AuthenticationKit
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// The meaning of each of the service's codes at a sign-in, in each of the shapes in which versions of it write errors.
@Suite(.timeLimit(.minutes(10))) struct ErrorTests {
  static let rows: [(String, AuthenticationError)] = [
    ("invalid_credentials", .invalidCredentials), ("user_banned", .userDisabled), ("user_not_found", .userDisabled),
    ("otp_expired", .wrongCode), ("mfa_verification_failed", .wrongCode), ("reauthentication_not_valid", .wrongCode),
    ("mfa_challenge_expired", .codeExpired), ("webauthn_challenge_expired", .codeExpired),
    ("webauthn_challenge_not_found", .codeExpired), ("mfa_ip_address_mismatch", .codeExpired),
    ("mfa_factor_not_found", .invalidRequest), ("webauthn_credential_not_found", .invalidRequest),
    ("mfa_verification_rejected", .declined), ("webauthn_verification_failed", .security),
    ("user_already_exists", .accountExists), ("email_exists", .accountExists), ("phone_exists", .accountExists),
    ("identity_already_exists", .alreadyLinked), ("webauthn_credential_exists", .alreadyLinked),
    ("weak_password", .weakPassword), ("same_password", .weakPassword), ("email_address_invalid", .invalidEmailAddress),
    ("reauthentication_needed", .recentSignInRequired), ("current_password_required", .recentSignInRequired),
    ("current_password_invalid", .invalidCredentials), ("insufficient_aal", .insufficientUserAuthentication),
    ("signup_disabled", .unsupportedMethod), ("otp_disabled", .unsupportedMethod),
    ("provider_disabled", .unsupportedMethod), ("email_provider_disabled", .unsupportedMethod),
    ("phone_provider_disabled", .unsupportedMethod), ("anonymous_provider_disabled", .unsupportedMethod),
    ("manual_linking_disabled", .unsupportedMethod), ("passkey_disabled", .unsupportedMethod),
    ("mfa_totp_enroll_not_enabled", .unsupportedMethod), ("mfa_totp_verify_not_enabled", .unsupportedMethod),
    ("mfa_phone_enroll_not_enabled", .unsupportedMethod), ("mfa_phone_verify_not_enabled", .unsupportedMethod),
    ("mfa_webauthn_enroll_not_enabled", .unsupportedMethod), ("mfa_webauthn_verify_not_enabled", .unsupportedMethod),
    ("feature_disabled", .unsupportedMethod), ("flow_state_not_found", .signInExpired),
    ("flow_state_expired", .signInExpired), ("flow_state_already_used", .signInExpired),
    ("bad_code_verifier", .security), ("bad_oauth_state", .security), ("captcha_failed", .captchaRequired),
    ("over_request_rate_limit", .rateLimited), ("over_email_send_rate_limit", .rateLimited),
    ("over_sms_send_rate_limit", .rateLimited), ("hook_timeout", .serverFailed),
    ("hook_timeout_after_retry", .serverFailed), ("request_timeout", .serverFailed), ("conflict", .serverFailed),
    ("unexpected_failure", .serverFailed), ("sms_send_failed", .serverFailed), ("validation_failed", .invalidRequest),
    ("session_not_found", .signInExpired), ("session_expired", .signInExpired),
    ("single_identity_not_deletable", .lastMethod), ("email_conflict_identity_not_deletable", .invalidRequest),
    ("provider_email_needs_verification", .declined),
  ]

  @Test(arguments: LoopbackSupabase.ErrorShape.allCases)
  func `every code means the same in each shape`(shape: LoopbackSupabase.ErrorShape) async throws {
    let bench = try await SupabaseBench()
    bench.loopback.errorShape = shape
    for (vendor, expected) in Self.rows {
      bench.loopback.traffic.set(.error(vendor), on: "token password")
      await #expect("\(vendor) in \(shape)") {
        try await bench.root.useCase.login(username: "ada@example.com", password: "x")
      } throws: {
        let error = $0 as? AuthenticationError
        return error == expected && error?.providerCode == vendor
          && !"\(String(reflecting: $0))".contains("no adapter may show")
      }
    }
  }

  @Test(arguments: ["email_not_confirmed", "phone_not_confirmed"])
  func `an address that is not confirmed is a step, and not a failure`(vendor: String) async throws {
    let bench = try await SupabaseBench()
    bench.loopback.traffic.set(.error(vendor), on: "token password")
    let attempt = try await bench.begin(.password, [.userName: "ada@example.com", .password: "x"])
    #expect(attempt.state.challenge?.kind == .confirmation)
  }

  @Test(
    arguments: [
      (.body(#"{"message":"No API key found in request"}"#, status: 401), .clientRejected),
      (.usual(.html), .unexpectedResponse), (.usual(.empty), .unexpectedResponse),
      (.usual(.truncatedJSON), .unexpectedResponse), (.usual(.huge()), .responseTooLarge),
      (.usual(.status(500)), .serverFailed), (.usual(.status(404)), .endpointMissing),
      (.body("{}"), .unexpectedResponse), (.body(#"{"user":{"id":"a"}}"#), .unexpectedResponse),
      (.body(#"{"access_token":"a","refresh_token":"r","user":{}}"#), .unexpectedResponse),
      (.body(#"{"access_token":"a","refresh_token":"r","user":{"id":7}}"#), .unexpectedResponse),
      (.body(#"{"access_token":"a\nb","refresh_token":"r","user":{"id":"a"}}"#), .unexpectedResponse),
      (.body(#"{"access_token":"a","user":{"id":"a"}}"#), .unexpectedResponse),
      (.body(#"{"access_token":"a","refresh_token":"r","token_type":"mac","user":{"id":"a"}}"#), .security),
      (
        .body(#"{"access_token":"\#(VendorToken.make(["sub": "b"]))","refresh_token":"r","user":{"id":"a"}}"#),
        .security
      ),
    ] as [(VendorFault, AuthenticationError)])
  func `a response that makes no sense signs no user in`(fault: VendorFault, expected: AuthenticationError) async throws
  {
    let bench = try await SupabaseBench()
    bench.addAda()
    bench.loopback.traffic.set(fault, on: "token password")
    let call = { try await bench.root.useCase.login(username: "ada@example.com", password: "correct horse") }
    #expect(await code(of: call) == expected)
    #expect(bench.root.currentUser == nil)
  }
}
