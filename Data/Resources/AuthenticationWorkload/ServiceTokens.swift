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
    /// The latest token, which may have expired; one whose lifetime is not known is returned once.
    var latest: AccessToken?
    /// The token that a resource has refused last.
    var refused: AccessToken?
    /// Why the last request failed.
    var failure: AuthenticationError?
    var isRequesting = false
    /// How often the tokens were forgotten: a token that was requested before that is not kept.
    var generation = 0
  }

  private let provider: OpenIDConnectProvider
  private let options: Options
  private let store: TokenStore
  private let lock: (any SessionLock)?
  private let clock: any AuthenticationClock
  private let environment: AuthProviderConfiguration.Environment
  /// The slot is told of each change under this lock, so that it hears of them in their order.
  private let contents = Mutex(Contents())
  private let slot: TokenSlot
  private let inFlight = RefreshesInFlight()
  /// The slot keeps sessions; a service has none but its token.
  private let user: User

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
    slot = TokenSlot(policy: options.refreshPolicy, clock: options.clock, backoff: options.backoff)
    user = User(id: client.clientID)
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
    if let token = slot.usable(rejecting: nil, lasting: wanted)?.accessToken { return token }
    return try await requestedToken(rejecting: nil, lasting: wanted)
  }

  @usableFromInline var usableToken: AccessToken? {
    slot.usable { request(replacing: contents.withLock { $0.latest }, lasting: nil) }?.accessToken
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
        contents.latest = nil
        contents.generation += 1
        slot.follow(nil, generation: 0, canRefresh: true)
        slot.publish(nil)
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
    await inFlight.drain(within: limit, by: clock)
  }

  /// Whether a token may have been requested.
  package var isRequestInFlight: Bool { inFlight.isSome }

  // Not inlined into the fast path.
  @usableFromInline
  @inline(never)
  func requestedToken(
    rejecting rejected: AccessToken?, lasting wanted: Duration? = nil
  ) async throws(AuthenticationError) -> AccessToken {
    try slot.checkCooldown(of: rejected)
    if let rejected { refuse(rejected) }
    let session = try await slot.session(rejecting: rejected, lasting: wanted) {
      refuse($0)
    } start: {
      request(replacing: nil, lasting: wanted)
    }
    if session.accessToken == rejected { throw .accessTokenRefused }
    return session.accessToken
  }

  private func refuse(_ token: AccessToken) {
    // Of an older token it is known already that it is not the one to use.
    contents.withLock { contents in
      guard token == contents.latest || contents.latest == nil else { return }
      contents.refused = token
      guard contents.latest != nil else { return }
      slot.follow(session(token), generation: 0, isRejected: true, canRefresh: true)
      slot.publish(nil)
    }
  }

  private func session(_ token: AccessToken) -> AuthSession {
    AuthSession(user: user, tokens: SessionTokens(access: token))
  }

  /// Starts a request, unless there is one, or the process is about to end.
  ///
  /// - Parameter replaced: a token that is still valid, and is not enough.
  private func request(replacing replaced: AccessToken?, lasting wanted: Duration?) {
    let generation: Int? = contents.withLock { contents in
      if contents.isRequesting { return nil }
      contents.isRequesting = inFlight.begin()
      return contents.isRequesting ? contents.generation : -1
    }
    guard let generation else { return }
    if generation < 0 { return slot.resume(nil, failure: .processEnds) }
    Task.detached { await self.run(replacing: replaced, lasting: wanted, generation) }
  }

  private func run(replacing replaced: AccessToken?, lasting wanted: Duration?, _ generation: Int) async {
    let response = await Result.of { () async throws(AuthenticationError) in
      try await token(replacing: replaced, lasting: wanted, generation)
    }
    let latest: AccessToken? = contents.withLock { contents in
      // The next caller starts another request, or finds the token.
      contents.isRequesting = false
      guard contents.generation == generation else { return nil }
      switch response {
      case .success(let token):
        (contents.latest, contents.failure) = (token, nil)
        let isRefused = token == contents.refused
        slot.noteSuccess()
        slot.follow(session(token), generation: 0, isRejected: isRefused, canRefresh: true)
        // Without a lifetime nothing would tell when it is no longer valid.
        slot.publish(token.lifetime == nil || isRefused ? nil : session(token))
      case .failure(let error) where slot.heldOffError == nil:
        contents.failure = error
        slot.noteFailure(error, of: contents.latest)
      case .failure: break
      }
      return contents.latest == contents.refused ? nil : contents.latest
    }
    switch response {
    case .success(let token): slot.resume(session(token), failure: nil)
    case .failure(let error):
      // A token that is still valid stays in use.
      let left = slot.endsAt.map { clock.uptime < $0 } ?? false ? latest : nil
      slot.resume(left.map { session($0) }, failure: error)
    }
    inFlight.end()
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
    guard let error = slot.heldOffError else { return nil }
    guard let failure = contents.withLock({ $0.failure }), failure.disposition != .transient else { return error }
    return failure.with(\.retryAfter, error.retryAfter)
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
    let pauses = Backoff(base: .milliseconds(8), cap: .milliseconds(100), random: options.backoff.random)
    try await clock.wait(atMost: options.refreshPolicy.refreshTimeout, pausing: pauses) {
      () throws(AuthenticationError) in
      let isTaken = try lock.tryAcquire()
      if !isTaken, inFlight.isDraining { throw .processEnds }
      return isTaken
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
