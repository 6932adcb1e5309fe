#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension SupabaseDialect {
  func answer(_ refusal: VendorRefusal, to request: VendorRequest) -> Answer {
    if let hint = refusal.members["hint"] {
      return .json(["message": JSONValue.string(refusal.code), "hint": hint], status: refusal.status)
    }
    let message = refusal.members["message"] ?? "A text that no adapter may show."
    let asked: LoopbackSupabase.ErrorShape =
      request.recorded.header("X-Supabase-Api-Version") == "2024-01-01" ? .current : .older
    let isOAuth = refusal.code.contains(" ")
    switch isOAuth ? .oauth : errorShape ?? asked {
    case .current:
      var body: [String: JSONValue] = ["code": .string(refusal.code), "message": message]
      body["weak_password"] = refusal.members["weak_password"]
      return Answer.json(body, status: refusal.status).adding("x-sb-error-code", refusal.code)
    case .older:
      var body: [String: JSONValue] = [
        "code": .number(Double(refusal.status)), "error_code": .string(refusal.code), "msg": message,
      ]
      body["weak_password"] = refusal.members["weak_password"]
      return .json(body, status: refusal.status)
    case .oauth:
      return .json(["error": JSONValue.string(refusal.code), "error_description": message], status: 400)
    case .headerOnly:
      return Answer.json(["message": message], status: refusal.status).adding("x-sb-error-code", refusal.code)
    }
  }

  func refusal(_ code: String) -> VendorRefusal { .supabase(code) }
}

extension VendorRefusal {
  /// With the status in which the service sends it.
  static func supabase(_ code: String, _ message: String? = nil) -> Self {
    Self(code: code, status: statuses[code] ?? 400, members: message.map { ["message": .string($0)] } ?? [:])
  }

  static func weak(_ reasons: [JSONValue]) -> Self {
    Self(
      code: "weak_password", status: 422,
      members: ["weak_password": ["message": "Too weak.", "reasons": .array(reasons)]])
  }

  private static let statuses: [String: Int] = {
    let grouped: [Int: [String]] = [
      401: ["no_authorization"],
      403: ["user_not_found", "bad_jwt", "otp_expired", "mfa_verification_rejected", "insufficient_aal"],
      404: ["flow_state_not_found", "sso_provider_not_found", "manual_linking_disabled", "passkey_disabled"],
      409: ["conflict"],
      422: [
        "mfa_verification_failed", "mfa_challenge_expired", "mfa_ip_address_mismatch", "mfa_factor_not_found",
        "user_already_exists", "email_exists", "phone_exists", "identity_already_exists", "same_password",
        "reauthentication_needed", "reauthentication_not_valid", "signup_disabled", "otp_disabled",
        "anonymous_provider_disabled", "feature_disabled", "too_many_passkeys", "mfa_factor_name_conflict",
        "mfa_totp_enroll_not_enabled", "mfa_phone_enroll_not_enabled", "flow_state_expired", "flow_state_already_used",
        "single_identity_not_deletable", "email_conflict_identity_not_deletable",
      ],
      429: ["over_request_rate_limit", "over_email_send_rate_limit", "over_sms_send_rate_limit"],
      500: ["unexpected_failure", "sms_send_failed"], 504: ["request_timeout", "hook_timeout"],
    ]
    return Dictionary(uniqueKeysWithValues: grouped.flatMap { status, codes in codes.map { ($0, status) } })
  }()
}
#endif
