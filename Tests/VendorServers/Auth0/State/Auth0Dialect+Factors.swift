#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

extension Auth0Dialect {
  /// The sign-in of an `mfa_token`, and whose it is.
  private func waiting(
    _ token: String?, _ now: Date
  ) throws(VendorRefusal) -> (token: String, signIn: Auth0PendingSignIn, known: Auth0Account) {
    guard let token, let signIn = pending[token], let known = accounts[signIn.subject] else {
      throw .auth0("invalid_grant", "Malformed mfa_token")
    }
    guard now < signIn.expiresAt else { throw .auth0("expired_token", "mfa_token is expired", status: 401) }
    return (token, signIn, known)
  }

  func authenticators(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> JSONValue {
    let known = try waiting(request.recorded.bearerToken, now).known
    var list: [JSONValue] = []
    if known.factorSecret != nil { list.append(["id": "totp|1", "authenticator_type": "otp", "active": true]) }
    if known.hasPhoneFactor {
      list.append([
        "id": "sms|1", "authenticator_type": "oob", "oob_channel": "sms", "active": true,
        "name": .string("XXXXXXXX" + (known.phone ?? "").suffix(2)),
      ])
    }
    if known.recoveryCode != nil {
      list.append(["id": "recovery-code|1", "authenticator_type": "recovery-code", "active": true])
    }
    return .array(list)
  }

  mutating func challenge(_ fields: Fields, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let (token, _, known) = try waiting(fields["mfa_token"], now)
    guard known.hasFactor else { throw .auth0("association_required", "User is not enrolled.") }
    let types = fields["challenge_type"]?.split(separator: " ") ?? []
    let isPhone = known.hasPhoneFactor && types.contains("oob") && fields["authenticator_id"] != "totp|1"
    guard isPhone || types.contains("otp") else {
      throw .auth0("unsupported_challenge_type", "User does not have a factor of this type.")
    }
    return isPhone ? sendCode(to: known.phone ?? "", for: token) : ["challenge_type": "otp"]
  }

  private mutating func sendCode(to phone: String, for token: String) -> [String: JSONValue] {
    let id = nextID("oob")
    let code = send(to: phone)
    pending[token]?.codes[id] = code
    return ["challenge_type": "oob", "oob_code": .string(id), "binding_method": "prompt"]
  }

  /// Begins the enrolment of the first factor.
  mutating func associate(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let (token, _, known) = try waiting(request.recorded.bearerToken, now)
    guard !known.hasFactor else { throw .auth0("access_denied", "User is already enrolled.") }
    let recovery = nextID("recovery")
    accounts[known.account.subject]?.recoveryCode = recovery
    var members: [String: JSONValue] = ["recovery_codes": [.string(recovery)]]
    if let phone = request.fields?["phone_number"] {
      pending[token]?.newPhone = phone
      members["authenticator_type"] = "oob"
      members["oob_channel"] = "sms"
      return members.merging(sendCode(to: phone, for: token)) { $1 }.filter { $0.key != "challenge_type" }
    }
    let secret = OneTimePassword.makeSecret()
    pending[token]?.newSecret = secret
    members["authenticator_type"] = "otp"
    members["secret"] = .string(secret)
    members["barcode_uri"] = .string("otpauth://totp/tenant:\(known.account.username)?secret=\(secret)")
    return members
  }

  mutating func finish(
    _ operation: String, _ fields: Fields, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    let (token, signIn, known) = try waiting(fields["mfa_token"], now)
    var extra: [String: JSONValue] = [:]
    switch operation {
    case "token mfa-otp":
      guard let secret = signIn.newSecret ?? known.factorSecret, let code = fields["otp"],
        OneTimePassword.step(of: code, secret: secret, at: now) != nil
      else { throw .auth0("invalid_grant", "Invalid otp_code.") }
      accounts[signIn.subject]?.factorSecret = secret
    case "token mfa-oob":
      guard let code = fields["oob_code"].flatMap({ signIn.codes[$0] }), code == fields["binding_code"] else {
        throw .auth0("invalid_grant", "Invalid binding_code.")
      }
      if let phone = signIn.newPhone {
        accounts[signIn.subject]?.phone = phone
        accounts[signIn.subject]?.hasPhoneFactor = true
      }
    default:
      guard let code = known.recoveryCode, code == fields["recovery_code"] else {
        throw .auth0("invalid_grant", "MFA Authorization rejected.")
      }
      let next = nextID("recovery")
      accounts[signIn.subject]?.recoveryCode = next
      extra["recovery_code"] = .string(next)
    }
    pending[token] = nil
    return try issuer.grant(known.account, scope: signIn.scope, at: now).merging(extra) { $1 }
  }
}

/// Passkeys without a wrapper: the options as they are, and a separate grant.
extension Auth0Dialect {
  mutating func askForPasskey() throws(VendorRefusal) -> [String: JSONValue] {
    try members(of: passkeys.askForAssertion())
  }

  /// The account is made once its passkey is.
  mutating func registerPasskey(_ request: VendorRequest) throws(VendorRefusal) -> [String: JSONValue] {
    guard case .object(let profile)? = request.json?["user_profile"], let email = profile["email"]?.text else {
      throw .auth0("invalid_request", "Missing required parameter: user_profile", status: 400)
    }
    guard !accounts.values.contains(where: { $0.account.email == email }) else {
      throw .auth0("invalid_signup", "Invalid sign up", status: 400)
    }
    let name = profile["name"]?.text ?? email
    let asked = passkeys.askForRegistration(of: .init(username: email, password: "", email: email, firstName: name))
    registrations[asked.id] = .init(
      subject: nextID("auth0|"), username: email, password: "", name: name, email: email)
    return try members(of: asked)
  }

  /// Whose passkey answers, which may be new.
  mutating func owner(of fields: Fields, _ request: VendorRequest) throws(VendorRefusal) -> Auth0Account {
    guard fields["realm"] == options.connection else { throw .auth0("bad.connection", "Unknown realm", status: 400) }
    guard let session = fields["auth_session"],
      let response = request.json?["authn_response"].flatMap({ try? $0.decoded(RelyingParty.Response.self) })
    else { throw .auth0("invalid_request", "Missing required parameter: authn_response", status: 400) }
    do throws(IdentityRefusal) {
      if let account = registrations.removeValue(forKey: session) {
        try passkeys.verifyRegistration(response, of: account.username, to: session)
        accounts[account.subject] = Auth0Account(account: account)
        return Auth0Account(account: account)
      }
      let email = try passkeys.verifyAssertion(response, to: session)
      guard let known = accounts.values.first(where: { $0.account.email == email }) else { throw .invalidCredentials }
      return known
    } catch {
      throw .auth0("invalid_grant", "Passkey authentication failed.")
    }
  }

  private func members(of request: RelyingParty.Request) throws(VendorRefusal) -> [String: JSONValue] {
    guard let data = try? JSONEncoder().encode(request.options),
      let options = try? JSONDecoder().decode(JSONValue.self, from: data)
    else { throw .auth0("server_error", "The options cannot be written", status: 500) }
    return ["auth_session": .string(request.id), "authn_params_public_key": options]
  }
}

extension JSONValue {
  fileprivate func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
  }
}
#endif
