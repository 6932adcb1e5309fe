#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Crypto
import Foundation

extension SupabaseDialect {
  /// `POST /otp`: a code and a link to an e-mail address, or a code to a phone.
  mutating func sendCode(
    _ body: VendorMembers, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    guard let address = email ?? phone, email == nil || phone == nil else { throw .supabase("validation_failed") }
    let known = self.account(email: email ?? "") ?? self.account(phone: phone ?? "")
    guard let account = known else {
      guard try body.flag("create_user") else { throw .supabase("otp_disabled") }
      var account = SupabaseAccount(id: nextID(), createdAt: now)
      (account.email, account.phone) = (email ?? "", phone.map(Self.plain) ?? "")
      account.metadata = try body.object("data") ?? [:]
      account.addIdentity(
        provider: email == nil ? "phone" : "email", subject: account.id, email: email, at: now, id: nextID())
      accounts[account.id] = account
      try send(email == nil ? "sms" : "signup", to: account, at: address, try proof(body), request, now)
      return .json(sentAnswer(email == nil))
    }
    let type = email == nil ? "sms" : account.emailConfirmedAt == nil ? "signup" : "magiclink"
    try send(type, to: account, at: address, try proof(body), request, now)
    return .json(sentAnswer(email == nil))
  }

  private mutating func sentAnswer(_ isText: Bool) -> [String: JSONValue] {
    isText ? ["message_id": .string(nextID())] : [:]
  }

  /// The same response whether or not there is such an account.
  mutating func recover(
    _ body: VendorMembers, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    guard let email = try body.text("email") else { throw .supabase("validation_failed") }
    let proof = try self.proof(body)
    if let account = self.account(email: email) { try send("recovery", to: account, at: email, proof, request, now) }
    return .json([String: JSONValue]())
  }

  mutating func resend(
    _ body: VendorMembers, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    let type = try body.text("type") ?? ""
    guard ["signup", "email_change", "sms", "phone_change"].contains(type) else { throw .supabase("validation_failed") }
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    let isText = type == "sms" || type == "phone_change"
    guard let address = isText ? phone : email else { throw .supabase("validation_failed") }
    if let account = self.account(email: email ?? "") ?? self.account(phone: phone ?? "") {
      let former = codes.last { $0.type == type && $0.accountID == account.id }
      try send(type, to: account, at: former?.address ?? address, nil, request, now)
    }
    return .json(isText ? sentAnswer(true) : [:])
  }

  mutating func reauthenticate(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let account = try self.owner(of: request, now).account
    try send(
      "reauthentication", to: account, at: account.email.isEmpty ? account.phone : account.email, nil, request, now)
    return .json([String: JSONValue]())
  }

  /// A code replaces the one before of its kind to that address.
  mutating func send(
    _ type: String, to account: SupabaseAccount, at address: String, _ proof: SupabaseProof?,
    _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) {
    let isMail = address.contains("@")
    let address = Self.plain(address)
    let wait = options.sendingInterval / .seconds(1) - now.timeIntervalSince(lastSent[address] ?? .distantPast)
    if wait > 0 {
      throw .supabase(
        isMail ? "over_email_send_rate_limit" : "over_sms_send_rate_limit",
        "For security purposes, you can only request this after \(Int(wait.rounded(.up))) seconds.")
    }
    lastSent[address] = now
    codes.removeAll { $0.type == type && $0.accountID == account.id && $0.address == address }
    lastID += 1
    let code = Digits.code(lastID, length: options.codeLength)
    let lifetime = isMail ? options.mailCodeLifetime : options.textCodeLifetime
    let hash = (proof == nil ? "" : "pkce_") + OpaqueToken.make()
    codes.append(
      .init(
        type: type, accountID: account.id, address: address, code: code, hash: hash,
        expiresAt: now.addingTimeInterval(lifetime / .seconds(1)), proof: proof))
    let link =
      isMail && type != "reauthentication" ? try mailLink(type, hash, request.query["redirect_to"]) : nil
    messages.append(.init(type: type, address: address, code: code, link: link))
  }

  private func mailLink(_ type: String, _ hash: String, _ redirect: String?) throws(VendorRefusal) -> URL? {
    let known = redirect.flatMap { options.redirectURLs.contains($0) ? $0 : nil } ?? options.redirectURLs.min() ?? ""
    return URL(string: "\(origin)/auth/v1/verify?token=\(hash)&type=\(type)&redirect_to=\(Fields.encode(known))")
  }

  /// Nil where the client asked for none. The method is in lower case here.
  func proof(_ body: VendorMembers) throws(VendorRefusal) -> SupabaseProof? {
    let (challenge, method) = (try body.text("code_challenge"), try body.text("code_challenge_method"))
    if challenge == nil, method == nil { return nil }
    guard let challenge, let method, ["s256", "plain"].contains(method), (43...128).contains(challenge.count) else {
      throw .supabase("validation_failed")
    }
    return SupabaseProof(challenge: challenge, method: method)
  }
}

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
