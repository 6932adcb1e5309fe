#if Tools && OpenID
import AuthenticationDomain
import Crypto
import Foundation

extension SupabaseDialect {
  /// A code with its address, or the hash of a link alone.
  mutating func verify(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> Answer {
    guard let type = try body.text("type"), let matching = Self.matching[type] else {
      throw .supabase("validation_failed")
    }
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    let (token, hash) = (try body.text("token"), try body.text("token_hash"))
    guard (token == nil) != (hash == nil) else { throw .supabase("validation_failed") }
    guard hash == nil || (email == nil && phone == nil) else { throw .supabase("validation_failed") }
    let address = email ?? phone.map(Self.plain)
    guard token == nil || address != nil else { throw .supabase("validation_failed") }
    let index = codes.firstIndex { sent in
      matching.contains(sent.type) && now < sent.expiresAt
        && (hash.map { $0 == sent.hash } ?? (sent.code == token && sent.address == address))
    }
    // The one code for wrong, used and expired alike.
    guard let index else { throw .supabase("otp_expired", "Token has expired or is invalid") }
    let code = codes.remove(at: index)
    guard let account = try confirm(code, now) else {
      return .json([
        "msg": JSONValue.string(
          "Confirmation link accepted. Please proceed to confirm link sent to the other email"), "code": 200,
      ])
    }
    return try open(account, by: "otp", now)
  }

  /// Applies the change that the code proves; nil while the other address must be confirmed, too.
  private mutating func confirm(_ code: SupabaseCode, _ now: Date) throws(VendorRefusal) -> SupabaseAccount? {
    guard var account = accounts[code.accountID] else { throw .supabase("user_not_found") }
    switch code.type {
    case "email_change":
      if code.address == account.newEmail { account.hasConfirmedNewEmail = true }
      if code.address == account.email { account.hasConfirmedOldEmail = true }
      accounts[account.id] = account
      guard account.hasConfirmedNewEmail, account.hasConfirmedOldEmail else { return nil }
      (account.email, account.newEmail, account.emailConfirmedAt) = (account.newEmail, "", now)
      account.isAnonymous = false
      if !account.identities.contains(where: { $0.provider == "email" }) {
        account.addIdentity(provider: "email", subject: account.id, email: account.email, at: now, id: nextID())
      }
    case "phone_change":
      (account.phone, account.newPhone, account.phoneConfirmedAt) = (account.newPhone, "", now)
      account.isAnonymous = false
    case "sms": account.phoneConfirmedAt = account.phoneConfirmedAt ?? now
    default: account.emailConfirmedAt = account.emailConfirmedAt ?? now
    }
    accounts[account.id] = account
    return account
  }

  /// `GET /verify`, in a browser: with PKCE the app gets a code, else the session itself in the fragment.
  mutating func followLink(_ request: VendorRequest, at now: Date) -> Answer {
    let redirect = request.query["redirect_to"] ?? ""
    let index = codes.firstIndex {
      $0.hash == request.query["token"] && $0.type == request.query["type"] && now < $0.expiresAt
    }
    guard let index else {
      let error = "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired"
      return Self.redirect("\(redirect)?\(error)#\(error)&sb=")
    }
    let code = codes.remove(at: index)
    do {
      guard let account = try confirm(code, now) else { return Self.redirect("\(redirect)#message=accepted&sb=") }
      if let proof = code.proof {
        let authCode = nextID()
        flows[authCode] = .init(
          accountID: account.id, type: code.type, proof: proof, expiresAt: now.addingTimeInterval(300))
        return Self.redirect("\(redirect)?code=\(authCode)")
      }
      _ = try open(account, by: "otp", now)
      return Self.redirect("\(redirect)#access_token=in-a-fragment&type=\(code.type)&sb=")
    } catch {
      return Self.redirect("\(redirect)?error=server_error&error_code=\(error.code)")
    }
  }

  static func redirect(_ location: String) -> Answer { Answer(status: 303, headers: ["Location": location]) }

  /// `grant_type=pkce`: not OAuth's names.
  mutating func exchange(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> Answer {
    guard let code = try body.text("auth_code"), let verifier = try body.text("code_verifier") else {
      throw .supabase("validation_failed")
    }
    guard let flow = flows[code] else { throw .supabase("flow_state_not_found") }
    if flow.isUsed { throw .supabase("flow_state_already_used") }
    guard now < flow.expiresAt else { throw .supabase("flow_state_expired") }
    let hash = URLSafe.encode(Data(SHA256.hash(data: Data(verifier.utf8))))
    guard (flow.proof.method == "s256" ? hash : verifier) == flow.proof.challenge else {
      throw .supabase("bad_code_verifier")
    }
    flows[code]?.isUsed = true
    guard let account = accounts[flow.accountID] else { throw .supabase("user_not_found") }
    return try open(account, by: flow.type == "recovery" ? "recovery" : "magiclink", now)
  }

  /// Which mails and messages each type accepts.
  private static let matching: [String: Set<String>] = [
    "email": ["signup", "magiclink"], "signup": ["signup"], "magiclink": ["magiclink"], "recovery": ["recovery"],
    "invite": ["invite"], "email_change": ["email_change"], "sms": ["sms"], "phone_change": ["phone_change"],
  ]
}
#endif
