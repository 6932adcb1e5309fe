import AuthenticationBrowser
public import AuthenticationData
public import AuthenticationDomain
public import AuthenticationOpenID
public import Foundation
import Synchronization

/// How a service gets its tokens.
public enum ServiceGrant: Sendable {
  /// The client's own credentials: ``OpenIDClient/authentication`` (RFC 6749 §4.4).
  case clientCredentials
  /// The client's own credentials, proved by the platform's token instead of a secret (RFC 7523 §2.2), as Microsoft
  /// Entra ID has it for workload identities.
  case federatedCredentials(WorkloadToken)
  /// The platform's token itself (RFC 7523 §2.1), at an issuer that trusts the platform.
  case jwtBearer(WorkloadToken)
  /// A JWT that is signed anew for each request (RFC 7523 §2.1), about the client or an account that it acts for.
  ///
  /// - Parameters:
  ///   - keyID: the name under which the issuer knows the key; by default the key's own.
  ///   - subject: by default the client id.
  ///   - audience: by default the issuer.
  ///   - claims: further claims.
  case signedJWT(
    SigningKey, keyID: String? = nil, subject: String? = nil, audience: AssertionAudience = .issuer,
    claims: [String: JSONValue] = [:])

  /// Tells it from other grants of the same client.
  fileprivate var name: String {
    switch self {
    case .clientCredentials: "client"
    case .federatedCredentials(let token): "federated \(token.name)"
    case .jwtBearer(let token): "bearer \(token.name)"
    case .signedJWT(_, _, let subject, let audience, let claims):
      "signed \(subject ?? "") \(audience) \(Base64URL.encode((try? JSONEncoder.stable.encode(claims)) ?? Data()))"
    }
  }
}

/// Access tokens of a service: a program without a user.
///
/// A token is requested when there is none that is valid, once for all callers, and with ``Options/share(in:)`` once for
/// all processes. It is replaced before it expires, and after a resource has refused it. Reading a valid one costs a
/// lock and a clock.
///
/// ```swift
/// var client = OpenIDClient(issuer: "https://id.example.com", clientID: "reports")
/// client.authentication = .privateKeyJWT(try SigningKey(pem: pem), keyID: "2026-11")
/// client.scopes = ["orders.read"]
/// let tokens = try ServiceTokens(client)
/// let orders = try SystemHTTPClient().authorized(by: tokens, for: ["https://orders.example.com"])
/// ```
///
/// There is no session: a refresh token and an ID token in a response are ignored.
public final class ServiceTokens: TokenSource, Redacted {
  /// The parts that a service may replace; each has a default.
  public struct Options: Sendable {
    /// How the tokens are got.
    public var grant = ServiceGrant.clientCredentials
    /// Where a token is kept; by default in memory.
    public var storage: any SecureStorage = InMemoryStorage()
    /// Held while a token is requested, so that the other processes with this storage wait for it; nil if there are none.
    public var lock: (any SessionLock)?
    /// Talks to the issuer, and follows no redirect. Nil: a ``SystemHTTPClient`` that all services share.
    public var transport: (any HTTPClient)?
    /// The time; replace it in a test.
    public var clock: any AuthenticationClock = SystemClock()
    /// How long to wait before a request is sent again.
    public var backoff = Backoff()
    /// When a token is replaced, and how long callers wait; ``RefreshPolicy/onDemand`` for a process that may exit at
    /// any time.
    public var refreshPolicy = RefreshPolicy.standard

    /// Keeps the tokens in files that only their owner can read, for all processes that name the folder: one of them
    /// requests a token, and the others wait for it.
    ///
    /// - Parameter folder: may hold the tokens of several services.
    public mutating func share(in folder: URL) {
      let files = FileStorage(folder: folder)
      storage = files
      self.files = files
    }

    /// Has a lock for each service.
    fileprivate var files: FileStorage?
  }

