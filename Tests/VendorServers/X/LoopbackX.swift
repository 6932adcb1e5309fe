#if Tools && OpenID
package import AuthenticationDomain
import AuthenticationDomainTesting
package import AuthenticationTestingServers

/// A real HTTP server on 127.0.0.1 that speaks as X, formerly Twitter, does (both of its hosts), and keeps real tokens:
/// PKCE is required, a refresh token comes with `offline.access` and serves once, and the user is inside `data`. It was
/// written from the vendor's published documents, not tried against it.
///
/// ```swift
/// let x = LoopbackX()
/// let url = try await x.start()
/// let client = OpenIDClient.x(clientID: "app", endpoint: url.absoluteString)
/// let root = try MainRoot(.openIDConnect(client, presenter: presenter))
/// ```
package final class LoopbackX: LoopbackVendor {
  let dialect: AwaitableState<XDialect>
  package let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  package init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(XDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}

extension LoopbackX {
  /// The settings of the app at X, for as long as the server lives: a public client.
  package struct Options: Sendable {
    /// The id of the one client.
    package var clientID = "app"
    /// How long an access token is good.
    package var accessTokenLifetime: Duration = .seconds(7_200)

    /// The defaults.
    package init() {}
  }

  /// The action of the user at the browser from now on; at first Ada approves.
  package var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.issuer.state.user }
    set { dialect.update { $0.issuer.state.user = newValue } }
  }

  /// Ends every token, as a user does in X's settings.
  package func revokeAllTokens() {
    dialect.update { dialect in
      for id in dialect.issuer.state.signIns.keys { dialect.issuer.state.end(id) }
    }
  }
}
#endif
