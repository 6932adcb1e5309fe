#if Tools && OpenID
package import AuthenticationDomain
import AuthenticationDomainTesting
package import AuthenticationTestingServers

/// A real HTTP server on 127.0.0.1 that speaks as a realm of Keycloak does, and keeps real sessions: every refusal of a
/// refresh is `invalid_grant` and told apart by its words, a wrong password is refused with 401, and a refresh token
/// ends a session without a browser. It was written from the vendor's published sources, not tried against it.
///
/// ```swift
/// let keycloak = LoopbackKeycloak()
/// let url = try await keycloak.start()
/// let client = OpenIDClient.keycloak(url: url.absoluteString, realm: "demo", clientID: "app")
/// let root = try MainRoot(.openIDConnect(client, presenter: presenter))
/// ```
package final class LoopbackKeycloak: LoopbackVendor {
  let dialect: AwaitableState<KeycloakDialect>
  package let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  package init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(KeycloakDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}

extension LoopbackKeycloak {
  /// The settings of the realm and its client, for as long as the server lives.
  package struct Options: Sendable {
    /// The name of the realm.
    package var realm = "demo"
    /// The id of the one client.
    package var clientID = "app"
    /// The users who can sign in.
    package var accounts = [LoopbackOpenIDIssuer.Account.ada, .grace]
    /// How long an access token is good.
    package var accessTokenLifetime: Duration = .seconds(300)
    /// How long a refresh token is good (SSO Session Idle); an offline session has no such limit.
    package var refreshTokenLifetime: Duration = .seconds(1_800)
    /// Whether each refresh spends the refresh token (Revoke Refresh Token), without grace.
    package var revokesRefreshTokens = false
    /// Whether the client takes passwords (direct access grants).
    package var allowsPasswords = true

    /// The defaults.
    package init() {}
  }

  /// The condition that keeps an account from signing in with a password.
  package enum Obstacle: Sendable, Hashable {
    /// A required action is open: "Account is not fully set up".
    case requiredAction
    /// An administrator has disabled the account.
    case disabled
    /// A code of an authenticator app must come with the password, as `totp`.
    case authenticator(secret: String)
  }

  /// Puts an obstacle in the way of an account, or removes it.
  package func set(_ obstacle: Obstacle?, of userName: String) {
    dialect.update { $0.obstacles[userName] = obstacle }
  }

  /// The action of the user at the browser from now on; at first Ada approves.
  package var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.issuer.state.user }
    set { dialect.update { $0.issuer.state.user = newValue } }
  }

  /// The user types the codes of all devices elsewhere, and agrees or not.
  package func approveDevice(_ action: LoopbackOpenIDIssuer.UserAction = .approves(.ada)) {
    dialect.update { $0.issuer.state.decideDevices(action) }
  }

  /// Returns as soon as a device waits for an answer (or the task is cancelled).
  package func waitForDevice() async {
    await dialect.wait { $0.issuer.state.devices.contains { $0.decision == nil } }
  }

  /// How many sessions have not ended.
  package var liveSessions: Int { dialect.value.issuer.state.signIns.count }

  /// Ends all sessions of everybody, as an administrator does.
  package func endAllSessions() {
    dialect.update { dialect in
      for id in dialect.issuer.state.signIns.keys { dialect.issuer.state.end(id) }
    }
  }
}
#endif
