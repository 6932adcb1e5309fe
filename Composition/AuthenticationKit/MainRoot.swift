public import AuthenticationData
public import AuthenticationDomain
public import AuthenticationPresentation
import Foundation

/// The composition root: knows every part, and no part knows it.
///
/// Each part can be replaced; each has a default. Two roots with two keys are two accounts in one process.
///
/// ```swift
/// let root = try MainRoot(.api(baseURL: "https://api.example.com")) { $0.refreshPolicy = .onDemand }
/// let user = try await root.useCase.signIn(with: .password(userName: name, password: Secret(password)))
/// for await state in root.manager.states() { show(state) }
/// ```
public final class MainRoot: Sendable {
  /// Keeps the session, returns it, and signs out. It signs in as well, but without the decorators of ``useCase``.
  public let manager: AuthManager
  /// Signs in and up: the credentials are validated first, and ``Options/onSignIn`` runs after it.
  public let useCase: any AuthenticationUseCase
  /// The ways to sign in, and the attempt in progress, which ends with a sign-out.
  public let attempts: SignInAttempts
  /// Sends API calls with a valid token: ``Options/apiDecorator`` → stepping up → authorizing → redirecting → retrying
  /// → proving → transport.
  public let apiClient: any HTTPClient
  private let resourceClients: [ProtectedResource: any HTTPClient]
  #if canImport(Security)
  /// Authorizes a `URLRequest` for another HTTP client.
  public let requestAuthorizer: URLRequestAuthorizer
  #endif
  /// The provider's name, from its configuration.
  public let providerName: String
  /// The provider itself: cast it to its type for the abilities of that type alone.
  public let provider: any RemoteAuthProvider
  /// The proof that requests carry besides the token; nil if any bearer may use the token.
  public let proof: (any RequestProof)?
  /// Where access tokens may be sent.
  public let allowedOrigins: Set<Origin>
  /// The paths at these origins.
  package let pathLimit: PathLimit
  let clock: any AuthenticationClock
  #if canImport(Network)
  private let networkPath: Task<Void, Never>
  #endif

  /// Composes an app's authentication.
  ///
  /// - Parameters:
  ///   - configuration: names the provider.
  ///   - change: replaces some of the parts.
  /// - Throws: ``AuthenticationError/invalidConfiguration``, also for an origin that is neither https nor this
  ///   machine.
  public init(
    _ configuration: AuthProviderConfiguration, _ change: (inout Options) -> Void = { _ in }
  ) throws(AuthenticationError) {
    var options = Options()
    change(&options)
    let providerTransport: any HTTPClient =
      if let transport = options.providerTransport {
        transport
      } else if let trust = options.serverTrust {
        try SystemHTTPClient(maximumBodySize: SystemHTTPClient.providerLimit, trust: trust)
      } else {
        try SystemHTTPClient.shared
      }
    let apiTransport: any HTTPClient =
      if let transport = options.apiTransport {
        transport
      } else {
        try SystemHTTPClient(deadline: options.apiDeadline, trust: options.serverTrust ?? ServerTrust())
      }
    let location = options.storage.realm(configuration.realm)
    let reach = ProviderReach()
    let environment = AuthProviderConfiguration.Environment(
      httpClient: providerTransport.noting(reach, isProvider: true)
        .retrying(backoff: options.backoff, clock: options.clock),
      clock: options.clock, storage: location.secrets, transport: providerTransport,
      resources: try options.declaredResources(), randomBytes: options.randomBytes
    ).locked(by: location.lock)
    let product = try configuration.make(environment)
    providerName = configuration.name
    clock = options.clock
    provider = product.provider
    proof = product.proof
    pathLimit = PathLimit(product.path, at: product.allowedOrigins)
    allowedOrigins = product.allowedOrigins.union(options.allowedOrigins)
    let origins = options.resources.values.reduce(allowedOrigins) { $0.union($1) }
    if let insecure = origins.first(where: { !$0.isSecure }) { throw .insecureOrigin(insecure) }
    let (observe, follow) = options.observer(location)
    manager = AuthManager(
      provider: product.provider, store: location.store, lock: location.lock, clock: options.clock,
      policy: options.refreshPolicy, resources: environment.resources, checkSignIn: options.checkSignIn,
      random: options.backoff.random, observe: observe)
    follow(manager)
    reach.follow(manager)
    let pending = SecurePendingSignIns(location.secrets, realm: configuration.realm)
    #if os(tvOS)
    // Typing with a remote is slow, unless the app has set an order.
    let processes = options.methods ?? product.processes.deviceFirst
    #else
    let processes = options.methods ?? product.processes
    #endif
    try processes.check(for: product.provider)
    useCase = manager.intercept(options.onSignIn).addValidation()
    attempts = SignInAttempts(
      processes, useCase: useCase, manager: manager, pending: pending, links: options.signInLink, clock: options.clock)
    // Also where a redirect leads.
    let sender = apiTransport.noting(reach, isProvider: false).proving(with: product.proof)
      .retrying(backoff: options.backoff, clock: options.clock).limited(to: pathLimit).followRedirects()
    let stepUps = SharedStepUps(manager, useCase: useCase, credentials: options.stepUp)
    apiClient = options.apiDecorator(
      sender.authorized(by: manager, for: allowedOrigins, refusesToken: product.refusesToken)
        .steppingUp(manager, sharing: stepUps)
        .limited(to: pathLimit))
    var clients: [ProtectedResource: any HTTPClient] = [:]
    for (resource, origins) in options.resources {
      clients[resource] = options.apiDecorator(
        sender.authorized(by: try manager.source(for: resource), for: origins)
          .steppingUp(manager, sharing: stepUps))
    }
    resourceClients = clients
    #if canImport(Security)
    requestAuthorizer = URLRequestAuthorizer(
      source: manager, allowedOrigins: allowedOrigins, proof: product.proof, limit: pathLimit)
    #endif
    #if canImport(Network)
    // Last: nothing would end it if this threw.
    networkPath = NetworkPath.follow { [weak manager] in manager?.noteProviderReached() }
    #endif
  }

