#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension Auth0Dialect {
  mutating func tokens(
    _ operation: String, _ fields: Fields, of request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    switch operation {
    case "token password-realm":
      guard fields["realm"] == options.connection else { throw .auth0("bad.connection", "Unknown realm", status: 400) }
      return try signInWithPassword(fields, now)
    case "token passwordless/otp": return try signInWithCode(fields, now)
    case "token urn:okta:params:oauth:grant-type:webauthn":
      return try signIn(try owner(of: fields, request), scope: fields["scope"], now)
    case "token mfa-otp", "token mfa-oob", "token mfa-recovery-code":
      return try finish(operation, fields, now)
    case "token password":
      throw .auth0("unauthorized_client", "Grant type 'password' not allowed for the client.")
    default: return try forward(fields, of: request, now)
    }
  }

  private mutating func forward(
    _ fields: Fields, of request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    do throws(VendorRefusal) {
      let answer = try issuer.post(fields, of: request, to: .token, at: now)
      return withoutUnchanged(answer, fields)
    } catch {
      let isRefresh = fields["grant_type"] == "refresh_token"
      let words = isRefresh ? "Unknown or invalid refresh token." : "Invalid authorization code"
      throw .auth0(error.code, words, status: error.code == "invalid_grant" ? 403 : error.status)
    }
  }

  /// Without rotation no refresh token comes back.
  private func withoutUnchanged(_ answer: [String: JSONValue], _ fields: Fields) -> [String: JSONValue] {
    guard let sent = fields["refresh_token"], answer["refresh_token"]?.text == sent else { return answer }
    return answer.filter { $0.key != "refresh_token" }
  }

  private mutating func signInWithPassword(
    _ fields: Fields, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    let known = accounts.values.first {
      $0.account.email == fields["username"] && $0.account.password == fields["password"]
    }
    guard let known else { throw .auth0("invalid_grant", "Wrong email or password.") }
    return try signIn(known, scope: fields["scope"], now)
  }

  private mutating func signInWithCode(_ fields: Fields, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let address = fields["username"] ?? ""
    let kind = fields["realm"] == "sms" ? "phone number" : "email"
    guard let code = codes[address], now < code.expiresAt, code.text == fields["otp"] else {
      throw .auth0("invalid_grant", "Wrong \(kind) or verification code.")
    }
    codes[address] = nil
    let known = account(of: address)
    return try signIn(known, scope: fields["scope"], now)
  }

  /// A new one for an address that no account has.
  private mutating func account(of address: String) -> Auth0Account {
    if let known = accounts.values.first(where: { $0.account.email == address || $0.phone == address }) { return known }
    let account = LoopbackOpenIDIssuer.Account(
      subject: nextID("passwordless"), username: address, password: "", name: address, email: address)
    accounts[account.subject] = Auth0Account(account: account)
    return Auth0Account(account: account)
  }

  /// Tokens, or `mfa_required`.
  private mutating func signIn(
    _ known: Auth0Account, scope: String?, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    guard !known.isBlocked else { throw .auth0("unauthorized", "user is blocked", status: 401) }
    guard known.hasFactor || options.requiresFactor else {
      return try issuer.grant(known.account, scope: scope, at: now)
    }
    let token = nextID("mfa")
    pending[token] = Auth0PendingSignIn(
      subject: known.account.subject, scope: scope, expiresAt: now.addingTimeInterval(600))
    var refusal = VendorRefusal.auth0("mfa_required", "Multifactor authentication required")
    refusal.members["mfa_token"] = .string(token)
    throw refusal
  }
}
#endif
