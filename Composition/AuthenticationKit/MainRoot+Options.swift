public import AuthenticationData
public import AuthenticationDomain

extension MainRoot {
  /// The parts of a root that an app may replace; each has a default.
  public struct Options: Sendable {
    /// The ways to sign in, in the order of the buttons; nil offers what the provider declares. This list is the one
    /// place that knows which method leads to which process.
    public var methods: [SignInProcess]?
    /// Where the links lead that the provider sends by e-mail; nil if it sends none.
    public var signInLink: SignInLink?
    /// Where the session is kept.
    public var storage = SessionStorage.platformDefault
    /// Origins of APIs that take this provider's tokens, besides its own.
    public var allowedOrigins: Set<Origin> = []
    /// Talks to the provider, and follows no redirect. Nil: ``SystemHTTPClient/shared``.
    public var providerTransport: (any HTTPClient)?
    /// Carries API calls. Nil: a ``SystemHTTPClient`` of the root's own, for bodies up to 64 MiB.
    public var apiTransport: (any HTTPClient)?
    /// The time; replace it in a test.
    public var clock: any AuthenticationClock = SystemClock()
    /// How long to wait before a request is sent again.
    public var backoff = Backoff()
    /// When sessions are refreshed, how failures are retried, how long callers wait; ``RenewalPolicy/onDemand`` for a
    /// process that may exit at any time, such as a command.
    public var renewal = RenewalPolicy.standard
    /// Where a provider's states, nonces and verifiers come from.
    public var randomBytes: @Sendable (_ count: Int) -> [UInt8] =
      AuthProviderConfiguration.Environment.systemRandomBytes
    /// How a person signs in again if an API asks for it (RFC 9470); by default the caller gets the error.
    public var stepUp: StepUp = { _ in nil }
    /// Decides about each session that a sign-in or a sign-up brings, of whichever method and after whichever step,
    /// before it is stored. What it throws refuses the sign-in and reaches the caller and the attempt: the tokens are
    /// revoked at the provider, nothing is stored, and the user who was signed in stays. The tokens of an
    /// ``ExistingSession`` are not revoked. A refresh does not ask it.
    ///
    /// ```swift
    /// options.checkSignIn = { session throws(AuthenticationError) in
    ///   guard session.user.email?.hasSuffix("@example.com") == true else { throw .notVerified }
    /// }
    /// ```
    public var checkSignIn: @Sendable (AuthSession) async throws(AuthenticationError) -> Void = {
      _ throws(AuthenticationError) in
    }
    /// Runs after each sign-in and sign-up, before that call returns and before the attempt ends: until then the models
    /// show that the user is signing in, although the manager's state has the session for the requests made here. A
    /// sign-out in here ends the attempt as cancelled.
    public var onSignIn: @Sendable (User) async -> Void = { _ in }
    /// Runs after each change by an account service, before that call returns.
    public var onAccountChange: @Sendable (AccountAbility) async -> Void = { _ in }
  }
}
