#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting
public import Foundation

extension LoopbackSupabase {
  /// A mail or a text message that was "sent". Its description shows no code.
  public struct Message: Sendable, Hashable, CustomStringConvertible {
    /// Its purpose: `signup`, `magiclink`, `recovery`, `email_change`, `sms`, `phone_change`, `reauthentication`,
    /// `mfa`.
    public let type: String
    /// A number has no plus sign.
    public let address: String
    /// The code itself.
    public let code: String
    /// The link that the user taps in a mail; nil in a text message.
    public let link: URL?

    public var description: String { "\(type) to \(address)" }
  }

  /// All mails and text messages so far, the oldest first.
  public var messages: [Message] { dialect.value.messages }

  /// In which shape errors are sent; nil: as the request's version asks.
  public var errorShape: ErrorShape? {
    get { dialect.value.errorShape }
    set { dialect.update { $0.errorShape = newValue } }
  }

  /// The user of the pages from now on.
  public var pageUser: PageUser {
    get { dialect.value.pageUser }
    set { dialect.update { $0.pageUser = newValue } }
  }

  /// How many sessions have not ended.
  public var liveSessions: Int { dialect.value.sessions.count }

  /// The ids of the accounts.
  public var accountIDs: Set<String> { Set(dialect.value.accounts.keys) }

  /// Follows the link of a mail as a browser does.
  ///
  /// - Returns: where it leads: to the app.
  public func follow(_ link: URL) -> URL? {
    let request = VendorRequest(
      .init(method: "GET", path: link.path(), query: link.query() ?? "", headers: [:], body: Data()))
    let answer = dialect.update { $0.followLink(request, at: clock.now) }
    return answer.headers["Location"].flatMap { URL(string: $0) }
  }

  /// Adds an account with a confirmed address and a password.
  ///
  /// - Parameters:
  ///   - email: its address.
  ///   - password: in clear text.
  ///   - phone: a confirmed number without the plus sign; empty for none.
  ///   - factorSecret: in base32, of an authenticator app that is its second factor.
  ///   - factorPhone: of a phone that is its second factor, with the plus sign.
  ///   - metadata: the app's data of the account.
  /// - Returns: its id.
  @discardableResult
  public func addAccount(
    email: String, password: String, phone: String = "", factorSecret: String? = nil, factorPhone: String? = nil,
    metadata: [String: JSONValue] = [:]
  ) -> String {
    dialect.update { dialect in
      let start = Date(timeIntervalSince1970: 1_750_000_000)
      var account = SupabaseAccount(id: dialect.nextID(), createdAt: start)
      (account.email, account.emailConfirmedAt, account.password) = (email, start, password)
      if !phone.isEmpty { (account.phone, account.phoneConfirmedAt) = (SupabaseDialect.plain(phone), start) }
      account.metadata = metadata
      account.addIdentity(provider: "email", subject: account.id, email: email, at: start, id: dialect.nextID())
      if let factorSecret {
        let id = dialect.nextID()
        account.factors.append(
          .init(id: id, kind: .totp(secret: factorSecret), name: "app", createdAt: start, isVerified: true))
      }
      if let factorPhone {
        let id = dialect.nextID()
        account.factors.append(
          .init(id: id, kind: .phone(factorPhone), name: "phone", createdAt: start, isVerified: true))
      }
      dialect.accounts[account.id] = account
      return account.id
    }
  }

  /// Bans an account, or lifts the ban.
  public func setBanned(_ isBanned: Bool, account id: String) {
    dialect.update { $0.accounts[id]?.isBanned = isBanned }
  }

  /// Ends all sessions of everybody.
  public func endAllSessions() {
    dialect.update { dialect in
      for id in dialect.sessions.keys { dialect.end(id) }
    }
  }
}
#endif
