#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

extension SupabaseDialect {
  mutating func addFactor(
    _ body: VendorMembers, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    let (account, session) = try self.owner(of: request, now)
    if account.factors.contains(where: \.isVerified), session.aal != "aal2" { throw .supabase("insufficient_aal") }
    let name = try body.text("friendly_name")
    let id = nextID()
    var answer: [String: JSONValue] = ["id": .string(id), "friendly_name": .optional(name)]
    let kind: SupabaseFactor.Kind
    switch try body.text("factor_type") {
    case "totp":
      let secret = OneTimePassword.makeSecret()
      kind = .totp(secret: secret)
      let issuer = try body.text("issuer") ?? "127.0.0.1"
      answer["type"] = "totp"
      answer["totp"] = [
        "qr_code": "<svg></svg>", "secret": .string(secret),
        "uri": .string("otpauth://totp/\(issuer):\(account.email)?secret=\(secret)&issuer=\(issuer)"),
      ]
    case "phone":
      guard let phone = try body.text("phone") else { throw .supabase("validation_failed") }
      kind = .phone(phone)
      answer["type"] = "phone"
      answer["phone"] = .string(phone)
    case "webauthn":
      kind = .key
      answer["type"] = "webauthn"
    default: throw .supabase("validation_failed")
    }
    if account.factors.contains(where: { $0.name == name }) { throw .supabase("mfa_factor_name_conflict") }
    accounts[account.id]?.factors.append(.init(id: id, kind: kind, name: name, createdAt: now))
    return .json(answer.present)
  }

  /// Lives 300 seconds; of a phone it also sends a code.
  mutating func challengeFactor(
    _ body: VendorMembers, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    let account = try self.owner(of: request, now).account
    let factor = try self.factor(request, of: account)
    let id = nextID()
    let expiresAt = now.addingTimeInterval(300)
    var (type, code) = ("totp", nil as String?)
    if case .phone(let phone) = factor.kind {
      try send("mfa", to: account, at: phone, nil, request, now)
      (type, code) = ("phone", messages.last?.code)
    }
    var asked: [String: JSONValue]?
    if case .key = factor.kind {
      asked = try askForKey(of: factor, account, id: id)
      type = "webauthn"
    }
    factorChallenges[id] = .init(factorID: factor.id, code: code, expiresAt: expiresAt)
    return .json(
      [
        "id": JSONValue.string(id), "type": .string(type), "webauthn": asked.map(JSONValue.object) ?? .null,
        "expires_at": .number(expiresAt.timeIntervalSince1970.rounded()),
      ].present)
  }

  /// A whole new session at aal2; the tokens from before are spent.
  mutating func verifyFactor(
    _ body: VendorMembers, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    let (account, session) = try self.owner(of: request, now)
    let factor = try self.factor(request, of: account)
    guard let id = try body.text("challenge_id") else { throw .supabase("validation_failed") }
    guard let challenge = factorChallenges[id], challenge.factorID == factor.id else {
      throw .supabase("mfa_factor_not_found")
    }
    guard now < challenge.expiresAt else {
      factorChallenges[id] = nil
      throw .supabase("mfa_challenge_expired")
    }
    let index = account.factors.firstIndex { $0.id == factor.id } ?? 0
    let code = try body.text("code") ?? ""
    switch factor.kind {
    case .key: try verifyKey(body, of: factor, account, challenge: id)
    case .phone: if challenge.code != code { throw .supabase("mfa_verification_failed") }
    case .totp(let secret):
      guard let step = OneTimePassword.step(of: code, secret: secret, at: now),
        factor.lastStep.map({ step > $0 }) ?? true
      else { throw .supabase("mfa_verification_failed") }
      accounts[account.id]?.factors[index].lastStep = step
    }
    factorChallenges[id] = nil
    accounts[account.id]?.factors[index].isVerified = true
    sessions[session.id]?.aal = "aal2"
    sessions[session.id]?.methods.append(("totp", now))
    endOthers(of: session.id, account: account.id) { $0.aal != "aal2" }
    accessTokens[request.recorded.bearerToken ?? ""] = nil
    return .json(rotate(session.id, parent: nil, now))
  }

