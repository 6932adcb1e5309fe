#if Tools && OpenID
extension LoopbackCognito {
  /// The settings of the pool and its app client, for as long as the server lives.
  public struct Options: Sendable {
    /// The pool's id, whose region is made up.
    public var poolID = "us-east-1_Loopback"
    /// The app client's id.
    public var clientID = "client1"
    /// How long an access token lasts.
    public var accessTokenLifetime: Duration = .seconds(3_600)
    /// How long a step may take (`AuthSessionValidity`).
    public var stepLifetime: Duration = .seconds(180)
    /// Whether each refresh spends the refresh token. The older operation for it is refused then.
    public var rotatesRefreshTokens = false
    /// How long a spent refresh token still refreshes (`RetryGracePeriodSeconds`).
    public var retryGracePeriod: Duration = .zero
    /// Whether the pool knows `GetTokensFromRefreshToken`, which older ones and emulators do not.
    public var knowsNewerRefresh = true
    /// Whether a sign-up must confirm the address first.
    public var confirmsSignUps = true
    /// Where managed login may return to, compared byte for byte.
    public var redirectURIs: Set<String> = ["com.example.app:/callback"]
    /// Where the sign-out page may return to, compared byte for byte.
    public var logoutURIs: Set<String> = ["com.example.app:/signed-out"]
    /// The scopes that the app client allows.
    public var scopes: Set<String> = ["openid", "profile", "email", "phone", "aws.cognito.signin.user.admin"]
    /// The identity providers of the app client, each with its identifier.
    public var identityProviders = ["COGNITO": "", "Google": "", "SignInWithApple": "", "Staff": "staff.example.com"]

    /// The defaults.
    public init() {}
  }
}
#endif