  private struct Contents {
    var timing: RefreshTiming
    /// The latest token, which may have expired; one whose lifetime is not known is returned once.
    var latest: AccessToken?
    /// The token that a resource has refused last.
    var refused: AccessToken?
    /// From here on the token is replaced in the background; the first caller after it sets this to nil.
    var replaceEarlyAt: Duration?
    /// From here on callers wait for another one.
    var replaceAt: Duration?
    /// Why the last request failed.
    var failure: AuthenticationError?
    var request: Task<Response, Never>?
    /// Whether the process is about to end.
    var isDraining = false
    /// How often the tokens were forgotten: the token of an earlier request is not kept.
    var generation = 0

    func usable(at uptime: Duration) -> AccessToken? {
      guard let replaceAt, uptime < replaceAt, latest != refused else { return nil }
      return latest
    }

    mutating func update() {
      replaceEarlyAt = timing.refreshEarlyAt(canRefresh: true)
      replaceAt = timing.refreshAt(canRefresh: true)
    }
  }

  private typealias Response = Result<AccessToken, AuthenticationError>

  private let provider: OpenIDConnectProvider
  private let options: Options
  private let store: TokenStore
  private let lock: (any SessionLock)?
  private let clock: any AuthenticationClock
  private let environment: AuthProviderConfiguration.Environment
  private let contents: Mutex<Contents>

  /// Tokens of a client that the issuer knows as a service.
  ///
  /// - Parameters:
  ///   - client: as it is registered, with its authentication, and with the scopes, resources and audience of its tokens;
  ///     scopes that are nil ask for none.
  ///   - change: replaces some of the parts.
  /// - Throws: ``AuthenticationError/invalidConfiguration``. Nothing is sent.
  public init(
    _ client: OpenIDClient, _ change: (inout Options) -> Void = { _ in }
  ) throws(AuthenticationError) {
    var (client, options) = (client, Options())
    change(&options)
    client.scopes = client.scopes ?? []
    guard !client.bindsTokens else {
      throw .invalidConfiguration(
        "The tokens of a service are not bound to a key.", suggestion: "Leave out bindsTokens.")
    }
    let transport: any HTTPClient =
      if let transport = options.transport { transport } else { try SystemHTTPClient.shared }
    environment = AuthProviderConfiguration.Environment(
      httpClient: transport.retrying(backoff: options.backoff, clock: options.clock), clock: options.clock,
      transport: transport)
    provider = try OpenIDConnectProvider(client, in: environment)
    store = TokenStore(options.storage, realm: client.realm(of: options.grant))
    lock = options.lock ?? options.files?.sessionLock(for: store.key)
    contents = Mutex(Contents(timing: RefreshTiming(policy: options.refreshPolicy)))
    clock = options.clock
    self.options = options
  }

  /// A valid access token, requested first if necessary.
  ///
  /// Inlinable, so that a caller that finds a valid one makes no asynchronous call.
  ///
  /// - Returns: the token.
  /// - Throws: ``AuthenticationError/clientRejected`` for a wrong key, secret or assertion,
  ///   ``AuthenticationError/clockSkewed``, and each error of an issuer that cannot be reached.
  @inlinable
  public func validToken() async throws(AuthenticationError) -> AccessToken {
    if let token = usableToken { return token }
    return try await requestedToken(rejecting: nil)
  }

