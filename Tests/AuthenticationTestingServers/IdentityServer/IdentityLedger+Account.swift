#if Tools
import Foundation

/// The outcome of an account service.
enum AccountReply: Sendable {
  case done
  case code(SentCode)
  /// The step that asks for another password.
  case newPassword(String)
}

/// The account services: passwords, addresses, profile, deletion.
extension IdentityLedger {
  static let shortestPassword = 8

  mutating func changePassword(of owner: Owner, from old: String, to new: String) throws(IdentityRefusal) {
    _ = try account(owner.account.username, old)
    guard new.count >= Self.shortestPassword else { throw .weakPassword }
    accounts[owner.account.username]?.password = new
  }

  /// Another password for the owner of the code; every session ends.
  mutating func setPassword(_ password: String, after step: String) throws(IdentityRefusal) {
    guard let username = resets[step], accounts[username] != nil else { throw .unknownChallenge }
    guard password.count >= Self.shortestPassword else { throw .weakPassword }
    resets[step] = nil
    accounts[username]?.password = password
    _ = revokeFamilies(ofUser: username)
  }

  /// The answer to a code of an account service; only a reset is for a user without a session.
  mutating func answer(
    _ id: String, code: String, of owner: Owner?, at now: Date
  ) throws(IdentityRefusal) -> AccountReply {
    guard let asked = sentCodes[id], asked.purpose != .signIn,
      asked.purpose == .passwordReset || asked.username == owner?.account.username
    else { throw .unknownChallenge }
    let sent = try take(id, code: code, at: now)
    switch sent.purpose {
    case .signIn, .phone: break
    case .passwordReset:
      resets["new-\(sent.id)"] = sent.username
      return .newPassword("new-\(sent.id)")
    case .email(let address): accounts[sent.username]?.email = address
    case .secondFactor: accounts[sent.username]?.hasSecondFactor = true
    }
    return .done
  }

  mutating func rename(_ owner: Owner, to name: String) -> Account {
    let words = name.split(separator: " ", maxSplits: 1).map(String.init)
    var account = owner.account
    account.firstName = words.first ?? ""
    account.lastName = words.count > 1 ? words[1] : ""
    add(account)
    return account
  }

  /// Deletes the account of a user with a recent sign-in.
  mutating func delete(_ owner: Owner, at now: Date) throws(IdentityRefusal) {
    let username = owner.account.username
    guard let family = families[owner.family],
      now.timeIntervalSince(family.signedInAt) < options.recentSignIn / .seconds(1)
    else { throw .recentSignInRequired }
    _ = revokeFamilies(ofUser: username)
    accounts[username] = nil
    sentCodes = sentCodes.filter { $1.username != username }
    resets = resets.filter { $1 != username }
    passkeys.removeAll(of: username)
  }
}
#endif
