#if Tools && OpenID
package import AuthenticationDomain
import AuthenticationDomainTesting
package import AuthenticationTestingServers

/// A real HTTP server on 127.0.0.1 that speaks as GitHub does (both of its hosts), and keeps real tokens: errors inside
/// HTTP 200, a form unless JSON is asked for, scopes with commas, a number as the user's id, tokens that do not expire.
/// It was written from the vendor's published documents, not tried against it.
///
/// ```swift
/// let github = LoopbackGitHub()
/// let url = try await github.start()
/// let root = try MainRoot(.openIDConnect(.github(clientID: "app", endpoint: url.absoluteString)))
/// // … a device shows its code
/// github.approveDevice()
/// ```
package final class LoopbackGitHub: LoopbackVendor {
  let dialect: AwaitableState<GitHubDialect>
  package let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  package init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(GitHubDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}

extension LoopbackGitHub {
  /// The settings of the app at GitHub, for as long as the server lives.
  package struct Options: Sendable {
    /// The id of the one client.
    package var clientID = "app"
    /// The token endpoint wants it for a code of the browser and for a refresh; a device needs none.
    package var clientSecret = "secret"
    /// Whether the device flow is switched on.
    package var hasDeviceFlow = true
    /// Of a GitHub App's tokens, which can be refreshed; nil for an OAuth app, whose tokens do not expire.
    package var tokenLifetime: Duration?
    /// Whether lifetimes are texts, not numbers.
    package var sendsLifetimesAsText = false

    /// The defaults.
    package init() {}
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

  /// Ends every token, as a user does in GitHub's settings.
  package func revokeAllTokens() {
    dialect.update { dialect in
      for id in dialect.issuer.state.signIns.keys { dialect.issuer.state.end(id) }
    }
  }
}
#endif
