import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import Foundation

/// Requests below `/auth/v1`, with the headers that all of them have.
struct SupabaseClient: Sendable {
  let project: SupabaseProject
  let service: ServiceURL
  let http: any HTTPClient
  let clock: any AuthenticationClock

  /// - Parameters:
  ///   - token: whose session it is about; nil for the project's own key.
  ///   - errors: the meaning of a refusal's codes here.
  func send(
    _ method: HTTPMethod, _ path: String, query: [String: String] = [:], as token: Secret? = nil,
    _ body: JSONBody? = nil, errors: SupabaseErrors = .attempt
  ) async throws(AuthenticationError) -> HTTPResponse {
    var request = try service.request(
      method, "auth/v1/\(path)", query: query,
      headers: ["apikey": project.anonKey, "X-Supabase-Api-Version": "2024-01-01"], body)
    // A key of this form is no JWT: it is refused as one.
    if let bearer = token?.reveal() ?? (project.anonKey.hasPrefix("sb_") ? nil : project.anonKey) {
      request.headers["Authorization"] = "Bearer \(bearer)"
    }
    if path == "reauthenticate" { request.isIdempotent = false }
    let response = try await http.send(request)
    guard response.isSuccess else { throw SupabaseErrorResponseMapper.map(response, errors, now: clock.now) }
    return response
  }

  /// A call whose response is a session.
  func session(
    _ path: String, query: [String: String] = [:], as token: Secret? = nil, _ body: JSONBody, isNew: Bool = false,
    errors: SupabaseErrors = .attempt
  ) async throws(AuthenticationError) -> SupabaseSession {
    let response = try await send(.post, path, query: query, as: token, body, errors: errors)
    return try SupabaseSessionResponseMapper.map(response, isNew: isNew, receivedAt: clock.now)
  }
}

/// The meaning of GoTrue's error codes, by the kind of call. A code that is not listed keeps the session, and has the
/// meaning of the HTTP status.
struct SupabaseErrors: Sendable {
  let table: [String: AuthenticationError]

  /// During an attempt, for users without a session.
  static let attempt = Self(table: common)
  /// With the tokens of an attempt that waits for a second factor.
  static let factor = Self(
    table: common.adding([
      .codeExpired: ["mfa_factor_not_found"], .signInExpired: ["bad_jwt", "no_authorization", "session_not_found"],
    ]))
  /// With the access token of the signed-in user: only the token endpoint says that a session has ended.
  static let account = Self(
    table: common.adding([
      .accessTokenRefused: [
        "bad_jwt", "no_authorization", "session_not_found", "session_expired", "user_not_found", "user_banned",
      ]
    ]))
  /// The same, for the answer to a factor's challenge.
  static let accountFactor = Self(table: account.table.adding([.codeExpired: ["mfa_factor_not_found"]]))
  /// The same, for adding a way to sign in.
  static let linking = Self(table: account.table.adding([.alreadyLinked: ["email_exists", "phone_exists"]]))
  /// Of our own refresh token: these alone end a session. The store was read again before it was sent, and is read
  /// again before a session ends.
  static let refresh = Self(
    table: common.adding([
      .sessionRejected: [
        "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired",
        "user_not_found", "validation_failed",
      ], .userDisabled: ["user_banned"],
    ]))

  /// The same, where a signature is verified: the service has no distinct code for one that it refuses, and sends 500.
  var ofSignature: Self { Self(table: table.adding([.signatureRefused: ["unexpected_failure"]])) }

