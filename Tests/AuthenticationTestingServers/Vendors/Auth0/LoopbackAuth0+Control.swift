#if Tools && OpenID
import AuthenticationDomainTesting

extension LoopbackAuth0 {
  /// The settings of the tenant and the application, for as long as the server lives.
  public struct Options: Sendable {
    /// The id of the one client.
    public var clientID = "app"
    /// The database connection that knows the accounts.
    public var connection = "Username-Password-Authentication"
    /// How long an access token is good.
    public var accessTokenLifetime: Duration = .seconds(86_400)
    /// Whether each refresh spends the refresh token.
    public var rotatesRefreshTokens = true
    /// How long a spent refresh token still refreshes (the overlap, or leeway).
    public var leeway: Duration = .zero
    /// Whether every user must have a second factor: a user without one enrols one.
    public var requiresFactor = false

    /// The defaults.
    public init() {}
  }

  /// A code that was "sent". Its description shows no code.
  public struct Message: Sendable, Hashable, CustomStringConvertible {
    /// An e-mail address, or a phone number.
    public let address: String
    /// The sent message, in clear text.
    public let code: String

    public var description: String { "Message to \(address)" }
  }

  /// All messages so far, the oldest first.
  public var messages: [Message] { dialect.value.messages }

  /// How many sign-ins have not ended.
  public var liveSignIns: Int { dialect.value.issuer.state.signIns.count }

  /// The action of the user at the browser from now on; at first Ada approves.
  public var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.issuer.state.user }
    set { dialect.update { $0.issuer.state.user = newValue } }
  }

  /// Adds an account, whose name at the password-realm is its e-mail address.
  ///
  /// - Parameters:
  ///   - account: the account that signs in.
  ///   - phone: where codes are sent; nil if there is no such place.
  ///   - factorSecret: in base32, of an authenticator app that is a second factor.
  ///   - hasPhoneFactor: whether a code to its phone is one.
  ///   - recoveryCode: the code with which it can sign in once in place of a factor.
  public func addAccount(
    _ account: LoopbackOpenIDIssuer.Account, phone: String? = nil, factorSecret: String? = nil,
    hasPhoneFactor: Bool = false, recoveryCode: String? = nil
  ) {
    dialect.update { dialect in
      dialect.accounts[account.subject] = Auth0Account(
        account: account, phone: phone, factorSecret: factorSecret, hasPhoneFactor: hasPhoneFactor,
        recoveryCode: recoveryCode)
    }
  }

  /// Blocks an account, or lifts the block.
  public func setBlocked(_ isBlocked: Bool, account subject: String) {
    dialect.update { $0.accounts[subject]?.isBlocked = isBlocked }
  }

  /// Ends all sign-ins of everybody.
  public func endAllSignIns() {
    dialect.update { dialect in
      for id in dialect.issuer.state.signIns.keys { dialect.issuer.state.end(id) }
    }
  }
}
#endif
