public import AuthenticationData
public import AuthenticationDomain
public import AuthenticationPresentation

/// The composition root: knows every part, and no part knows it.
///
/// Each part can be replaced; each has a default. Two roots with two keys are two accounts in one process.
///
/// ```swift
/// let root = try MainRoot(.api(baseURL: "https://api.example.com"))
/// let user = try await root.useCase.signIn(with: .password(userName: name, password: Secret(password)))
/// ```
public final class MainRoot: Sendable {
  /// Keeps the session: remote → store → runtime.
  public let manager: AuthManager
  /// Signs in: validated first, then by the manager; then the interceptor runs.
  public let useCase: ValidatingUseCase<InterceptingUseCase<AuthManager>>
  /// Sends API calls with a valid token: stepping up → authorizing → redirecting → retrying → proving
  /// → transport.
  public let apiClient: AnyHTTPClient
  /// Authorizes a `URLRequest` for another HTTP client.
  public let requestAuthorizer: URLRequestAuthorizer<AuthManager>
  /// The provider's name, from its configuration.
  public let providerName: String
  /// The provider itself: cast it to its own type for what only that type can do.
  public let provider: any RemoteAuthProvider
  /// What requests carry besides the token; nil if any bearer may use the token.
  public let proof: (any RequestProof)?
  /// Where access tokens may be sent.
  public let allowedOrigins: Set<Origin>

  /// Composes an app's authentication.
  ///
  /// - Parameters:
  ///   - configuration: names the provider.
  ///   - storage: where the session is kept.
  ///   - allowedOrigins: origins of APIs that take this provider's tokens, besides its own.
  ///   - providerTransport: talks to the provider; it follows no redirect. By default ``SystemHTTPClient/shared``.
  ///   - apiTransport: carries API calls. By default a ``SystemHTTPClient`` of its own, for bodies up to 64 MiB.
  ///   - clock: the time; replace it in a test.
  ///   - backoff: how long to wait before a request is sent again.
  ///   - renewal: when sessions are refreshed, how failures are retried, how long callers wait;
  ///     ``RenewalPolicy/onDemand`` for a process that may exit at any time, such as a command.
  ///   - randomBytes: where a provider's states, nonces and verifiers come from.
  ///   - executor: where the store is called; replace it in a simulation.
  ///   - stepUp: how a person signs in again if an API asks for it (RFC 9470); by default the caller gets the error.
  ///   - onSignIn: runs after each sign-in by ``useCase`` or a view model, before that call returns.
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration``, also for an origin that is neither https nor this
  ///   machine.
  public init(
    _ configuration: AuthProviderConfiguration,
    storage: SessionStorage = .platformDefault,
    allowedOrigins: Set<Origin> = [],
    providerTransport: (any HTTPClient)? = nil,
    apiTransport: (any HTTPClient)? = nil,
    clock: any AuthenticationClock = SystemClock(),
    backoff: Backoff = Backoff(),
    renewal: RenewalPolicy = .standard,
    randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8] =
      AuthProviderConfiguration.Environment.systemRandomBytes,
    executor: any SerialExecutor = BlockingExecutor(),
    stepUp: @escaping StepUp = { _ in nil },
    onSignIn: @escaping @Sendable (User) async -> Void = { _ in }
  ) throws(AuthenticationError) {
    let providerTransport: any HTTPClient =
      if let providerTransport { providerTransport } else { try SystemHTTPClient.shared }
    let apiTransport: any HTTPClient =
      if let apiTransport { apiTransport } else { try SystemHTTPClient(maximumBodySize: 64 << 20) }
    let place = storage.place(configuration.realm)
    let environment = AuthProviderConfiguration.Environment(
      httpClient: AnyHTTPClient(providerTransport).retrying(backoff: backoff, clock: clock), clock: clock,
      storage: place.secrets, transport: providerTransport, randomBytes: randomBytes)
    let product = try configuration.make(environment)
    providerName = configuration.name
    provider = product.provider
    proof = product.proof
    self.allowedOrigins = product.allowedOrigins.union(allowedOrigins)
    if let insecure = self.allowedOrigins.first(where: { !$0.isSecure }) { throw .insecureOrigin(insecure) }
    manager = AuthManager(
      provider: product.provider, store: place.store, lock: place.lock, clock: clock, policy: renewal,
      random: backoff.random, executor: executor)
    let useCase = manager.intercept(onSignIn).addValidation()
    self.useCase = useCase
    apiClient = AnyHTTPClient(
      AnyHTTPClient(apiTransport).proving(with: product.proof)
        .retrying(backoff: backoff, clock: clock)
        .followRedirects()
        .authorized(by: manager, for: self.allowedOrigins)
        .steppingUp(manager, by: useCase, credentials: stepUp))
    requestAuthorizer = URLRequestAuthorizer(
      source: manager, allowedOrigins: self.allowedOrigins, proof: product.proof)
  }

  /// Who is signed in now, as a snapshot; nil also while that is not known.
  public var currentUser: User? { manager.state.user }

  /// A new view model, one for each screen; all of them follow the same stream of states.
  @MainActor
  public func makeViewModel() -> AuthenticationViewModel {
    AuthenticationViewModel(useCase: useCase, control: manager)
  }
}

extension AuthenticationError {
  fileprivate static func insecureOrigin(_ origin: Origin) -> Self {
    Self(
      .invalidConfiguration, "The allowed origin \(origin) is neither https nor this machine.",
      suggestion: "Serve the API by https: anybody on the way could read the token.")
  }
}
