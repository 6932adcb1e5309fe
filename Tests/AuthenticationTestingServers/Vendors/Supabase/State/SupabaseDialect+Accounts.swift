#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension SupabaseDialect {
  mutating func signInWithPassword(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> Answer {
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    guard (email == nil) != (phone == nil), let password = try body.text("password") else {
      throw .supabase("validation_failed")
    }
    let account = email.flatMap { self.account(email: $0) } ?? phone.flatMap { self.account(phone: $0) }
    guard let account, account.password == password else { throw .supabase("invalid_credentials") }
    if email != nil, account.emailConfirmedAt == nil { throw .supabase("email_not_confirmed") }
    if phone != nil, account.phoneConfirmedAt == nil { throw .supabase("phone_not_confirmed") }
    return try open(account, by: "password", now)
  }

  /// Without address and password an anonymous account. Where confirmation is on: a bare user; for an address that is
  /// taken a made-up one.
  mutating func signUp(
    _ body: VendorMembers, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    let (email, phone) = (try body.text("email"), try body.text("phone"))
    var account = SupabaseAccount(id: nextID(), createdAt: now)
    account.metadata = try body.object("data") ?? [:]
    guard email != nil || phone != nil else {
      guard body.values["password"] == nil, body.values["email"] == nil else { throw .supabase("validation_failed") }
      account.isAnonymous = true
      accounts[account.id] = account
      return try open(account, by: "anonymous", now)
    }
    guard email == nil || phone == nil else { throw .supabase("validation_failed") }
    if let email, !isAddress(email) { throw .supabase("email_address_invalid") }
    account.password = try checked(body.text("password"))
    (account.email, account.phone) = (email ?? "", phone.map(Self.plain) ?? "")
    let taken = self.account(email: account.email) ?? self.account(phone: account.phone)
    if let taken, taken.emailConfirmedAt != nil || taken.phoneConfirmedAt != nil {
      guard options.confirmsAddresses else { throw .supabase("user_already_exists") }
      account.identities = []
      var madeUp = user(account)
      madeUp["identities"] = .array([])
      return .json(madeUp)
    }
    if let taken { accounts[taken.id] = nil }
    account.addIdentity(
      provider: email == nil ? "phone" : "email", subject: account.id, email: email, at: now, id: nextID())
    if options.confirmsAddresses {
      accounts[account.id] = account
      try send(
        email == nil ? "sms" : "signup", to: account, at: email ?? account.phone, try proof(body), request, now)
      return .json(user(account))
    }
    (account.emailConfirmedAt, account.phoneConfirmedAt) = (email.map { _ in now }, phone.map { _ in now })
    accounts[account.id] = account
    return try open(account, by: "password", now)
  }

  mutating func updateUser(
    _ body: VendorMembers, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    let (account, session) = try self.owner(of: request, now)
    if let password = try body.text("password") { try change(password, body, account, session, now) }
    if let data = try body.object("data") { accounts[account.id]?.metadata.merge(data) { $1 } }
    if let email = try body.text("email"), email.lowercased() != account.email.lowercased() {
      guard isAddress(email) else { throw .supabase("email_address_invalid") }
      if self.account(email: email) != nil { throw .supabase("email_exists") }
      try changeEmail(of: account, to: email, try proof(body), request, now)
    }
    if let phone = try body.text("phone").map(Self.plain), phone != account.phone {
      if self.account(phone: phone) != nil { throw .supabase("phone_exists") }
      accounts[account.id]?.newPhone = phone
      try send("phone_change", to: account, at: phone, nil, request, now)
    }
    guard let changed = accounts[account.id] else { throw .supabase("user_not_found") }
    return .json(user(changed))
  }

  private mutating func changeEmail(
    of account: SupabaseAccount, to email: String, _ proof: SupabaseProof?, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) {
    let asksBoth = options.confirmsBothAddresses && !account.email.isEmpty
    accounts[account.id]?.newEmail = email
    accounts[account.id]?.hasConfirmedNewEmail = false
    accounts[account.id]?.hasConfirmedOldEmail = !asksBoth
    try send("email_change", to: account, at: email, proof, request, now)
    if asksBoth { try send("email_change", to: account, at: account.email, proof, request, now) }
  }

  private mutating func change(
    _ password: String, _ body: VendorMembers, _ account: SupabaseAccount, _ session: SupabaseSession, _ now: Date
  ) throws(VendorRefusal) {
    let hasAddress = account.emailConfirmedAt != nil || account.phoneConfirmedAt != nil
    if account.isAnonymous, !hasAddress { throw .supabase("validation_failed") }
    if account.factors.contains(where: \.isVerified), session.aal != "aal2" {
      throw VendorRefusal(code: "insufficient_aal", status: 401)
    }
    if options.asksCurrentPassword {
      guard let current = try body.text("current_password") else { throw .supabase("current_password_required") }
      guard current == account.password else { throw .supabase("current_password_invalid") }
    }
    if options.asksReauthentication {
      guard let nonce = try body.text("nonce") else { throw .supabase("reauthentication_needed") }
      let index = codes.firstIndex {
        $0.type == "reauthentication" && $0.accountID == account.id && $0.code == nonce && now < $0.expiresAt
      }
      guard let index else { throw .supabase("reauthentication_not_valid") }
      codes.remove(at: index)
    }
    if password == account.password { throw .supabase("same_password") }
    let checked = try self.checked(password)
    accounts[account.id]?.password = checked
    endOthers(of: session.id, account: account.id) { _ in true }
  }

  private func checked(_ password: String?) throws(VendorRefusal) -> String {
    guard let password else { throw .supabase("validation_failed") }
    guard password.count >= 6 else { throw .weak(["length"]) }
    return password
  }

  private func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
  }
}
#endif
