#if Tools && OpenID
import AuthenticationDomain
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
#endif
