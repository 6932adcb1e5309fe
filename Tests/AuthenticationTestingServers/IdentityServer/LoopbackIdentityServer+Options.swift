#if Tools
extension LoopbackIdentityServer {
  /// How the server treats tokens, and whom it knows.
  public struct Options: Sendable {
    /// How long an access token is good for, by the server's clock.
    public var accessTokenLifetime: Duration
    /// Whether each refresh spends the refresh token and returns a new one (RFC 9700 §4.14.2).
    public var rotatesRefreshTokens: Bool
    /// How long a spent refresh token still refreshes its family; after that, using it again revokes the family.
    public var reuseGrace: Duration
    /// Real time between processing a request of an identity endpoint and its response.
    public var latency: Duration
    /// The accounts that exist before any sign-up.
    public var users: [Account]
    /// How long a code is accepted, by the server's clock.
    public var codeLifetime = Duration.seconds(300)
    /// How long a client is told to wait before it asks for another code.
    public var resendDelay = Duration.seconds(30)
    /// How long after a sign-in the account may be deleted, by the server's clock.
    public var recentSignIn = Duration.seconds(300)
    /// Whether a sign-up asks for a code first.
    public var confirmsSignUps = false
    /// Where passkeys are asked for; their domain is `localhost`.
    public var passkeyOrigin = "http://localhost"
    /// Whether a passkey is accepted for which no user was present, where the client has asked for such a one.
    public var acceptsConditionalPasskeys = true
    /// Gets each code that is sent to a user, in place of a phone or a mailbox.
    public var onCode: @Sendable (_ username: String, _ code: String) -> Void = { _, _ in }
    /// Gets each request with the status of its response.
    package var onExchange: (@Sendable (LoopbackExchange) -> Void)?

    /// By default: tokens of a minute, rotation without grace, no latency, and two users.
    public init(
      accessTokenLifetime: Duration = .seconds(60), rotatesRefreshTokens: Bool = true, reuseGrace: Duration = .zero,
      latency: Duration = .zero, users: [Account] = [.ada, .grace]
    ) {
      self.accessTokenLifetime = accessTokenLifetime
      self.rotatesRefreshTokens = rotatesRefreshTokens
      self.reuseGrace = reuseGrace
      self.latency = latency
      self.users = users
    }
  }
}
#endif
