#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// Everything the tenant knows.
struct Auth0Dialect: VendorDialect {
  let options: LoopbackAuth0.Options
  var issuer: VendorIssuer
  /// By subject.
  var accounts: [String: Auth0Account] = [:]
  var pending: [String: Auth0PendingSignIn] = [:]
  /// By address or number.
  var codes: [String: Auth0Code] = [:]
  var messages: [LoopbackAuth0.Message] = []
  var passkeys = RelyingParty()
  /// Sign-ups with a passkey, by `auth_session`.
  var registrations: [String: LoopbackOpenIDIssuer.Account] = [:]
  var lastID = 0

  init(options: LoopbackAuth0.Options) {
    self.options = options
    var tenant = LoopbackOpenIDIssuer.Options()
    tenant.path = "/"
    tenant.clientID = options.clientID
    tenant.accessTokenLifetime = options.accessTokenLifetime
    tenant.rotatesRefreshTokens = options.rotatesRefreshTokens
    tenant.reuseGrace = options.leeway
    tenant.paths = [
      .token: "/oauth/token", .deviceAuthorization: "/oauth/device/code", .revocation: "/oauth/revoke",
      .keys: "/.well-known/jwks.json", .endSession: "/oidc/logout", .pushedAuthorization: "/oauth/par",
    ]
    issuer = VendorIssuer(tenant)
  }

  mutating func begin(at origin: String) { issuer.state.origin = origin }

  mutating func nextID(_ prefix: String) -> String {
    lastID += 1
    return "\(prefix)-\(lastID)"
  }

  /// Sends a code, six digits long.
  mutating func send(to address: String) -> String {
    let code = Digits.code(messages.count + 1)
    messages.append(.init(address: address, code: code))
    return code
  }

  // MARK: Routing

  /// Grants of Auth0 go by the part after `grant-type`: `token password-realm`, `token passwordless/otp`.
  func operation(_ request: VendorRequest) -> String? {
    let path = request.path.joined(separator: "/")
    switch (request.method, path) {
    case ("POST", "passwordless/start"), ("POST", "mfa/challenge"), ("POST", "mfa/associate"),
      ("GET", "mfa/authenticators"), ("POST", "dbconnections/signup"), ("POST", "dbconnections/change_password"),
      ("POST", "passkey/challenge"), ("POST", "passkey/register"):
      return path
    default:
      let operation = issuer.operation(request)
      return operation?.replacing("http://auth0.com/oauth/grant-type/", with: "")
    }
  }

  mutating func process(
    _ request: VendorRequest, _ operation: String, at now: Date
  ) throws(VendorRefusal) -> Answer {
    if operation == "mfa/authenticators" { return .json(try authenticators(request, now)) }
    guard operation.hasPrefix("token ") || operation.contains("/") else { return issuer.answer(request, at: now) }
    guard let fields = request.fields else { throw .auth0("invalid_request", "Missing required parameter") }
    guard operation == "mfa/associate" || fields["client_id"] == options.clientID else {
      throw .auth0("invalid_client", "Unknown client: canary", status: 401)
    }
    switch operation {
    case "mfa/challenge": return .json(JSONValue.object(try challenge(fields, now)))
    case "mfa/associate": return .json(JSONValue.object(try associate(request, now)))
    case "passkey/challenge": return .json(JSONValue.object(try askForPasskey()))
    case "passkey/register": return .json(JSONValue.object(try registerPasskey(request)))
    case "passwordless/start": return .json(JSONValue.object(try startPasswordless(fields, now)))
    case "dbconnections/signup": return .json(JSONValue.object(try signUp(fields)))
    case "dbconnections/change_password":
      let words = "We've just sent you an email to reset your password."
      return Answer(status: 200, headers: ["Content-Type": "text/html; charset=utf-8"], body: Data(words.utf8))
    default: return .json(JSONValue.object(try tokens(operation, fields, of: request, now)))
    }
  }

  /// The database and passwordless calls have other names for the members.
  func answer(_ refusal: VendorRefusal, to request: VendorRequest) -> Answer {
    let isDatabase = request.path.first == "dbconnections"
    let names = isDatabase ? (code: "code", words: "description") : (code: "error", words: "error_description")
    var members: [String: JSONValue] = [names.code: .string(refusal.code)]
    if isDatabase { members["statusCode"] = .number(Double(refusal.status)) }
    for (name, value) in refusal.members { members[name == "words" ? names.words : name] = value }
    return .json(JSONValue.object(members), status: refusal.status)
  }

  /// A code, and after a colon its words: `invalid_grant: Wrong email or password.`
  func refusal(_ code: String) -> VendorRefusal {
    let parts = code.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let isLimit = code.hasPrefix("too_many")
    return .auth0(parts[0], parts.count > 1 ? parts[1] : "canary words of the tenant", status: isLimit ? 429 : 403)
  }
}

extension VendorRefusal {
  static func auth0(_ code: String, _ words: String, status: Int = 403) -> Self {
    Self(code: code, status: status, members: ["words": .string(words)])
  }
}

