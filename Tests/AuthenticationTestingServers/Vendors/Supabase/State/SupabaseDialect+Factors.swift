#if Tools && OpenID
import AuthenticationDomain
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
#endif
