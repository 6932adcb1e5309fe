#if Tools && OpenID
extension LoopbackFirebase {
  /// The settings of the project, for as long as the server lives.
  public struct Options: Sendable {
    /// The project's id.
    public var projectID = "demo-project"
    /// The web API key.
    public var apiKey = "api-key"
    /// If set, the key works only with this `X-Ios-Bundle-Identifier`.
    public var bundleID: String?
    /// If set, every body must name it as `tenantId`.
    public var tenantID: String?
    /// Enumeration protection, on in new projects: no response tells whether an address has an account.
    public var hidesAccounts = true
    /// How long an access token lasts.
    public var accessTokenLifetime: Duration = .seconds(3_600)
    /// How recent a sign-in must be for a new password, a new address, another factor, and deletion.
    public var recentSignIn: Duration = .seconds(300)
    /// How long the code of a mail works.
    public var mailCodeLifetime: Duration = .seconds(3_600)
    /// How long the code of a text message works.
    public var phoneCodeLifetime: Duration = .seconds(300)
    /// Numbers for tests (E.164), for which the app needs no proof of itself.
    public var fictionalNumbers: Set<String> = []
    /// Methods that are off in the project: operations, such as `signUp`.
    public var disabledOperations: Set<String> = []
    /// Whether it behaves as Firebase's own emulator: it has a page, but no `createAuthUri` for a provider.
    public var isEmulator = false
    /// Where a provider's page may return to (`continueUri`), as it is registered at the provider.
    public var continueURIs: Set<String> = ["com.example.app:/callback"]

    /// The defaults.
    public init() {}
  }
}
#endif