extension Auth0Dialect {
  mutating func tokens(
    _ operation: String, _ fields: Fields, of request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    switch operation {
    case "token password-realm":
      guard fields["realm"] == options.connection else { throw .auth0("bad.connection", "Unknown realm", status: 400) }
      return try signInWithPassword(fields, now)
    case "token passwordless/otp": return try signInWithCode(fields, now)
    case "token urn:okta:params:oauth:grant-type:webauthn":
      return try signIn(try owner(of: fields, request), scope: fields["scope"], now)
    case "token mfa-otp", "token mfa-oob", "token mfa-recovery-code":
      return try finish(operation, fields, now)
    case "token password":
      throw .auth0("unauthorized_client", "Grant type 'password' not allowed for the client.")
    default: return try forward(fields, of: request, now)
    }
  }

  private mutating func forward(
    _ fields: Fields, of request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    do throws(VendorRefusal) {
      let answer = try issuer.post(fields, of: request, to: .token, at: now)
      return withoutUnchanged(answer, fields)
    } catch {
      let isRefresh = fields["grant_type"] == "refresh_token"
      let words = isRefresh ? "Unknown or invalid refresh token." : "Invalid authorization code"
      throw .auth0(error.code, words, status: error.code == "invalid_grant" ? 403 : error.status)
    }
  }

  /// Without rotation no refresh token comes back.
  private func withoutUnchanged(_ answer: [String: JSONValue], _ fields: Fields) -> [String: JSONValue] {
    guard let sent = fields["refresh_token"], answer["refresh_token"]?.text == sent else { return answer }
    return answer.filter { $0.key != "refresh_token" }
  }

  private mutating func signInWithPassword(
    _ fields: Fields, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    let known = accounts.values.first {
      $0.account.email == fields["username"] && $0.account.password == fields["password"]
    }
    guard let known else { throw .auth0("invalid_grant", "Wrong email or password.") }
    return try signIn(known, scope: fields["scope"], now)
  }

  private mutating func signInWithCode(_ fields: Fields, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let address = fields["username"] ?? ""
    let kind = fields["realm"] == "sms" ? "phone number" : "email"
    guard let code = codes[address], now < code.expiresAt, code.text == fields["otp"] else {
      throw .auth0("invalid_grant", "Wrong \(kind) or verification code.")
    }
    codes[address] = nil
    let known = account(of: address)
    return try signIn(known, scope: fields["scope"], now)
  }

  /// A new one for an address that no account has.
  private mutating func account(of address: String) -> Auth0Account {
    if let known = accounts.values.first(where: { $0.account.email == address || $0.phone == address }) { return known }
    let account = LoopbackOpenIDIssuer.Account(
      subject: nextID("passwordless"), username: address, password: "", name: address, email: address)
    accounts[account.subject] = Auth0Account(account: account)
    return Auth0Account(account: account)
  }

  /// Tokens, or `mfa_required`.
  private mutating func signIn(
    _ known: Auth0Account, scope: String?, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    guard !known.isBlocked else { throw .auth0("unauthorized", "user is blocked", status: 401) }
    guard known.hasFactor || options.requiresFactor else {
      return try issuer.grant(known.account, scope: scope, at: now)
    }
    let token = nextID("mfa")
    pending[token] = Auth0PendingSignIn(
      subject: known.account.subject, scope: scope, expiresAt: now.addingTimeInterval(600))
    var refusal = VendorRefusal.auth0("mfa_required", "Multifactor authentication required")
    refusal.members["mfa_token"] = .string(token)
    throw refusal
  }
}

extension Auth0Dialect {
  /// Without `send` Auth0 sends a link, which this server has not.
  mutating func startPasswordless(_ fields: Fields, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let name = fields["connection"] == "email" ? "email" : "phone_number"
    guard fields["connection"] == "email" || fields["connection"] == "sms" else {
      throw .auth0("bad.connection", "Connection does not exist", status: 400)
    }
    guard let address = fields[name], name != "email" || address.contains("@") else {
      throw .auth0(name == "email" ? "bad.email" : "bad.phone_number", "Wrong address", status: 400)
    }
    guard fields["send"] == "code" else { throw .auth0("unauthorized", "Links are not served here") }
    codes[address] = Auth0Code(text: send(to: address), expiresAt: now.addingTimeInterval(180))
    return ["_id": .string(nextID("passwordless")), name: .string(address)]
  }

  /// The response has no tokens.
  mutating func signUp(_ fields: Fields) throws(VendorRefusal) -> [String: JSONValue] {
    guard fields["connection"] == options.connection else {
      throw .auth0("bad.connection", "Connection does not exist", status: 400)
    }
    guard let email = fields["email"], let password = fields["password"] else {
      throw .auth0("invalid_request", "Missing required parameter", status: 400)
    }
    guard !accounts.values.contains(where: { $0.account.email == email }) else {
      throw .auth0("invalid_signup", "Invalid sign up", status: 400)
    }
    guard password.count >= 8 else {
      var refusal = VendorRefusal.auth0("invalid_password", "", status: 400)
      refusal.members = ["name": "PasswordStrengthError", "words": ["rules": ["length"], "verified": false]]
      throw refusal
    }
    let subject = nextID("auth0|")
    accounts[subject] = Auth0Account(
      account: .init(subject: subject, username: email, password: password, name: email, email: email))
    return ["_id": .string(subject), "email": .string(email), "email_verified": false]
  }
}
#endif
