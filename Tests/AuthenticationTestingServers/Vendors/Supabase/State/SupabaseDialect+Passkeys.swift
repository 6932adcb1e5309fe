#if Tools && OpenID
import AuthenticationDomain
import Foundation

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
