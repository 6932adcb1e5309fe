#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting
public import AuthenticationTestingServers

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
public final class LoopbackX: LoopbackVendor {
  let dialect: AwaitableState<XDialect>
  public let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(XDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}

extension LoopbackX {
  /// What the app is at X, for as long as the server lives: a public client.
  public struct Options: Sendable {
    /// The id of the one client.
    public var clientID = "app"
    /// How long an access token is good.
    public var accessTokenLifetime: Duration = .seconds(7_200)

    /// The defaults.
    public init() {}
  }

  /// What the user at the browser does from now on; at first Ada approves.
  public var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.issuer.state.user }
    set { dialect.update { $0.issuer.state.user = newValue } }
  }

  /// Ends every token, as a user does in X's settings.
  public func revokeAllTokens() {
    dialect.update { dialect in
      for id in dialect.issuer.state.signIns.keys { dialect.issuer.state.end(id) }
    }
  }
}
#endif
