#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting
public import AuthenticationTestingServers

/// A real HTTP server on 127.0.0.1 that speaks as a tenant of Auth0 does, and keeps real accounts and sessions:
/// universal login, password-realm, passwordless codes, passkeys of `http://localhost`, second factors with their
/// enrolment, sign-up and reset, and refresh tokens with and without rotation. It was written from the vendor's
/// published documents, not tried against it.
///
/// ```swift
/// let auth0 = LoopbackAuth0()
/// auth0.addAccount(.ada, phone: "+491701234567")
/// try await auth0.start()
/// let client = OpenIDClient.auth0(domain: "tenant.eu.auth0.com", clientID: "app", endpoint: auth0.issuer)
/// ```
public final class LoopbackAuth0: LoopbackVendor {
  let dialect: AwaitableState<Auth0Dialect>
  public let server: VendorServer

  /// Tokens, codes and sign-ins expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(Auth0Dialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }

  /// What the tenant calls itself, with the slash; its address once it listens.
  public var issuer: String { dialect.value.issuer.state.identifier }
}

extension LoopbackAuth0 {
  /// What the tenant and the application are, for as long as the server lives.
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
    /// Whether everybody must have a second factor: who has none enrols one.
    public var requiresFactor = false

    /// The defaults.
    public init() {}
  }

  /// A code that was "sent". Its description shows no code.
  public struct Message: Sendable, Hashable, CustomStringConvertible {
    /// An e-mail address, or a phone number.
    public let address: String
    /// What was sent, in clear text.
    public let code: String

    public var description: String { "Message to \(address)" }
  }

  /// All messages so far, the oldest first.
  public var messages: [Message] { dialect.value.messages }

  /// How many sign-ins have not ended.
  public var liveSignIns: Int { dialect.value.issuer.state.signIns.count }

  /// What the user at the browser does from now on; at first Ada approves.
  public var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.issuer.state.user }
    set { dialect.update { $0.issuer.state.user = newValue } }
  }

  /// Adds an account, whose name at the password-realm is its e-mail address.
  ///
  /// - Parameters:
  ///   - account: who signs in.
  ///   - phone: where codes are sent; nil if there is no such place.
  ///   - factorSecret: in base32, of an authenticator app that is a second factor.
  ///   - hasPhoneFactor: whether a code to its phone is one.
  ///   - recoveryCode: what it can sign in with once in place of a factor.
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
