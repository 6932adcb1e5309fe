#if Tools && OpenID
import AuthenticationDomain
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
#endif