  #if canImport(Network)
  deinit { networkPath.cancel() }
  #endif

  /// The methods that the app offers, in the order of their buttons.
  public var methods: [SignInMethod] { attempts.methods }

  /// Sends API calls as ``apiClient`` does, with the access token of one resource, and to the origins of that resource
  /// only.
  ///
  /// ```swift
  /// let response = try await root.apiClient(for: orders).send(HTTPRequest(.get, url))
  /// ```
  ///
  /// - Parameter resource: one of ``Options/resources``.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for any other one. A request throws
  ///   ``AuthenticationError/resourceRefused`` if the provider gives the session no token for the resource.
  public func apiClient(for resource: ProtectedResource) throws(AuthenticationError) -> any HTTPClient {
    if let client = resourceClients[resource] { return client }
    _ = try manager.source(for: resource)
    throw .invalidConfiguration
  }

  /// Returns an ID token of the session that is valid, refreshed first if it has expired: for a server that verifies
  /// users, such as a Kubernetes cluster. An API takes an access token (``apiClient``).
  ///
  /// - Parameter wanted: how long it must last; half of its lifetime is enough. nil asks for a minute, or a quarter of
  ///   a shorter lifetime.
  /// - Returns: the token as the provider sent it. One that does not say when it expires is returned as it is.
  /// - Throws: ``AuthenticationError/unsupportedMethod`` if the provider gave none,
  ///   ``AuthenticationError/sessionExpired`` if it has expired and a refresh brings no other one, and as
  ///   ``AuthenticationDomain/AuthManager/validSession()`` does.
  public func validIDToken(lasting wanted: Duration? = nil) async throws(AuthenticationError) -> Secret {
    let isEnough = { (token: Secret) in self.lasts(token, for: wanted ?? .seconds(60), share: wanted == nil ? 4 : 2) }
    // It may be valid for longer than the access token.
    if let token = manager.state.session?.tokens.identity, isEnough(token) { return token }
    let session = try await manager.validSession()
    guard let token = session.tokens.identity else { throw .noIDToken }
    if isEnough(token) { return token }
    let refreshed = try await manager.refreshNow()
    if let token = refreshed.tokens.identity, lasts(token, for: .zero, share: 1) { return token }
    // A refresh that failed is no error as long as the access token is valid.
    if refreshed.tokens == session.tokens { _ = try await manager.validSession(lasting: AccessToken.longestLifetime) }
    throw .idTokenExpired
  }

  private func lasts(_ token: Secret, for wanted: Duration, share: Double) -> Bool {
    let claims = JSONMembers(unverified: token)
    guard let end = claims?.date("exp") else { return true }
    let lifetime = claims?.date("iat").map { end.timeIntervalSince($0) } ?? .infinity
    return end.timeIntervalSince(clock.now) > min(wanted / .seconds(1), lifetime / share)
  }

  /// The signed-in user, as a snapshot; nil also while that is not known.
  public var currentUser: User? { manager.state.user }
}

