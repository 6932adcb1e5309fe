#if Tools && OpenID
import AuthenticationDomain
import Foundation

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