  private static let common: [String: AuthenticationError] = [:].adding([
    .invalidCredentials: ["invalid_credentials", "current_password_invalid"],
    .userDisabled: ["user_banned", "user_not_found"],
    .notConfirmed: ["email_not_confirmed", "phone_not_confirmed", "provider_email_needs_verification"],
    // otp_expired: wrong, used and expired alike.
    .wrongCode: ["otp_expired", "mfa_verification_failed", "reauthentication_not_valid"],
    .codeExpired: [
      "mfa_challenge_expired", "webauthn_challenge_expired", "webauthn_challenge_not_found", "mfa_ip_address_mismatch",
    ],
    .refusedRequest: [
      "mfa_factor_not_found", "webauthn_credential_not_found", "validation_failed", "invalid request",
      "email_conflict_identity_not_deletable", "mfa_factor_name_conflict",
    ],
    .declined: ["mfa_verification_rejected"],
    .accountExists: ["user_already_exists", "email_exists", "phone_exists"],
    .alreadyLinked: ["identity_already_exists", "webauthn_credential_exists"],
    .lastMethod: ["single_identity_not_deletable"], .weakPassword: ["weak_password"],
    .weakPassword.with(\.passwordRules, ["different"]): ["same_password"],
    .invalidEmailAddress: ["email_address_invalid"],
    .recentSignInRequired: ["reauthentication_needed", "current_password_required"],
    .secondFactorRequired: ["insufficient_aal"],
    .turnedOff: [
      "signup_disabled", "otp_disabled", "provider_disabled", "email_provider_disabled", "phone_provider_disabled",
      "anonymous_provider_disabled", "manual_linking_disabled", "passkey_disabled", "feature_disabled",
      "mfa_totp_enroll_not_enabled", "mfa_totp_verify_not_enabled", "mfa_phone_enroll_not_enabled",
      "mfa_phone_verify_not_enabled", "mfa_webauthn_enroll_not_enabled", "mfa_webauthn_verify_not_enabled",
      "saml_provider_disabled",
    ],
    .noIdentityProvider: ["sso_provider_not_found"],
    .tooMany: ["too_many_passkeys", "too_many_enrolled_mfa_factors"],
    .signInExpired: [
      "flow_state_not_found", "flow_state_expired", "flow_state_already_used", "session_not_found", "session_expired",
    ],
    .refused(by: .state, "The code belongs to another sign-in than the one that presents it."): ["bad_code_verifier"],
    .refused(by: .state, "The redirect belongs to another sign-in."): ["bad_oauth_state", "bad_oauth_callback"],
    .refused(by: .nonce, "The identity token belongs to another attempt."): ["invalid nonce"],
    .signatureRefused: ["webauthn_verification_failed"],
    .captchaRequired: ["captcha_failed"],
    .rateLimited: ["over_request_rate_limit", "over_email_send_rate_limit", "over_sms_send_rate_limit"],
    .serverFailed: [
      "hook_timeout", "hook_timeout_after_retry", "request_timeout", "conflict", "unexpected_failure",
      "sms_send_failed",
    ],
  ])
}

extension AuthenticationError {
  fileprivate static let refusedRequest = Self(
    .invalidRequest, "The provider refuses the request as it is.", suggestion: "Check what was entered.")
  fileprivate static let turnedOff = Self(
    .unsupportedMethod, "The project has this turned off, or creates no account in this way.",
    suggestion: "Turn it on in the project, or do not offer it.")
  fileprivate static let noIdentityProvider = Self(
    .unsupportedMethod, "The project has no identity provider for this domain, or of this id.",
    suggestion: "Sign in with another method, or connect the domain at the project.")
  fileprivate static let tooMany = Self(
    .declined, "The account has as many passkeys or factors as the project allows.",
    suggestion: "Remove one first."
  ).with(\.reason, .account)
  fileprivate static let signatureRefused = refused(
    by: .signature, "The provider does not accept the passkey's response.")
  fileprivate static let notConfirmed = Self(
    .declined, "The address is not confirmed.", suggestion: "Confirm it first."
  ).with(\.reason, .account)
  fileprivate static let secondFactorRequired = Self(
    .insufficientUserAuthentication, "The provider asks for a second factor (aal2).",
    suggestion: "Sign in with a second factor."
  ).with(\.requirements, AuthenticationRequirements(acrValues: ["aal2"]))
}

/// Maps a response outside 2xx, in any of the shapes that versions of the server and its gateway write. No text of it
/// is kept but the code.
enum SupabaseErrorResponseMapper {
  static func map(_ response: HTTPResponse, _ errors: SupabaseErrors, now: Date) -> AuthenticationError {
    let body = try? JSONMembers(response)
    let code = code(body, response)
    if code == nil, response.status == 401, body?["message"] != nil { return .clientRejected }
    var error = HTTPErrorMapper.map(response, code: code, in: errors.table, now: now)
    if error == .rateLimited { error.retryAfter = error.retryAfter ?? body.flatMap(wait) }
    if error == .weakPassword, let reasons = body?.members("weak_password")?.texts("reasons") {
      error.passwordRules = reasons.compactMap(response.plainToken)
    }
    return error
  }

  /// `code` is a number in the older shape.
  private static func code(_ body: JSONMembers?, _ response: HTTPResponse) -> String? {
    body?["error_code"] ?? body?["code"] ?? response.headers["x-sb-error-code"] ?? body?["error"]
  }

  /// "… after 42 seconds." Only the number is read.
  private static func wait(_ body: JSONMembers) -> Duration? {
    let words = (body["message"] ?? body["msg"] ?? "").split(separator: " ")
    guard let after = words.lastIndex(of: "after"), after + 2 < words.count, words[after + 2].hasPrefix("second"),
      let seconds = Int(words[after + 1]), (0...86_400).contains(seconds)
    else { return nil }
    return .seconds(seconds)
  }
}

