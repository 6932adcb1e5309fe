#if Tools && OpenID
import AuthenticationDomainTesting
public import Foundation

extension LoopbackFirebase {
  /// A mail that was "sent". Its description shows no code.
  public struct Mail: Sendable, Hashable, CustomStringConvertible {
    /// `EMAIL_SIGNIN`, `PASSWORD_RESET`, `VERIFY_EMAIL`, `VERIFY_AND_CHANGE_EMAIL`.
    public let requestType: String
    /// Where it went.
    public let address: String
    /// The code in the link.
    public let oobCode: String
    /// The link that the user taps.
    public let link: URL

    public var description: String { "\(requestType) to \(address)" }
  }

  /// A text message that was "sent". Its description shows no code.
  public struct Message: Sendable, Hashable, CustomStringConvertible {
    /// Where it went (E.164).
    public let phoneNumber: String
    /// The code itself.
    public let code: String

    public var description: String { "Message to \(phoneNumber)" }
  }

  /// All mails so far, the oldest first.
  public var mails: [Mail] { dialect.value.mails }

  /// All text messages so far, the oldest first.
  public var messages: [Message] { dialect.value.messages }

  /// The ids of the accounts.
  public var accountIDs: Set<String> { Set(dialect.value.accounts.keys) }

  /// The Apple codes that were revoked.
  public var revokedAppleCodes: [String] { dialect.value.revokedAppleCodes }

  /// The action of the user at a provider's page from now on; at first Ada approves.
  public var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.user }
    set { dialect.update { $0.user = newValue } }
  }

  /// Adds an account with a password.
  ///
  /// - Parameters:
  ///   - email: its address.
  ///   - password: in clear text.
  ///   - isVerified: whether the address is.
  ///   - factorSecret: in base32, of an authenticator app that is its second factor.
  ///   - factorPhone: of a phone that is its second factor.
  ///   - factorName: the name of that phone.
  /// - Returns: its id.
  @discardableResult
  public func addAccount(
    email: String, password: String, isVerified: Bool = true, factorSecret: String? = nil, factorPhone: String? = nil,
    factorName: String? = nil
  ) -> String {
    dialect.update { dialect in
      var account = dialect.makeAccount(at: .init(timeIntervalSince1970: 1_750_000_000))
      (account.email, account.password, account.isEmailVerified) = (email, password, isVerified)
      if let factorSecret { account.factors.append(.init(id: "totp-\(account.id)", kind: .totp(secret: factorSecret))) }
      if let factorPhone {
        account.factors.append(.init(id: "phone-\(account.id)", kind: .phone(factorPhone), name: factorName))
      }
      dialect.accounts[account.id] = account
      return account.id
    }
  }

  /// Disables an account, or enables it.
  public func setDisabled(_ isDisabled: Bool, account id: String) {
    dialect.update { $0.accounts[id]?.isDisabled = isDisabled }
  }

  /// Deletes an account, as an administrator does.
  public func deleteAccount(_ id: String) {
    dialect.update { $0.accounts[id] = nil }
  }

  /// Ends all sessions of an account, as an administrator does (`validSince`).
  public func revokeSessions(ofAccount id: String) {
    dialect.update { $0.accounts[id]?.epoch += 1 }
  }
}
#endif