extension AuthenticationError {
  fileprivate static let noIDToken = Self(
    .unsupportedMethod, "The session has no ID token.",
    suggestion: "Sign in at an OpenID issuer, with the scope openid.")
  fileprivate static let idTokenExpired = Self(
    .sessionExpired, "The ID token has expired, and the refresh brought no other one.", suggestion: "Sign in again.")

  fileprivate static func insecureOrigin(_ origin: Origin) -> Self {
    Self(
      .invalidConfiguration, "The allowed origin \(origin) is neither https nor this machine.",
      suggestion: "Serve the API by https: others on the network could read the token.")
  }
}

extension MainRoot {
  /// The parts of a root that an app may replace; each has a default.
  public struct Options: Sendable {
    /// The ways to sign in, in the order of the buttons; nil offers those that the provider declares. This list is the
    /// one place that knows which method leads to which process.
    public var methods: [SignInProcess]?
    /// Where the links lead that the provider sends by e-mail; nil if it sends none.
    public var signInLink: SignInLink?
    /// Where the session is kept.
    public var storage = StorageLocation.platformDefault()
    /// Origins of APIs that take this provider's tokens, besides its own.
    public var allowedOrigins: Set<Origin> = []
    /// Further APIs, each with a separate access token from the same session and the origins it may be sent to; at most
    /// 16. The sign-in asks for all of them.
    public var resources: [ProtectedResource: Set<Origin>] = [:]
    /// Adds the app's decorators to ``MainRoot/apiClient`` and to the clients of ``resources``, outside of all others:
    /// a header that is added here is not sent along a redirect to another origin (<doc:CallingAnAPI>).
    public var apiDecorator: @Sendable (any HTTPClient) -> any HTTPClient = { $0 }
    /// Which servers are accepted in TLS, the provider's and the APIs'; nil accepts those of the system. Not used with
    /// a transport of the app.
    public var serverTrust: ServerTrust?
    /// Talks to the provider, and follows no redirect; replace it in a test. Nil: a ``SystemHTTPClient`` for bodies of
    /// up to 1 MiB, which all roots share.
    public var providerTransport: (any HTTPClient)?
    /// Carries API calls, below retries and redirects; replace it in a test. Nil: a ``SystemHTTPClient`` of the root. For
    /// a decorator there is ``apiDecorator``.
    public var apiTransport: (any HTTPTransport)?
    /// How long one exchange of an API call may take, from the call to the last byte; 30 seconds by default. Not used
    /// with an ``apiTransport`` of the app.
    public var apiDeadline = Duration.seconds(30)
    /// The time; replace it in a test.
    public var clock: any AuthenticationClock = SystemClock()
    /// How long to wait before a request is sent again.
    public var backoff = Backoff()
    /// When sessions are refreshed, how failures are retried, how long callers wait; ``RefreshPolicy/onDemand`` for a
    /// process that may exit at any time, such as a command.
    public var refreshPolicy = RefreshPolicy.standard
    /// Where a provider's states, nonces and verifiers come from.
    package var randomBytes: @Sendable (_ count: Int) -> [UInt8] =
      AuthProviderConfiguration.Environment.systemRandomBytes
    /// How a user signs in again if an API asks for it: for a more recent or stronger sign-in (RFC 9470), for scopes
    /// that the session lacks (403 `insufficient_scope`, RFC 6750 §3.1), or by a claims challenge (Microsoft Entra ID).
    /// The closure's argument names the case. By default the caller gets the error.
    public var stepUp: StepUp = { _ in nil }
    /// Decides about each session that a sign-in or a sign-up brings, of whichever method and after whichever step,
    /// before it is stored. An error that it throws refuses the sign-in and reaches the caller and the attempt: the
    /// tokens are revoked at the provider, nothing is stored, and the signed-in user stays. The tokens of a
    /// session that is adopted are not revoked. A refresh does not ask it.
    ///
    /// ```swift
    /// options.checkSignIn = { session throws(AuthenticationError) in
    ///   guard session.user.email?.hasSuffix("@example.com") == true else { throw .notVerified }
    /// }
    /// ```
    public var checkSignIn: (@Sendable (AuthSession) async throws(AuthenticationError) -> Void)?
    /// Runs after each sign-in and sign-up, before that call returns and before the attempt ends: until then the models
    /// show that the user is signing in, although the manager's state has the session for the requests made here. A
    /// sign-out in here ends the attempt as cancelled.
    public var onSignIn: @Sendable (User) async -> Void = { _ in }
    /// Observes the state machine of a realm: gets each event, and the manager.
    package var observer:
      @Sendable (StorageLocation.Realm) -> (
        observe: (@Sendable (SessionChange) -> Void)?, follow: @Sendable (AuthManager) -> Void
      ) = { _ in (nil, { _ in }) }

