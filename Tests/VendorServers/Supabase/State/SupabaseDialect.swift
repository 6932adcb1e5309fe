#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// Everything the service knows.
struct SupabaseDialect: VendorDialect {
  let options: LoopbackSupabase.Options
  var origin = "http://127.0.0.1"
  var errorShape: LoopbackSupabase.ErrorShape?
  var accounts: [String: SupabaseAccount] = [:]
  var sessions: [String: SupabaseSession] = [:]
  var refreshTokens: [String: SupabaseRefreshToken] = [:]
  var accessTokens: [String: SupabaseAccessToken] = [:]
  var codes: [SupabaseCode] = []
  var flows: [String: SupabaseFlow] = [:]
  /// Those that a browser is about to be shown.
  var pages: [String: SupabasePageState] = [:]
  var pageUser = LoopbackSupabase.PageUser.approves()
  /// Those that a sign-in begins with.
  var passkeys = RelyingParty()
  /// Until when each may be answered.
  var passkeyChallenges: [String: Date] = [:]
  /// Those that are second factors.
  var keys = RelyingParty()
  /// The request to a key, by the challenge of its factor.
  var keyRequests: [String: String] = [:]
  var factorChallenges: [String: SupabaseFactorChallenge] = [:]
  /// When something was last sent, by address.
  var lastSent: [String: Date] = [:]
  var messages: [LoopbackSupabase.Message] = []
  var lastID = 0

  init(options: LoopbackSupabase.Options) { self.options = options }

  mutating func begin(at origin: String) { self.origin = origin }

  /// Looks like a UUID.
  mutating func nextID() -> String {
    lastID += 1
    return "00000000-0000-4000-8000-000000" + Digits.six(lastID)
  }

  /// A number as the service keeps it: without the plus sign.
  static func plain(_ phone: String) -> String { phone.hasPrefix("+") ? String(phone.dropFirst()) : phone }

  // MARK: Routing

  func operation(_ request: VendorRequest) -> String? {
    guard request.path.starts(with: ["auth", "v1"]) else { return nil }
    let path = Array(request.path.dropFirst(2))
    return switch (request.method, path.first, path.count) {
    case ("POST", "token"?, 1): "token \(request.query["grant_type"] ?? "")"
    case ("POST", "signup"?, 1), ("POST", "otp"?, 1), ("POST", "verify"?, 1), ("POST", "recover"?, 1),
      ("POST", "resend"?, 1), ("POST", "logout"?, 1), ("POST", "factors"?, 1), ("GET", "reauthenticate"?, 1),
      ("GET", "authorize"?, 1), ("GET", "page"?, 1), ("POST", "sso"?, 1):
      path[0]
    case ("GET", "verify"?, 1), ("GET", "user"?, 1), ("PUT", "user"?, 1): "\(request.method) \(path[0])"
    case ("GET", "user"?, 3) where path[1...] == ["identities", "authorize"]: "identities/authorize"
    case ("DELETE", "user"?, 3) where path[1] == "identities": "DELETE identities"
    case ("POST", "factors"?, 3) where path[2] == "challenge" || path[2] == "verify": "factors/\(path[2])"
    case ("DELETE", "factors"?, 2): "DELETE factors"
    case (_, "passkeys"?, 3): "passkeys \(path[1])/\(path[2])"
    case (_, "passkeys"?, _): "\(request.method) passkeys"
    default: nil
    }
  }

  mutating func process(
    _ request: VendorRequest, _ operation: String, at now: Date
  ) throws(VendorRefusal) -> Answer {
    // A browser sends no key.
    if operation == "GET verify" { return followLink(request, at: now) }
    if operation == "authorize" { return try authorize(request, now) }
    if operation == "page" { return try openPage(request, now) }
    try checkKey(request)
    if request.path[2] == "passkeys" { return try processPasskeys(request, now) }
    if ["logout", "GET user", "reauthenticate", "identities/authorize", "DELETE identities", "DELETE factors"]
      .contains(operation)
    {
      return try processWithoutBody(request, operation, now)
    }
    guard let known = Self.members[operation], let json = request.json else {
      throw .supabase(operation.hasPrefix("token") ? "invalid_credentials" : "validation_failed")
    }
    let body = try VendorMembers(
      json, only: Set(known + ["gotrue_meta_security"]), else: .supabase("validation_failed"))
    try checkCaptcha(body)
    switch operation {
    case "token password": return try signInWithPassword(body, now)
    case "token refresh_token": return try refresh(body, now)
    case "token pkce": return try exchange(body, now)
    case "token id_token": return try signInWithIdentityToken(body, request, now)
    case "signup": return try signUp(body, request, now)
    case "otp": return try sendCode(body, request, now)
    case "verify": return try verify(body, now)
    case "recover": return try recover(body, request, now)
    case "resend": return try resend(body, request, now)
    case "PUT user": return try updateUser(body, request, now)
    case "sso": return try singleSignOn(body, now)
    case "factors": return try addFactor(body, request, now)
    case "factors/challenge": return try challengeFactor(body, request, now)
    default: return try verifyFactor(body, request, now)
    }
  }

