#if Tools
import Foundation

/// The lists of an account: sessions, second factors, ways to sign in.
extension IdentityLedger {
  static let secondFactor = "sms"
  static let password = "password"

  func sessions(of owner: Owner) -> [SessionListBody.Session] {
    families.filter { $1.username == owner.account.username }.sorted { $0.key < $1.key }.map { id, family in
      .init(id: "\(id)", isCurrent: id == owner.family, lastUsedAt: family.lastUsedAt)
    }
  }

  mutating func endSession(_ id: String, of owner: Owner) {
    guard let family = Int(id), families[family]?.username == owner.account.username else { return }
    end(family)
  }

  func factors(of owner: Owner) -> [FactorListBody.Factor] {
    let sms = owner.account.hasSecondFactor ? [FactorListBody.Factor(id: Self.secondFactor, kind: "sms")] : []
    return sms + passkeys.ids(of: owner.account.username).map { .init(id: $0, kind: "passkey") }
  }

  mutating func acceptedPasskeys(of owner: Owner) -> PasskeyListBody {
    let account = owner.account
    return PasskeyListBody(
      user: passkeys.handle(of: account.username), name: account.username,
      displayName: "\(account.firstName) \(account.lastName)", credentials: passkeys.ids(of: account.username))
  }

  mutating func removeFactor(_ id: String, of owner: Owner) {
    let username = owner.account.username
    if id == Self.secondFactor { accounts[username]?.hasSecondFactor = false }
    passkeys.remove(id, of: username)
  }

  func methods(of owner: Owner) -> [MethodListBody.Method] {
    let account = owner.account
    let password =
      account.password.isEmpty
      ? [] : [MethodListBody.Method(id: Self.password, method: "password", label: account.username)]
    return password + passkeys.ids(of: account.username).map { .init(id: $0, method: "passkey") }
  }

  /// A password, for an account that has none.
  mutating func link(password: String, to owner: Owner) throws(IdentityRefusal) {
    guard password.count >= Self.shortestPassword else { throw .weakPassword }
    accounts[owner.account.username]?.password = password
  }

  mutating func unlink(_ id: String, from owner: Owner) throws(IdentityRefusal) {
    guard methods(of: owner).contains(where: { $0.id == id }) else { return }
    guard methods(of: owner).count > 1 else { throw .lastMethod }
    if id == Self.password {
      accounts[owner.account.username]?.password = ""
    } else {
      passkeys.remove(id, of: owner.account.username)
    }
  }
}
#endif
