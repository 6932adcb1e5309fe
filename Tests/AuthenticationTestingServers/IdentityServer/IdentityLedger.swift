#if Tools
package import Foundation

/// Users, their token families and the rules of rotation, as a pure value: no HTTP, no clock.
///
/// A sign-in starts a family; every token refreshed from it belongs to the same family and ends with it.
package struct IdentityLedger: Sendable {
  package typealias Account = LoopbackIdentityServer.Account

  struct Family {
    let username: String
    let lastAuthenticated: Date?
    let signedInAt: Date
    var lastUsedAt: Date
  }

  struct RefreshToken {
    let family: Int
    var spentAt: Date?
  }

  struct AccessToken {
    let family: Int
    let expiresAt: Date
  }

  let options: LoopbackIdentityServer.Options
  var accounts: [String: Account] = [:]
  var signedInAt: [String: Date] = [:]
  var families: [Int: Family] = [:]
  var refreshTokens: [String: RefreshToken] = [:]
  var accessTokens: [String: AccessToken] = [:]
  var sentCodes: [String: SentCode] = [:]
  var lastCode = 0
  /// By the step that asks for another password.
  var resets: [String: String] = [:]
  var unconfirmed: Set<String> = []
  var passkeys: RelyingParty
  private var lastFamily = 0

  package init(options: LoopbackIdentityServer.Options = .init()) {
    self.options = options
    passkeys = RelyingParty(origin: options.passkeyOrigin)
    for account in options.users { add(account) }
  }

  package mutating func add(_ account: Account) {
    accounts[account.username] = account
  }

  package mutating func signIn(
    username: String, password: String, at now: Date
  ) throws(IdentityRefusal) -> IdentityGrant {
    startFamily(of: try account(username, password), at: now)
  }

  package mutating func signUp(_ account: Account, at now: Date) throws(IdentityRefusal) -> SignInReply {
    guard accounts[account.username] == nil else { throw .usernameTaken }
    add(account)
    guard options.confirmsSignUps else { return .grant(startFamily(of: account, at: now)) }
    unconfirmed.insert(account.username)
    return .code(send(.signIn, to: account.username, at: now))
  }

  /// The account and when it signed in before the sign-in this token comes from.
  package func owner(ofAccessToken token: String, at now: Date) -> Owner? {
    guard let access = accessTokens[token], now < access.expiresAt, let family = families[access.family],
      let account = accounts[family.username]
    else { return nil }
    return Owner(account: account, lastAuthenticated: family.lastAuthenticated, family: access.family)
  }

  /// The account, if this is its password; one without a password has none that fits.
  func account(_ username: String, _ password: String) throws(IdentityRefusal) -> Account {
    guard let account = accounts[username], account.password == password, !password.isEmpty else {
      throw .invalidCredentials
    }
    return account
  }

  /// Whom an access token belongs to.
  package struct Owner: Sendable {
    package let account: Account
    package let lastAuthenticated: Date?
    let family: Int
  }

  mutating func startFamily(of account: Account, at now: Date) -> IdentityGrant {
    lastFamily += 1
    let previous = signedInAt.updateValue(now, forKey: account.username) ?? account.lastAuthenticated
    families[lastFamily] = Family(
      username: account.username, lastAuthenticated: previous, signedInAt: now, lastUsedAt: now)
    return issue(family: lastFamily, at: now)
  }
}
#endif
