#if Tools
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Users, their token families and the rules of rotation, as a pure value: no HTTP, no clock.
///
/// A sign-in starts a family; every token renewed from it belongs to the same family and ends with it.
package struct IdentityLedger: Sendable {
  package typealias Account = LoopbackIdentityServer.Account

  struct Family {
    let username: String
    let lastAuthenticated: Date?
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
  private var lastFamily = 0

  package init(options: LoopbackIdentityServer.Options = .init()) {
    self.options = options
    for account in options.users { add(account) }
  }

  package mutating func add(_ account: Account) {
    accounts[account.username] = account
  }

  package mutating func signIn(
    username: String, password: String, at now: Date
  ) throws(IdentityRefusal) -> IdentityGrant {
    guard let account = accounts[username], account.password == password else { throw .invalidCredentials }
    return startFamily(of: account, at: now)
  }

  package mutating func signUp(_ account: Account, at now: Date) throws(IdentityRefusal) -> IdentityGrant {
    guard accounts[account.username] == nil else { throw .usernameTaken }
    add(account)
    return startFamily(of: account, at: now)
  }

  /// The account and when it signed in before the sign-in this token comes from.
  package func owner(ofAccessToken token: String, at now: Date) -> (account: Account, lastAuthenticated: Date?)? {
    guard let access = accessTokens[token], now < access.expiresAt, let family = families[access.family],
      let account = accounts[family.username]
    else { return nil }
    return (account, family.lastAuthenticated)
  }

  mutating func startFamily(of account: Account, at now: Date) -> IdentityGrant {
    lastFamily += 1
    let previous = signedInAt.updateValue(now, forKey: account.username) ?? account.lastAuthenticated
    families[lastFamily] = Family(username: account.username, lastAuthenticated: previous)
    return issue(family: lastFamily, at: now)
  }
}
#endif
