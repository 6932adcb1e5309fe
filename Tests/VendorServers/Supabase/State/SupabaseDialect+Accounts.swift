#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Crypto
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

extension SupabaseDialect {
  /// `grant_type=id_token`; tokens are those of ``VendorToken``. With `link_identity` for the signed-in user.
  mutating func signInWithIdentityToken(
    _ body: VendorMembers, _ request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    guard let provider = try body.text("provider"), let token = try body.text("id_token") else {
      throw .supabase("invalid request", "provider or client_id and issuer required")
    }
    guard options.identityProviders.contains(provider) else { throw .supabase("provider_disabled") }
    guard let claims = VendorToken.claims(token), let subject = claims["sub"]?.text,
      claims["exp"]?.number.map({ $0 > now.timeIntervalSince1970 }) ?? true
    else { throw .supabase("invalid request", "Bad ID token") }
    if claims["at_hash"] != nil, try body.text("access_token") == nil {
      throw .supabase("invalid request", "access_token is required")
    }
    if provider != "facebook" { try checkNonce(body.text("nonce"), claims["nonce"]?.text) }
    let known = accounts.values.first { account in
      account.identities.contains { $0.provider == provider && $0.subject == subject }
    }
    let email = claims["email"]?.text
    if try body.flag("link_identity") {
      let (asking, session) = try self.owner(of: request, now)
      var owner = asking
      if known != nil { throw .supabase("identity_already_exists") }
      owner.addIdentity(provider: provider, subject: subject, email: email, at: now, id: nextID())
      adopt(email, &owner, now)
      owner.isAnonymous = false
      accounts[owner.id] = owner
      return .json(rotate(session.id, parent: nil, now))
    }
    if let known { return try open(known, by: "oauth", now) }
    if claims["email_verified"]?.flag == false { throw .supabase("provider_email_needs_verification") }
    var account = email.flatMap { self.account(email: $0) } ?? SupabaseAccount(id: nextID(), createdAt: now)
    account.addIdentity(provider: provider, subject: subject, email: email, at: now, id: nextID())
    adopt(email, &account, now)
    if let name = claims["name"] { account.metadata["full_name"] = name }
    accounts[account.id] = account
    return try open(account, by: "oauth", now)
  }

  func adopt(_ email: String?, _ account: inout SupabaseAccount, _ now: Date) {
    guard let email, account.email.isEmpty else { return }
    (account.email, account.emailConfirmedAt) = (email, now)
  }

