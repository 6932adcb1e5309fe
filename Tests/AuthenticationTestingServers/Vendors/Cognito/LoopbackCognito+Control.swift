#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting

extension LoopbackCognito {
  /// A code that was "sent". Its description shows no code.
  public struct Message: Sendable, Hashable, CustomStringConvertible {
    /// An e-mail address, or a phone number.
    public let address: String
    /// The code itself.
    public let code: String

    public var description: String { "Message to \(address)" }
  }

  /// All messages so far, the oldest first.
  public var messages: [Message] { dialect.value.messages }

  /// How many refresh tokens are good.
  public var liveSessions: Int { dialect.value.refreshTokens.values.count { $0.spentAt == nil } }

  /// The action of the user at the page of managed login from now on; at first Ada signs in there.
  public var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.user }
    set { dialect.update { $0.user = newValue } }
  }

  /// Whether the browser is signed in at managed login.
  public var isBrowserSignedIn: Bool { dialect.value.browserUser != nil }

  /// The wrong claims of the newest ID token of managed login, by name.
  public var claimsOfManagedLogin: [String: JSONValue] {
    get { dialect.value.claimsOfManagedLogin }
    set { dialect.update { $0.claimsOfManagedLogin = newValue } }
  }

  /// Adds a confirmed account with a password.
  ///
  /// - Parameters:
  ///   - userName: the typed name.
  ///   - password: in clear text.
  ///   - email: a verified address; nil for none.
  ///   - phone: a verified number; nil for none.
  ///   - factorSecret: in base32, of an authenticator app that is its second factor.
  ///   - hasPhoneFactor: whether a code to its phone is its second factor.
  ///   - mustChangePassword: whether the password was given by an administrator (`NEW_PASSWORD_REQUIRED`).
  /// - Returns: its `sub`.
  @discardableResult
  public func addAccount(
    _ userName: String, password: String, email: String? = nil, phone: String? = nil, factorSecret: String? = nil,
    hasPhoneFactor: Bool = false, mustChangePassword: Bool = false
  ) -> String {
    dialect.update { dialect in
      var account = CognitoAccount(userName: userName, subject: dialect.nextID("sub"))
      (account.password, account.email, account.phone, account.isConfirmed) = (password, email, phone, true)
      (account.factorSecret, account.hasPhoneFactor) = (factorSecret, hasPhoneFactor)
      account.mustChangePassword = mustChangePassword
      dialect.accounts[userName] = account
      return account.subject
    }
  }

  /// Disables an account, or enables it.
  public func setDisabled(_ isDisabled: Bool, account userName: String) {
    dialect.update { $0.accounts[userName]?.isDisabled = isDisabled }
  }

  /// Ends all sessions of everybody, as an administrator does.
  public func revokeAllSessions() {
    dialect.update { dialect in
      (dialect.refreshTokens, dialect.accessTokens) = ([:], [:])
    }
  }
}
#endif