    /// The resources in one order for all processes.
    fileprivate func declaredResources() throws(AuthenticationError) -> [ProtectedResource] {
      let declared = resources.keys.sorted { $0.key < $1.key }
      guard declared.count <= SessionRecord.maximumResources else {
        throw .invalidConfiguration(
          "More than \(SessionRecord.maximumResources) resources are declared.", suggestion: "Make several roots.")
      }
      let isUnnamed = declared.contains {
        $0.indicator.map { $0.isEmpty || $0.contains(where: \.isWhitespace) } ?? $0.scopes.isEmpty
      }
      guard !isUnnamed else {
        throw .invalidConfiguration(
          "A resource has no name, or one with white space.",
          suggestion: "Name it as the provider does, such as https://orders.example.com.")
      }
      return declared
    }
  }
}

extension [SignInProcess] {
  /// The order of a screen without a keyboard: a sign-in on another device, then the others as they are.
  package var deviceFirst: Self { filter { $0.method == .device } + filter { $0.method != .device } }

  /// Checks, when a root is made, that the provider can do each method that the app offers.
  func check(for provider: any RemoteAuthProvider) throws(AuthenticationError) {
    let possible = Set(provider.methods + [.unlock])
    var listed: Set<SignInMethod> = []
    for process in self {
      guard possible.contains(process.presented) else { throw .impossible(process.method) }
      guard listed.insert(process.method).inserted else { throw .listedTwice(process.method) }
    }
  }
}

extension AuthenticationError {
  fileprivate static func impossible(_ method: SignInMethod) -> Self {
    .invalidConfiguration(
      "The provider cannot sign in with the method '\(method.id)'.",
      suggestion: "Leave it out of the methods, or name the method whose credentials its process presents.")
  }

  fileprivate static func listedTwice(_ method: SignInMethod) -> Self {
    .invalidConfiguration("The method '\(method.id)' is listed twice.", suggestion: "Leave one out.")
  }
}

extension MainRoot {
  /// Ends the session if the vendor that the user signed in with has revoked it. Call it at each launch, and when the
  /// vendor reports a revocation.
  ///
  /// A user who took the consent back is signed out, with the reason ``SignOutReason/credentialRevoked``. One whom the
  /// vendor does not know on this device is signed out only if the provider refuses to refresh the session. An outage,
  /// of the vendor or of the provider, keeps it.
  ///
  /// - Returns: the state after that.
  @discardableResult
  public func check(_ credential: any CredentialCheck) async -> AuthenticationState {
    let user = await manager.restore().user
    try? await manager.endSession(because: .credentialRevoked) { [manager] session in
      switch await credential.state(of: session.user) {
      case .revoked?: return true
      case .notFound?: return await manager.isRefused(session)
      default: return false
      }
    }
    // Not before: a process that is killed in between must be able to ask again.
    if case .signedOut(.credentialRevoked) = manager.state, let user { credential.forget(user) }
    return manager.state
  }

  /// The dependencies of the models of the flows.
  ///
  /// - Parameter words: the words shown to the user, in which language.
  public func flows(in words: Words = Words()) -> FlowEnvironment {
    FlowEnvironment(attempts: attempts, control: manager, clock: clock, words: words)
  }

  /// A new view model, one for each screen; all of them follow the same stream of states.
  ///
  /// - Parameters:
  ///   - flows: by default in English.
  ///   - onCompletion: called once for each attempt of this model that made a session.
  @MainActor
  public func makeViewModel(
    _ flows: FlowEnvironment? = nil, onCompletion: @escaping @MainActor (AuthSession) -> Void = { _ in }
  ) -> AuthenticationViewModel {
    let flows = flows ?? self.flows()
    let session = SessionModel(
      in: flows, provider: providerName, canSignOutEverywhere: provider.endsOtherSessions,
      deliver: { [manager] in await manager.deliverRevocations() })
    return AuthenticationViewModel(flows, session: session, onCompletion: onCompletion)
  }
}

extension AuthManager {
  /// Asks the provider, which ends a session that it refuses to refresh; true if that is left to the caller.
  fileprivate func isRefused(_ session: AuthSession) async -> Bool {
    if session.tokens.refresh == nil { return (try? await isValid()) == false }
    _ = try? await refreshNow()
    return false
  }
}
