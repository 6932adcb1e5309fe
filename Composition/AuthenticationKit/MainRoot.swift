public import AuthenticationData
public import AuthenticationDomain

/// The composition root: knows every part, and no part knows it.
///
/// Each part can be replaced; each has a default. Two roots with two keys are two accounts in one process.
///
/// ```swift
/// let root = try MainRoot(.api(baseURL: "https://api.example.com")) { $0.renewal = .onDemand }
/// let user = try await root.manager.signIn(with: .password(userName: name, password: Secret(password)))
/// ```
public final class MainRoot: Sendable {
  /// Signs in and out, keeps the session, and returns it.
  public let manager: RootManager
  /// The ways to sign in, and the attempt in progress, which ends with a sign-out.
  public var attempts: SignInAttempts { manager.attempts }
  /// The account services of the provider.
  public let account: AccountServices
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
  let clock: any AuthenticationClock
  #if canImport(Network)
  private let networkPath: Task<Void, Never>
  #endif

  /// Composes an app's authentication.
  ///
  /// - Parameters:
  ///   - configuration: names the provider.
  ///   - change: replaces some of the parts.
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration``, also for an origin that is neither https nor this
  ///   machine.
  public init(
    _ configuration: AuthProviderConfiguration, _ change: (inout Options) -> Void = { _ in }
  ) throws(AuthenticationError) {
    var options = Options()
    change(&options)
    let providerTransport: any HTTPClient =
      if let transport = options.providerTransport { transport } else { try SystemHTTPClient.shared }
    let apiTransport: any HTTPClient =
      if let transport = options.apiTransport { transport } else { try SystemHTTPClient(maximumBodySize: 64 << 20) }
    let place = options.storage.place(configuration.realm)
    let reach = ProviderReach()
    let environment = AuthProviderConfiguration.Environment(
      httpClient: AnyHTTPClient(providerTransport).noting(reach, isProvider: true)
        .retrying(backoff: options.backoff, clock: options.clock),
      clock: options.clock, storage: place.secrets, transport: providerTransport, randomBytes: options.randomBytes)
    let product = try configuration.make(environment)
    providerName = configuration.name
    clock = options.clock
    provider = product.provider
    proof = product.proof
    allowedOrigins = product.allowedOrigins.union(options.allowedOrigins)
    if let insecure = allowedOrigins.first(where: { !$0.isSecure }) { throw .insecureOrigin(insecure) }
    let authManager = AuthManager(
      provider: product.provider, store: place.store, lock: place.lock, clock: options.clock, policy: options.renewal,
      checkSignIn: options.checkSignIn, random: options.backoff.random)
    reach.follow(authManager)
    let pending = SecurePendingSignIns(place.secrets, realm: configuration.realm)
    let processes = options.methods ?? product.processes
    try processes.check(for: product.provider)
    let manager = RootManager(authManager, pending, onSignIn: options.onSignIn) { useCase in
      SignInAttempts(
        processes, useCase: useCase, pending: pending, links: options.signInLink, clock: options.clock,
        dropChallenge: { await authManager.dropChallenge($0) })
    }
    self.manager = manager
    account = AccountServices(product.provider, of: authManager, onChange: options.onAccountChange)
      .intercept { ability in
        if ability == .delete { await manager.accountDeleted() }
      }
    apiClient = AnyHTTPClient(
      AnyHTTPClient(apiTransport).noting(reach, isProvider: false).proving(with: product.proof)
        .retrying(backoff: options.backoff, clock: options.clock)
        .followRedirects()
        .authorized(by: authManager, for: allowedOrigins)
        .steppingUp(authManager, by: manager, credentials: options.stepUp))
    requestAuthorizer = URLRequestAuthorizer(
      source: authManager, allowedOrigins: allowedOrigins, proof: product.proof)
    #if canImport(Network)
    // Last: nothing would end it if this threw.
    networkPath = NetworkPath.follow { [weak authManager] in authManager?.noteProviderReached() }
    #endif
  }

  #if canImport(Network)
  deinit { networkPath.cancel() }
  #endif

  /// The part of ``manager`` that signs in and signs up, for code that does nothing else.
  public var useCase: some AuthenticationUseCase & SignUpUseCase { manager }

  /// What draws the buttons, in order.
  public var methods: [SignInMethod] { attempts.methods }

  /// Who is signed in now, as a snapshot; nil also while that is not known.
  public var currentUser: User? { manager.state.user }

}

extension AuthenticationError {
  fileprivate static func insecureOrigin(_ origin: Origin) -> Self {
    Self(
      .invalidConfiguration, "The allowed origin \(origin) is neither https nor this machine.",
      suggestion: "Serve the API by https: anybody on the way could read the token.")
  }
}