/// A session as it came, and the facts that decide whether it suffices.
struct SupabaseSession: Sendable {
  let session: AuthSession
  /// How strongly the user signed in: `aal1` or `aal2`.
  let level: String?
  let factors: [SupabaseFactor]
}

/// Maps `{"access_token", "expires_in", "refresh_token", "user"}`.
enum SupabaseSessionResponseMapper {
  static func map(
    _ response: HTTPResponse, isNew: Bool, receivedAt: Date
  ) throws(AuthenticationError) -> SupabaseSession {
    let body = try JSONMembers(response)
    guard let user = body.members("user") else { throw .unexpectedResponse }
    let mapped = try SupabaseUserResponseMapper.map(user, isNew: isNew)
    let tokens = try tokens(response, of: mapped.id, receivedAt: receivedAt)
    guard tokens.refresh != nil else { throw .unexpectedResponse }
    return SupabaseSession(
      session: AuthSession(user: mapped, tokens: tokens),
      level: JSONMembers(unverified: tokens.access.value)?["aal"], factors: SupabaseUserResponseMapper.factors(user))
  }

  /// The tokens of a sign-in, or of a refresh, which may leave the refresh token as it is (RFC 6749 §6).
  ///
  /// - Throws: ``AuthenticationError/security`` if the access token names another user than `userID`.
  static func tokens(
    _ response: HTTPResponse, of userID: String, receivedAt: Date
  ) throws(AuthenticationError) -> SessionTokens {
    let body = try JSONMembers(response)
    let access = Secret(try body.required("access_token"))
    if let type = body["token_type"], type.lowercased() != "bearer" {
      throw .refused(by: .tokenType, "The access token is of a type that was not asked for.")
    }
    if let subject = JSONMembers(unverified: access)?["sub"], !subject.isSame(as: userID) { throw .otherSubject }
    return try VendorResponse(response, body, receivedAt: receivedAt).tokens(
      access: "access_token", refresh: "refresh_token", identity: "id_token", expiresIn: "expires_in")
  }
}

extension AuthenticationError {
  static let otherSubject = refused(
    by: .subject, "The response is about another user than the one who was asked for.")
}

/// A second factor that can be used.
struct SupabaseFactor: Sendable {
  let id: String
  let kind: Challenge.Kind
  let label: String?
  /// With its plus sign.
  let phone: String?
  let createdAt: Date?
}

/// Maps the vendor's user: absent addresses are empty texts, and a phone number has no plus sign.
enum SupabaseUserResponseMapper {
  static func map(_ body: JSONMembers, isNew: Bool = false) throws(AuthenticationError) -> User {
    let data = body.members("user_metadata") ?? JSONMembers([:])
    return User(
      id: try body.required("id"), name: data["full_name"] ?? data["name"], email: body["email"], isNew: isNew,
      isEmailVerified: body["email"].map { _ in body["email_confirmed_at"] != nil },
      phoneNumber: body["phone"].map(number), picture: data["avatar_url"] ?? data["picture"], locale: data["locale"],
      createdAt: body.iso8601("created_at"), isAnonymous: body.flag("is_anonymous") ?? false,
      claims: claims(body))
  }

  static func claims(_ body: JSONMembers) -> [String: JSONValue] {
    body.values.filter { ["user_metadata", "app_metadata", "role"].contains($0.key) }
  }

  private static func number(_ text: String) -> String { text.hasPrefix("+") ? text : "+\(text)" }

  /// Those that are verified, of a kind that is known here.
  static func factors(_ body: JSONMembers) -> [SupabaseFactor] {
    let kinds: [String: Challenge.Kind] = ["totp": .oneTimePassword, "phone": .smsCode, "webauthn": .passkey]
    return body.list("factors").compactMap { factor in
      guard factor["status"] == "verified", let id = factor["id"],
        let kind = factor["factor_type"].flatMap({ kinds[$0] })
      else { return nil }
      return SupabaseFactor(
        id: id, kind: kind, label: factor["friendly_name"], phone: factor["phone"].map(number),
        createdAt: factor.iso8601("created_at"))
    }
  }

  static func linkedMethods(_ body: JSONMembers) -> [LinkedMethod] {
    let known: [String: SignInMethod] = [
      "email": .password, "phone": .phoneCode, "apple": .apple, "google": .google, "facebook": .facebook,
    ]
    return body.list("identities").compactMap { identity in
      guard let id = identity["identity_id"], let provider = identity["provider"] else { return nil }
      return LinkedMethod(
        id: id, method: known[provider] ?? SignInMethod(id: provider, displayName: provider),
        label: identity.members("identity_data")?["email"])
    }
  }
}