  mutating func removeFactor(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let (account, session) = try self.owner(of: request, now)
    let factor = try self.factor(request, of: account)
    if factor.isVerified, session.aal != "aal2" { throw VendorRefusal(code: "insufficient_aal", status: 422) }
    accounts[account.id]?.factors.removeAll { $0.id == factor.id }
    return .json(["id": JSONValue.string(factor.id)])
  }

  private func factor(_ request: VendorRequest, of account: SupabaseAccount) throws(VendorRefusal) -> SupabaseFactor {
    guard let factor = account.factors.first(where: { $0.id == request.path[3] }) else {
      throw .supabase("mfa_factor_not_found")
    }
    return factor
  }
}

/// Passkeys, and second factors by WebAuthn. The signatures are verified.
extension SupabaseDialect {
  mutating func processPasskeys(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    guard options.hasPasskeys else { throw .supabase("passkey_disabled") }
    let path = Array(request.path.dropFirst(3))
    switch (request.method, path) {
    case ("POST", ["authentication", "options"]):
      try checkCaptcha(members(request, ["gotrue_meta_security"]))
      return try asked(passkeys.askForAssertion(), now)
    case ("POST", ["authentication", "verify"]): return try signInWithPasskey(request, now)
    case ("POST", ["registration", "options"]): return try askToRegister(request, now)
    case ("POST", ["registration", "verify"]): return try registerPasskey(request, now)
    case ("GET", []):
      let account = try self.owner(of: request, now).account
      return .json(JSONValue.array(account.passkeys.map { .object(Self.listed($0)) }))
    default: return try changePasskey(request, now)
    }
  }

  private mutating func signInWithPasskey(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let (id, response) = try answered(request, now)
    guard let accountID = try? passkeys.verifyAssertion(response, to: id), let account = accounts[accountID] else {
      throw .supabase("webauthn_verification_failed")
    }
    if !account.email.isEmpty, account.emailConfirmedAt == nil { throw .supabase("email_not_confirmed") }
    return try open(account, by: "passkey", now)
  }

  private mutating func askToRegister(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let account = try mayManage(request, now)
    if account.isAnonymous || account.identities.contains(where: { $0.provider.hasPrefix("sso:") }) {
      throw VendorRefusal(code: "validation_failed", status: 422)
    }
    if account.passkeys.count >= 10 { throw .supabase("too_many_passkeys") }
    return try asked(passkeys.askForRegistration(of: .init(account)), now)
  }

  private mutating func registerPasskey(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let account = try mayManage(request, now)
    let (id, response) = try answered(request, now)
    guard (try? passkeys.verifyRegistration(response, of: account.id, to: id)) != nil else {
      throw .supabase("webauthn_verification_failed")
    }
    let passkey = SupabasePasskey(id: nextID(), credentialID: response.id, createdAt: now)
    accounts[account.id]?.passkeys.append(passkey)
    return .json(Self.listed(passkey))
  }

  private mutating func changePasskey(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let isDeletion = request.method == "DELETE"
    let account = isDeletion ? try mayManage(request, now) : try self.owner(of: request, now).account
    guard request.path.count == 4, isDeletion || request.method == "PATCH",
      let index = account.passkeys.firstIndex(where: { $0.id == request.path[3] })
    else { throw VendorRefusal(code: "validation_failed", status: 404) }
    if isDeletion {
      passkeys.remove(account.passkeys[index].credentialID, of: account.id)
      accounts[account.id]?.passkeys.remove(at: index)
      return Answer(status: 204)
    }
    guard let name = try members(request, ["friendly_name"]).text("friendly_name"), name.utf8.count <= 120 else {
      throw .supabase("validation_failed")
    }
    accounts[account.id]?.passkeys[index].name = name
    return .json(Self.listed(accounts[account.id]?.passkeys[index] ?? account.passkeys[index]))
  }

