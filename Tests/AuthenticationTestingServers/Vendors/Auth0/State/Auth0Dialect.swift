#if Tools && OpenID
import AuthenticationDomain
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
#endif