  private mutating func processWithoutBody(
    _ request: VendorRequest, _ operation: String, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    switch operation {
    case "logout": try logOut(request, now)
    case "GET user": .json(user(try owner(of: request, now).account))
    case "reauthenticate": try reauthenticate(request, now)
    case "identities/authorize": try linkURL(request, now)
    case "DELETE identities": try unlink(request, now)
    default: try removeFactor(request, now)
    }
  }

  private func checkKey(_ request: VendorRequest) throws(VendorRefusal) {
    guard let key = request.recorded.header("apikey") else {
      throw VendorRefusal(
        code: "No API key found in request", status: 401,
        members: ["hint": "No `apikey` request header or url param was found."])
    }
    // A key that is no JWT is none in the other field either.
    let bearer = request.recorded.bearerToken
    guard key == options.anonKey, key.hasPrefix("sb_") ? bearer != key : bearer != nil else {
      throw VendorRefusal(
        code: "Invalid API key", status: 401,
        members: ["hint": "Double check your Supabase `anon` or `service_role` API key."])
    }
  }

  func checkCaptcha(_ body: VendorMembers) throws(VendorRefusal) {
    guard let security = try body.object("gotrue_meta_security") else { return }
    guard security.keys.allSatisfy({ $0 == "captcha_token" }), let token = security["captcha_token"]?.text else {
      throw .supabase("validation_failed")
    }
    if token == "wrong" { throw .supabase("captcha_failed") }
  }

  // MARK: The parameters of each operation

  private static let proof: [String] = ["code_challenge", "code_challenge_method"]

  private static let members: [String: [String]] = [
    "token password": ["email", "phone", "password"],
    "token refresh_token": ["refresh_token"],
    "token pkce": ["auth_code", "code_verifier"],
    "token id_token": ["provider", "id_token", "access_token", "nonce", "link_identity"],
    "signup": ["email", "phone", "password", "data", "channel"] + proof,
    "otp": ["email", "phone", "create_user", "data", "channel"] + proof,
    "verify": ["type", "token", "email", "phone", "token_hash"],
    "recover": ["email"] + proof,
    "resend": ["type", "email", "phone"],
    "PUT user": ["email", "phone", "password", "nonce", "current_password", "data", "channel"] + proof,
    "factors": ["factor_type", "friendly_name", "issuer", "phone"],
    "factors/challenge": ["channel"],
    "factors/verify": ["challenge_id", "code", "webauthn"],
    "sso": ["domain", "provider_id", "redirect_to", "skip_http_redirect"] + proof,
  ]
}

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

extension SupabaseDialect {
  func user(_ account: SupabaseAccount) -> [String: JSONValue] {
    let providers = account.identities.map { JSONValue.string($0.provider) }
    let app: [String: JSONValue] =
      providers.isEmpty ? [:] : ["provider": providers[0], "providers": .array(providers)]
    return [
      "id": .string(account.id), "aud": "authenticated", "role": "authenticated", "email": .string(account.email),
      "phone": .string(account.phone), "email_confirmed_at": Self.time(account.emailConfirmedAt),
      "phone_confirmed_at": Self.time(account.phoneConfirmedAt), "last_sign_in_at": Self.time(account.lastSignInAt),
      "app_metadata": .object(app), "user_metadata": .object(account.metadata),
      "identities": .array(account.identities.map { identity($0, of: account) }),
      "factors": account.factors.isEmpty ? .null : .array(account.factors.map(factor)),
      "created_at": Self.time(account.createdAt), "updated_at": Self.time(account.createdAt),
      "is_anonymous": .boolean(account.isAnonymous),
    ].present
  }

  private func identity(_ identity: SupabaseIdentity, of account: SupabaseAccount) -> JSONValue {
    [
      "identity_id": .string(identity.identityID), "id": .string(identity.subject), "user_id": .string(account.id),
      "provider": .string(identity.provider),
      "identity_data": .object(
        ["sub": .string(identity.subject), "email": .optional(identity.email)].present),
      "last_sign_in_at": Self.time(identity.createdAt), "created_at": Self.time(identity.createdAt),
      "updated_at": Self.time(identity.createdAt),
    ]
  }

  private func factor(_ factor: SupabaseFactor) -> JSONValue {
    let (type, phone): (String, String?) =
      switch factor.kind {
      case .totp: ("totp", nil)
      case .phone(let number): ("phone", Self.plain(number))
      case .key: ("webauthn", nil)
      }
    return .object(
      [
        "id": .string(factor.id), "factor_type": .string(type), "friendly_name": .optional(factor.name),
        "status": factor.isVerified ? "verified" : "unverified", "phone": .optional(phone),
        "created_at": Self.time(factor.createdAt), "updated_at": Self.time(factor.createdAt),
      ].present)
  }

  static func time(_ date: Date?) -> JSONValue { date.map { .string($0.formatted(.iso8601)) } ?? .null }

  func account(email: String) -> SupabaseAccount? {
    accounts.values.first { !email.isEmpty && $0.email.lowercased() == email.lowercased() }
  }

  func account(phone: String) -> SupabaseAccount? {
    accounts.values.first { !phone.isEmpty && $0.phone == Self.plain(phone) }
  }
}
#endif
