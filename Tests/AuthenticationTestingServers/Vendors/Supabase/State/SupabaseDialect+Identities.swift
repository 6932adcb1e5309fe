#if Tools && OpenID
import AuthenticationDomain
import Crypto
import Foundation

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
#endif