  public func validToken(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AccessToken {
    if rejected == nil, let token = usableToken { return token }
    return try await requestedToken(rejecting: rejected)
  }

  /// A valid access token that lasts for longer than `wanted`, if the issuer gives one.
  package func validToken(lasting wanted: Duration?) async throws(AuthenticationError) -> AccessToken {
    guard let wanted else { return try await validToken() }
    let uptime = clock.uptime
    let known = contents.withLock { contents in
      contents.timing.endsAt.map { $0 - uptime > wanted } == true ? contents.usable(at: uptime) : nil
    }
    return if let known { known } else { try await requestedToken(rejecting: nil, lasting: wanted) }
  }

  @usableFromInline var usableToken: AccessToken? {
    let uptime = clock.uptime
    let (token, isEarly) = contents.withLock { contents in
      guard let token = contents.usable(at: uptime) else { return (AccessToken?.none, false) }
      guard let early = contents.replaceEarlyAt, uptime >= early else { return (token, false) }
      contents.replaceEarlyAt = nil
      return (token, true)
    }
    if isEarly { _ = contents.withLock { request(in: &$0, replacing: token, lasting: nil) } }
    return token
  }

  /// Forgets the token here, then revokes it at the issuer (RFC 7009). The next caller gets a new one.
  ///
  /// - Throws: ``AuthenticationError/unsupportedMethod`` if the issuer has no endpoint that revokes tokens, and why it
  ///   could not be reached: the token then works there until it expires.
  public func revoke() async throws(AuthenticationError) {
    let known = contents.withLock { $0.latest }
    let stored = try await forget()
    for token in Set([stored, known].compactMap(\.self)) {
      try await provider.revoke(SessionTokens(access: token), keepingOtherSessions: false)
    }
  }

  /// Forgets the token here, and returns the stored one.
  @discardableResult
  package func forget() async throws(AuthenticationError) -> AccessToken? {
    try await locked { () async throws(AuthenticationError) in
      let stored = try await store.read()
      try await store.delete()
      contents.withLock { contents in
        (contents.latest, contents.request) = (nil, nil)
        contents.generation += 1
        contents.timing.follow(nil, canRefresh: true, by: clock, random: options.backoff.random)
        contents.update()
      }
      return stored
    }
  }

  /// The stored token, valid or not; nothing is sent.
  package func storedToken() async throws(AuthenticationError) -> AccessToken? { try await store.read() }

  /// Waits until the response to a request that was sent is stored, and requests no token from now on: call it before the
  /// process ends.
  ///
  /// - Parameter limit: how long to wait at most; by default 10 seconds.
  public func drain(within limit: Duration = .seconds(10)) async {
    let request = contents.withLock { contents in
      contents.isDraining = true
      return contents.request
    }
    guard let request else { return }
    // In a separate task: a server that stops has often cancelled the one that calls this.
    await Task.detached { [clock] in
      _ = try? await AbandonableCall().run(within: limit, by: clock) { _ in await request.value }
    }.value
  }

  /// Whether a token may have been requested.
  package var isRequestInFlight: Bool { contents.withLock { $0.request != nil } }

  // Not inlined into the fast path.
  @usableFromInline
  @inline(never)
  func requestedToken(
    rejecting rejected: AccessToken?, lasting wanted: Duration? = nil
  ) async throws(AuthenticationError) -> AccessToken {
    // The request that a caller has joined may bring the token that it rejects: then it starts another one.
    for _ in 0..<2 {
      let task = try joined(rejecting: rejected, lasting: wanted)
      let response = try await AbandonableCall<Response>().run(
        within: options.refreshPolicy.callerTimeout, by: clock
      ) { _ in await task.value }
      let token = try response.get()
      if token != rejected { return token }
    }
    throw .accessTokenRefused
  }

  private func joined(
    rejecting rejected: AccessToken?, lasting wanted: Duration?
  ) throws(AuthenticationError) -> Task<Response, Never> {
    let uptime = clock.uptime
    return try contents.withLock { contents throws(AuthenticationError) in
      if contents.isDraining, contents.request == nil { throw .cancelled }
      if let rejected {
        if rejected == contents.latest {
          if let end = contents.timing.cooldownEndsAt, uptime < end { throw .accessTokenRefused }
          contents.timing.follow(
            rejected, canRefresh: true, isRejected: true, by: clock, random: options.backoff.random)
        }
        // Of an older token it is known already that it is not the one to use.
        if rejected == contents.latest || contents.latest == nil { contents.refused = rejected }
      }
      return request(in: &contents, replacing: nil, lasting: wanted)
    }
  }

  /// Starts a request, unless there is one.
  ///
  /// - Parameter replaced: a token that is still valid, and is not enough.
  private func request(
    in contents: inout Contents, replacing replaced: AccessToken?, lasting wanted: Duration?
  ) -> Task<Response, Never> {
    if let request = contents.request { return request }
    let task = Task.detached { [generation = contents.generation] in
      await self.run(replacing: replaced, lasting: wanted, generation)
    }
    contents.request = task
    return task
  }

  private func run(
    replacing replaced: AccessToken?, lasting wanted: Duration?, _ generation: Int
  ) async -> Response {
    let response = await Response.of { () async throws(AuthenticationError) in
      try await token(replacing: replaced, lasting: wanted, generation)
    }
    return contents.withLock { contents in
      guard contents.generation == generation else { return response }
      contents.request = nil
      defer { contents.update() }
      switch response {
      case .success(let token):
        contents.failure = nil
        contents.timing.noteSuccess()
        contents.latest = token
        contents.timing.follow(token, canRefresh: true, by: clock, random: options.backoff.random)
        return response
      case .failure(let error):
        if contents.timing.heldOffError(at: clock.uptime) == nil {
          contents.failure = error
          contents.timing.noteFailure(error, of: contents.latest, at: clock.uptime, backoff: options.backoff)
        }
        // A token that is still valid stays in use.
        let isLeft = contents.timing.endsAt.map { clock.uptime < $0 } ?? false
        guard isLeft, wanted == nil, let latest = contents.latest, latest != contents.refused else { return response }
        return .success(latest)
      }
    }
  }

  /// Another process's token, or a new one.
  private func token(
    replacing replaced: AccessToken?, lasting wanted: Duration?, _ generation: Int
  ) async throws(AuthenticationError) -> AccessToken {
    let begunAt = clock.now
    if let stored = try await stored(replacing: replaced, lasting: wanted, since: nil) { return stored }
    if let error = heldOffError { throw error }
    return try await locked { () async throws(AuthenticationError) in
      if let stored = try await stored(replacing: replaced, lasting: wanted, since: begunAt) { return stored }
      let token = try await AbandonableCall().run(within: options.refreshPolicy.refreshTimeout, by: clock) {
        [self] _ throws(AuthenticationError) in try await provider.serviceToken(proof())
      }
      // Without a lifetime nothing would tell when it is no longer valid. One that cannot be kept is used all the same.
      if token.lifetime != nil, contents.withLock({ $0.generation == generation }) { try? await store.save(token) }
      return token
    }
  }

  /// Why the issuer is not asked now: earlier requests have failed.
  private var heldOffError: AuthenticationError? {
    contents.withLock { contents in
      guard let error = contents.timing.heldOffError(at: clock.uptime) else { return nil }
      guard let failure = contents.failure, failure.disposition != .transient else { return error }
      return failure.with(\.retryAfter, error.retryAfter)
    }
  }

  private func proof() async throws(AuthenticationError) -> ServiceProof {
    switch options.grant {
    case .clientCredentials: .client
    case .federatedCredentials(let token): .clientAssertion(try await token.read(environment.httpClient))
    case .jwtBearer(let token): .assertion(try await token.read(environment.httpClient))
    case .signedJWT(let key, let keyID, let subject, let audience, let claims):
      .signed(key, keyID: keyID, subject: subject ?? provider.clientID, audience: audience, claims: claims)
    }
  }

  /// A stored token that is enough; nil if there is none.
  ///
  /// - Parameter begunAt: a token that came after it is as new as one can be.
  private func stored(
    replacing replaced: AccessToken?, lasting wanted: Duration?, since begunAt: Date?
  ) async throws(AuthenticationError) -> AccessToken? {
    guard let token = try await store.read(), token != replaced, token != contents.withLock({ $0.refused }) else {
      return nil
    }
    var timing = RefreshTiming(policy: options.refreshPolicy)
    timing.follow(token, canRefresh: true, by: clock, random: { 0 })
    guard let endsAt = timing.endsAt, let replaceAt = timing.refreshAt(canRefresh: true), clock.uptime < replaceAt
    else { return nil }
    let isNew = begunAt.map { token.receivedAt >= $0 } ?? false
    return isNew || wanted.map { endsAt - clock.uptime > $0 } ?? true ? token : nil
  }

  /// Runs the work while no other process requests a token.
  private func locked<Value: Sendable>(
    _ work: () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    guard let lock else { return try await work() }
    let deadline = clock.uptime + options.refreshPolicy.refreshTimeout
    let pauses = Backoff(base: .milliseconds(8), cap: .milliseconds(100), random: options.backoff.random)
    var attempt = 0
    while try !lock.tryAcquire() {
      if contents.withLock({ $0.isDraining }) { throw .cancelled }
      guard clock.uptime < deadline else { throw .timedOut }
      let pause = max(pauses.delay(attempt: attempt), .milliseconds(1))
      do { try await clock.sleep(for: pause) } catch { throw .cancelled }
      attempt += 1
    }
    defer { lock.release() }
    return try await work()
  }
}

extension OpenIDClient {
  /// Names the tokens of one client for one purpose.
  fileprivate func realm(of grant: ServiceGrant) -> String {
    let scopes = (scopes ?? []).sorted().joined(separator: " ")
    let parts = [issuer, clientID, grant.name, scopes, resources.joined(separator: " "), audience ?? ""]
    return parts.map { "\($0.utf8.count) \($0)" }.joined(separator: " ")
  }
}

/// Keeps one access token, off the threads that must not block.
private actor TokenStore {
  private static let heading = "AuthenticationKit service token 1"

  private let executor = BlockingExecutor(label: "AuthenticationKit.ServiceTokens")
  private let storage: any SecureStorage
  private let realm: String
  let key: String

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ storage: any SecureStorage, realm: String) {
    self.storage = storage
    self.realm = realm
    key = "service.\(PublicSHA256.hexadecimal(realm.utf8).prefix(32))"
  }

