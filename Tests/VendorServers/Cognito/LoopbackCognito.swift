#if Tools && OpenID
package import AuthenticationDomain
import AuthenticationDomainTesting
package import AuthenticationTestingServers

/// A real HTTP server on 127.0.0.1 that speaks as an Amazon Cognito user pool does, and keeps real accounts and
/// sessions. It was written from the vendor's published documents, not tried against it.
///
/// It takes passwords as they are (`USER_PASSWORD_AUTH`), codes by e-mail and text message (`USER_AUTH`), second
/// factors and new passwords. `USER_SRP_AUTH` it refuses, as a pool does that does not allow it. It has the pages of
/// managed login as well, at which ``user`` decides.
///
/// ```swift
/// let cognito = LoopbackCognito()
/// let url = try await cognito.start()
/// let pool = CognitoUserPool(
///   id: "us-east-1_Loopback", clientID: "client1", endpoint: url.absoluteString, methods: [.plainPassword, .emailCode])
/// ```
package final class LoopbackCognito: LoopbackVendor {
  let dialect: AwaitableState<CognitoDialect>
  package let server: VendorServer

  /// Tokens, codes and steps expire by the clock's `now`.
  package init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(CognitoDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}

extension LoopbackCognito {
  /// The settings of the pool and its app client, for as long as the server lives.
  package struct Options: Sendable {
    /// The pool's id, whose region is made up.
    package var poolID = "us-east-1_Loopback"
    /// The app client's id.
    package var clientID = "client1"
    /// How long an access token lasts.
    package var accessTokenLifetime: Duration = .seconds(3_600)
    /// How long a step may take (`AuthSessionValidity`).
    package var stepLifetime: Duration = .seconds(180)
    /// Whether each refresh spends the refresh token. The older operation for it is refused then.
    package var rotatesRefreshTokens = false
    /// How long a spent refresh token still refreshes (`RetryGracePeriodSeconds`).
    package var retryGracePeriod: Duration = .zero
    /// Whether the pool knows `GetTokensFromRefreshToken`, which older ones and emulators do not.
    package var knowsNewerRefresh = true
    /// Whether a sign-up must confirm the address first.
    package var confirmsSignUps = true
    /// Where managed login may return to, compared byte for byte.
    package var redirectURIs: Set<String> = ["com.example.app:/callback"]
    /// Where the sign-out page may return to, compared byte for byte.
    package var logoutURIs: Set<String> = ["com.example.app:/signed-out"]
    /// The scopes that the app client allows.
    package var scopes: Set<String> = ["openid", "profile", "email", "phone", "aws.cognito.signin.user.admin"]
    /// The identity providers of the app client, each with its identifier.
    package var identityProviders = ["COGNITO": "", "Google": "", "SignInWithApple": "", "Staff": "staff.example.com"]

    /// The defaults.
    package init() {}
  }
}

extension LoopbackCognito {
  /// A code that was "sent". Its description shows no code.
  package struct Message: Sendable, Hashable, CustomStringConvertible {
    /// An e-mail address, or a phone number.
    package let address: String
    /// The code itself.
    package let code: String

    package var description: String { "Message to \(address)" }
  }

  /// All messages so far, the oldest first.
  package var messages: [Message] { dialect.value.messages }

  /// How many refresh tokens are good.
  package var liveSessions: Int { dialect.value.refreshTokens.values.count { $0.spentAt == nil } }

  /// The action of the user at the page of managed login from now on; at first Ada signs in there.
  package var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.user }
    set { dialect.update { $0.user = newValue } }
  }

  /// Whether the browser is signed in at managed login.
  package var isBrowserSignedIn: Bool { dialect.value.browserUser != nil }

  /// The wrong claims of the newest ID token of managed login, by name.
  package var claimsOfManagedLogin: [String: JSONValue] {
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
  package func addAccount(
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
  package func setDisabled(_ isDisabled: Bool, account userName: String) {
    dialect.update { $0.accounts[userName]?.isDisabled = isDisabled }
  }

  /// Ends all sessions of everybody, as an administrator does.
  package func revokeAllSessions() {
    dialect.update { dialect in
      (dialect.refreshTokens, dialect.accessTokens) = ([:], [:])
    }
  }
}
#endif