  /// The token has the hash of the sent nonce; one without the other is refused.
  private func checkNonce(_ sent: String?, _ claimed: String?) throws(VendorRefusal) {
    guard (sent == nil) == (claimed == nil) else {
      throw .supabase("invalid request", "Passed nonce and nonce in id_token should either both exist or not.")
    }
    guard let sent else { return }
    let hash = SHA256.hash(data: Data(sent.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    guard hash == claimed else { throw .supabase("invalid nonce", "Nonces mismatch") }
  }

  mutating func unlink(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    var account = try self.owner(of: request, now).account
    guard let index = account.identities.firstIndex(where: { $0.identityID == request.path.last }) else {
      throw .supabase("identity_not_found")
    }
    if account.identities.count == 1 { throw .supabase("single_identity_not_deletable") }
    account.identities.remove(at: index)
    accounts[account.id] = account
    return .json([String: JSONValue]())
  }
}

extension SupabaseDialect {
  /// A new session of an account.
  mutating func open(_ account: SupabaseAccount, by method: String, _ now: Date) throws(VendorRefusal) -> Answer {
    if account.isBanned { throw .supabase("user_banned") }
    let session = SupabaseSession(id: nextID(), accountID: account.id, methods: [(method, now)])
    sessions[session.id] = session
    accounts[account.id]?.lastSignInAt = now
    return .json(rotate(session.id, parent: nil, now))
  }

  /// A new refresh token for a session; the one before is spent.
  mutating func rotate(_ sessionID: String, parent: String?, _ now: Date) -> [String: JSONValue] {
    let token = String(OpaqueToken.make().prefix(12))
    if let active = sessions[sessionID]?.active { refreshTokens[active]?.spentAt = now }
    refreshTokens[token] = SupabaseRefreshToken(sessionID: sessionID, parent: parent)
    sessions[sessionID]?.active = token
    return body(of: sessionID, now)
  }

  private mutating func body(of sessionID: String, _ now: Date) -> [String: JSONValue] {
    guard let session = sessions[sessionID], let account = accounts[session.accountID] else { return [:] }
    let expiresAt = now.addingTimeInterval(options.accessTokenLifetime / .seconds(1))
    let methods: [JSONValue] = session.methods.map { entry in
      ["method": .string(entry.method), "timestamp": .number(entry.at.timeIntervalSince1970.rounded())]
    }
    let access = VendorToken.make([
      "iss": .string(origin + "/auth/v1"), "sub": .string(account.id), "aud": "authenticated", "role": "authenticated",
      "session_id": .string(session.id), "aal": .string(session.aal), "amr": .array(methods),
      "is_anonymous": .boolean(account.isAnonymous), "email": .string(account.email), "phone": .string(account.phone),
      "iat": .number(now.timeIntervalSince1970.rounded()), "exp": .number(expiresAt.timeIntervalSince1970.rounded()),
      "jti": .string(OpaqueToken.make()),
    ])
    accessTokens[access] = .init(sessionID: session.id, accountID: account.id, expiresAt: expiresAt)
    return [
      "access_token": .string(access), "token_type": "bearer",
      "expires_in": .number(options.accessTokenLifetime / .seconds(1)),
      "expires_at": .number(expiresAt.timeIntervalSince1970.rounded()), "refresh_token": .string(session.active),
      "user": .object(user(account)),
    ]
  }

  /// A spent token works while it is the parent of the active one, and for anybody within the interval; else the whole
  /// session is destroyed.
  mutating func refresh(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> Answer {
    guard let text = try body.text("refresh_token") else { throw .supabase("validation_failed") }
    guard let token = refreshTokens[text], let session = sessions[token.sessionID] else {
      throw .supabase("refresh_token_not_found")
    }
    guard let account = accounts[session.accountID] else { throw .supabase("user_not_found") }
    if account.isBanned { throw .supabase("user_banned") }
    guard let spentAt = token.spentAt else { return .json(rotate(session.id, parent: text, now)) }
    let isParent = refreshTokens[session.active]?.parent == text
    guard isParent || now.timeIntervalSince(spentAt) < options.reuseInterval / .seconds(1) else {
      end(session.id)
      throw .supabase("refresh_token_already_used")
    }
    return Answer.json(self.body(of: session.id, now))
      .adding("sb-auth-refresh-token-reuse-cause", isParent ? "fail-to-save" : "concurrent-refresh")
  }

  mutating func end(_ sessionID: String) {
    sessions[sessionID] = nil
    refreshTokens = refreshTokens.filter { $1.sessionID != sessionID }
  }

  /// Ends the sessions of an account but one.
  mutating func endOthers(of sessionID: String, account id: String, where isEnded: (SupabaseSession) -> Bool) {
    for session in sessions.values where session.accountID == id && session.id != sessionID && isEnded(session) {
      end(session.id)
    }
  }

  mutating func logOut(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let (account, session) = try self.owner(of: request, now)
    switch request.query["scope"] ?? "global" {
    case "global":
      endOthers(of: session.id, account: account.id) { _ in true }
      end(session.id)
    case "local": end(session.id)
    case "others": endOthers(of: session.id, account: account.id) { _ in true }
    default: throw .supabase("validation_failed")
    }
    return Answer(status: 204)
  }

  /// The user of the request, by the access token.
  func owner(
    of request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> (account: SupabaseAccount, session: SupabaseSession) {
    guard let text = request.recorded.bearerToken else { throw .supabase("no_authorization") }
    guard let token = accessTokens[text], now < token.expiresAt else { throw .supabase("bad_jwt") }
    guard let session = sessions[token.sessionID] else {
      throw VendorRefusal(code: "session_not_found", status: 403)
    }
    guard let account = accounts[token.accountID] else { throw .supabase("user_not_found") }
    if account.isBanned { throw VendorRefusal(code: "user_banned", status: 403) }
    return (account, session)
  }
}
#endif