  /// Nil also for bytes that cannot be read as a token: another one can be requested.
  func read() throws(AuthenticationError) -> AccessToken? {
    do throws(AuthenticationError) {
      return try storage.read(key).flatMap(decoded)
    } catch {
      guard error == .storageCorrupt else { throw error }
      return nil
    }
  }

  func delete() throws(AuthenticationError) { try storage.delete(key) }

  func save(_ token: AccessToken) throws(AuthenticationError) {
    var writer = StoredFields.Writer(heading: Self.heading)
    writer.add("realm", realm)
    writer.add("access", token.value.reveal())
    writer.add("type", token.type)
    writer.add("received-at", String(token.receivedAt.timeIntervalSinceReferenceDate))
    writer.add("lifetime", token.lifetime.map { String($0.components.seconds) })
    writer.add("clock-offset", token.clockOffset.map { String($0.components.seconds) })
    for scope in token.scopes { writer.add("scope", scope) }
    try storage.write(writer.finished(), for: key)
  }

  private func decoded(_ data: Data) -> AccessToken? {
    guard let fields = StoredFields.read(data, heading: Self.heading) else { return nil }
    let values = Dictionary(fields.map { ($0.name, $0.value) }) { $1 }
    guard values["realm"] == realm, let access = values["access"], let type = values["type"],
      let receivedAt = values["received-at"].flatMap({ Double($0) }),
      let lifetime = values["lifetime"].flatMap({ Int64($0) })
    else { return nil }
    return try? AccessToken(
      Secret(access), type: type, receivedAt: Date(timeIntervalSinceReferenceDate: receivedAt),
      lifetime: .seconds(lifetime), scopes: fields.filter { $0.name == "scope" }.map(\.value),
      clockOffset: values["clock-offset"].flatMap { Int64($0) }.map { .seconds($0) })
  }
}