  /// A user with a second factor changes passkeys only after it.
  private func mayManage(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> SupabaseAccount {
    let (account, session) = try self.owner(of: request, now)
    if account.factors.contains(where: \.isVerified), session.aal != "aal2" { throw .supabase("insufficient_aal") }
    return account
  }

  private static func listed(_ passkey: SupabasePasskey) -> [String: JSONValue] {
    ["id": .string(passkey.id), "friendly_name": .optional(passkey.name), "created_at": time(passkey.createdAt)].present
  }

  private mutating func asked(_ asked: RelyingParty.Request, _ now: Date) throws(VendorRefusal) -> Answer {
    let expiresAt = now.addingTimeInterval(300)
    passkeyChallenges[asked.id] = expiresAt
    return .json([
      "challenge_id": JSONValue.string(asked.id), "options": try Self.json(asked.options),
      "expires_at": .number(expiresAt.timeIntervalSince1970.rounded()),
    ])
  }

  private mutating func answered(
    _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> (id: String, response: RelyingParty.Response) {
    let body = try members(request, ["challenge_id", "credential"])
    guard let id = try body.text("challenge_id"), let credential = body.values["credential"] else {
      throw .supabase("validation_failed")
    }
    guard let expiresAt = passkeyChallenges.removeValue(forKey: id) else {
      throw .supabase("webauthn_challenge_not_found")
    }
    guard now < expiresAt else { throw .supabase("webauthn_challenge_expired") }
    return (id, try Self.response(credential))
  }

  private func members(_ request: VendorRequest, _ known: Set<String>) throws(VendorRefusal) -> VendorMembers {
    guard let json = request.json else { throw .supabase("validation_failed") }
    return try VendorMembers(json, only: known, else: .supabase("validation_failed"))
  }

  /// As the service's library writes them.
  static func json(_ options: RelyingParty.Options) throws(VendorRefusal) -> JSONValue {
    guard let data = try? JSONEncoder().encode(options),
      let json = try? JSONDecoder().decode(JSONValue.self, from: data)
    else { throw .supabase("unexpected_failure") }
    return ["publicKey": json]
  }

  static func response(_ credential: JSONValue) throws(VendorRefusal) -> RelyingParty.Response {
    guard let data = try? JSONEncoder().encode(credential),
      let response = try? JSONDecoder().decode(RelyingParty.Response.self, from: data)
    else { throw .supabase("webauthn_verification_failed") }
    return response
  }

  // MARK: The second factor

  /// New for a factor that is not verified, for its existing key if it is.
  mutating func askForKey(
    of factor: SupabaseFactor, _ account: SupabaseAccount, id: String
  ) throws(VendorRefusal) -> [String: JSONValue] {
    let asked =
      factor.isVerified
      ? keys.askForAssertion(allowing: keys.ids(of: account.id)) : keys.askForRegistration(of: .init(account))
    keyRequests[id] = asked.id
    return ["type": factor.isVerified ? "request" : "create", "credential_options": try Self.json(asked.options)]
  }

  /// A signature that is not accepted gets 500, as if the service had failed.
  mutating func verifyKey(
    _ body: VendorMembers, of factor: SupabaseFactor, _ account: SupabaseAccount, challenge id: String
  ) throws(VendorRefusal) {
    guard let key = try body.object("webauthn"), Set(key.keys) == ["type", "credential_response"],
      let type = key["type"]?.text, ["create", "request"].contains(type), let credential = key["credential_response"],
      let asked = keyRequests[id]
    else { throw .supabase("validation_failed") }
    let response = try Self.response(credential)
    do {
      if type == "create" {
        try keys.verifyRegistration(response, of: account.id, to: asked)
      } else {
        let owner = try keys.verifyAssertion(response, to: asked)
        guard owner == account.id else { throw IdentityRefusal.invalidCredentials }
      }
    } catch {
      throw .supabase("unexpected_failure")
    }
  }
}

extension LoopbackIdentityServer.Account {
  fileprivate init(_ account: SupabaseAccount) {
    self.init(username: account.id, password: "", email: account.email, firstName: "Ada", lastName: "Lovelace")
  }
}
#endif
