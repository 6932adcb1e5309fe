#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension FirebaseDialect {
  /// Without an address an anonymous account; with `idToken` an upgrade that keeps the id.
  mutating func signUp(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    try requireTokens(body)
    let isUpgrade = body.values["idToken"] != nil
    var account = isUpgrade ? try owner(of: body, now).account : makeAccount(at: now)
    account.displayName = try body.text("displayName") ?? account.displayName
    let email = try body.text("email")
    let password = try body.text("password")
    if email != nil || password != nil || isUpgrade {
      try setEmail(email, of: &account)
      account.password = try checked(password)
    }
    if isUpgrade { account.epoch += 1 }
    return try signIn(account, by: email == nil ? "anonymous" : "password", now)
  }

  mutating func signInWithPassword(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    try requireTokens(body)
    try checkCaptcha(body)
    guard let email = try body.text("email") else { throw .firebase("MISSING_EMAIL") }
    guard isAddress(email) else { throw .firebase("INVALID_EMAIL") }
    guard let password = try body.text("password") else { throw .firebase("MISSING_PASSWORD") }
    guard let account = self.account(email: email) else {
      throw .firebase(options.hidesAccounts ? "INVALID_LOGIN_CREDENTIALS" : "EMAIL_NOT_FOUND")
    }
    if account.isDisabled { throw .firebase("USER_DISABLED") }
    guard account.password == password else {
      throw .firebase(options.hidesAccounts ? "INVALID_LOGIN_CREDENTIALS" : "INVALID_PASSWORD")
    }
    var answer = try signIn(account, by: "password", now)
    answer["registered"] = true
    return answer
  }

  /// A token of the app's own server: here a JWT with `uid`.
  mutating func signInWithCustomToken(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    try requireTokens(body)
    guard let token = try body.text("token") else { throw .firebase("MISSING_CUSTOM_TOKEN") }
    guard let id = VendorToken.claims(token)?["uid"]?.text else { throw .firebase("INVALID_CUSTOM_TOKEN") }
    let known = accounts[id]
    let account = known ?? FirebaseAccount(id: id, createdAt: now, validSince: now)
    var answer = try signIn(account, by: "custom", isNew: known == nil, now)
    answer["email"] = nil
    return answer
  }

  // MARK: Rules

  /// Without `returnSecureToken` the service gives an ID token without a refresh token: no adapter wants that.
  func requireTokens(_ body: VendorMembers) throws(VendorRefusal) {
    guard try body.flag("returnSecureToken") else { throw .firebaseArgument }
  }

  func checkCaptcha(_ body: VendorMembers) throws(VendorRefusal) {
    guard try body.text("captchaResponse") != nil else { return }
    guard try body.text("clientType") != nil, try body.text("recaptchaVersion") == "RECAPTCHA_ENTERPRISE" else {
      throw .firebaseArgument
    }
  }

  func setEmail(_ email: String?, of account: inout FirebaseAccount) throws(VendorRefusal) {
    guard let email else { throw .firebase("MISSING_EMAIL") }
    guard isAddress(email) else { throw .firebase("INVALID_EMAIL") }
    if let other = self.account(email: email), other.id != account.id { throw .firebase("EMAIL_EXISTS") }
    if account.email != email { account.isEmailVerified = false }
    account.email = email
  }

  func checked(_ password: String?) throws(VendorRefusal) -> String {
    guard let password else { throw .firebase("MISSING_PASSWORD") }
    guard password.count >= 6 else {
      throw .firebase("WEAK_PASSWORD : Password should be at least 6 characters")
    }
    return password
  }

  func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(" ")
  }
}
#endif
