import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import Foundation
import Synchronization

/// Signs in wherever the access tokens of a protected resource come from.
///
/// At a sign-in the resource is asked anew. A refresh and a sign-out go to the issuer of the session, which its user
/// names (claim `iss`), with the client that is registered there.
struct ProtectedResourceProvider: ResumingAuthProvider {
  private let address: ResourceAddress
  private let client: ProtectedResourceClient
  private let environment: AuthProviderConfiguration.Environment
  private let discovery: ResourceDiscovery
  private let clients: RegisteredClients
  private let issuers = Issuers()
  let proof: (any RequestProof)?
  private let nonces = DPoPNonces()

  init(
    _ address: ResourceAddress, _ client: ProtectedResourceClient, in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) {
    let rule = PublicAddressRule(allowsLoopback: address.origin.isLoopback)
    let httpClient = PublicHTTPClient(upstream: environment.httpClient, rule: rule)
    self.address = address
    self.client = client
    self.environment = environment.sending(by: httpClient)
    clients = RegisteredClients(storage: environment.storage)
    discovery = ResourceDiscovery(
      address: address, acceptsParent: client.acceptsParentResource, httpClient: httpClient, rule: rule,
      clock: environment.clock)
    proof = DPoPRequestProof(nonces: nonces, environment: environment)
    try client.redirect.validate()
    try client.presenter?.validate(client.redirect)
    if let document = client.metadataDocument { try Self.check(document, allowsLoopback: address.origin.isLoopback) }
    if client.clientID?.isEmpty == true { throw .invalid("clientID", "is empty; leave it out") }
  }

  private static func check(_ document: String, allowsLoopback: Bool) throws(AuthenticationError) {
    let url = try ServiceURL(document, key: "metadataDocument", allowsPath: true)
    let segments = url.url.path().split(separator: "/", omittingEmptySubsequences: false)
    guard url.origin.scheme == "https", url.url.path().count > 1, !segments.contains("."), !segments.contains("..")
    else {
      throw .invalid("metadataDocument", "is not an https URL with a path")
    }
  }

  var methods: [SignInMethod] { client.presenter == nil ? [.device] : [.browser, .device] }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    if request.createsAccount { throw .signUpUnsupported }
    if request.credentials is BrowserReturn { return try await finish(request) }
    let known = try clients.all()
    let found = try await discovery.discover(preferring: known.map(\.issuer))
    let issuer = try issuers.issuer(of: found.server, discovery, environment)
    var (registered, isNew) = try await registration(at: found)
    for attempt in 1... {
      do throws(AuthenticationError) {
        return try await signIn(request, as: registered, at: found, issuer)
      } catch {
        guard attempt == 1, !isNew, registered.source == .registered, error.isOfClient else { throw error }
        let forgotten = registered
        registered = try await register(at: found, replacing: forgotten)
        isNew = true
      }
    }
    throw .clientRejected
  }

  private func signIn(
    _ request: SignInRequest, as registered: RegisteredClient, at found: DiscoveredResource, _ issuer: Issuer
  ) async throws(AuthenticationError) -> SignInOutcome {
    let provider = try provider(registered, issuer, scopes: scopes(of: found), resource: found.resource)
    return try await named(try await provider.signIn(request), registered, by: provider)
  }

  /// A sign-in that an earlier process began, at the issuer that was used last.
  private func finish(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    guard let registered = try clients.all().first else { throw .unknownState }
    let issuer = try issuers.issuer(named: registered.issuer, discovery, environment)
    let provider = try provider(registered, issuer, scopes: client.scopes ?? [], resource: registered.resource)
    return try await named(try await provider.signIn(request), registered, by: provider)
  }

  /// With the issuer among what is known of the user, by which a refresh finds it again.
  private func named(
    _ outcome: SignInOutcome, _ registered: RegisteredClient, by provider: OpenIDConnectProvider
  ) async throws(AuthenticationError) -> SignInOutcome {
    guard case .session(let session) = outcome else { return outcome }
    do throws(AuthenticationError) {
      try session.accessToken.check(isFor: registered.resource)
    } catch {
      await provider.discard(session.tokens, keepsOtherSessions: true)
      throw error
    }
    let user = session.user.adding(["iss": .string(registered.issuer)])
    return .session(AuthSession(user: user, tokens: session.tokens))
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let issuer = session.user.claims["iss"]?.text, var registered = try clients.client(at: issuer) else {
      throw AuthenticationError(
        .sessionRejected, "The client that the session belongs to is no longer known here.",
        suggestion: "Sign in again.")
    }
    let known = try issuers.issuer(named: issuer, discovery, environment)
    // The manager that refreshes has taken the lock of the realm.
    if registered.isExpired(at: environment.clock.now), let current = await current(registered) {
      try? clients.keep(current)
      registered = current
    }
    do throws(AuthenticationError) {
      let tokens = try await provider(registered, known, scopes: [], resource: registered.resource).refresh(session)
      try tokens.access.check(isFor: registered.resource)
      return tokens
    } catch {
      guard registered.source == .registered, error.isOfClient else { throw error }
      // Its refresh token went with the client (RFC 6749 §5.2): only a new sign-in gets another.
      try? clients.remove(registered)
      throw AuthenticationError(
        .sessionRejected, "The authorization server no longer knows the client of this session.",
        suggestion: "Sign in again: the app registers anew."
      ).with(\.providerCode, error.providerCode)
    }
  }

  /// Where two issuers are known, nothing says which one the tokens are of, and none is sent another's.
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    let known = try clients.all()
    guard known.count == 1 else {
      throw AuthenticationError(
        .unsupportedMethod, "It is not known which authorization server issued these tokens.",
        suggestion: "They expire by themselves.")
    }
    let issuer = try issuers.issuer(named: known[0].issuer, discovery, environment)
    let provider = try provider(known[0], issuer, scopes: [], resource: known[0].resource)
    try await provider.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
  }

  func forgetBegunSignIns() { OpenIDConnectProvider.forgetBegunSignIns(in: environment) }

  func forgetClientRegistrations() async throws(AuthenticationError) {
    let known = (try? clients.all()) ?? []
    try await exclusively { () throws(AuthenticationError) in try clients.removeAll() }
    for client in known { await DynamicRegistration.remove(client, over: environment.httpClient) }
  }

  // MARK: - Which client

  /// What is asked for: the app's scopes or the resource's, and a refresh token where the server has a scope for it.
  private func scopes(of found: DiscoveredResource) -> [String] {
    var scopes = client.scopes ?? found.scopes ?? []
    let hasScope = found.server.metadata.scopes?.contains("offline_access") ?? false
    if hasScope, !scopes.contains("offline_access") { scopes.append("offline_access") }
    return scopes
  }

  /// Configured, stored for this issuer, the app's own document, or registered now.
  private func registration(
    at found: DiscoveredResource
  ) async throws(AuthenticationError) -> (client: RegisteredClient, isNew: Bool) {
    if let clientID = client.clientID { return (try await keep(.configured, clientID, at: found), true) }
    let stored = try clients.client(at: found.server.issuer)
    if let usable = try await usable(stored, at: found) { return (usable, false) }
    if found.server.takesClientMetadataDocuments, let document = client.metadataDocument {
      return (try await keep(.document, document, at: found), true)
    }
    return (try await register(at: found, replacing: stored), true)
  }

  /// Nil if it cannot be used any more: forgotten by the server, expired, of a port that is busy, or of another kind than
  /// the app has now.
  private func usable(
    _ stored: RegisteredClient?, at found: DiscoveredResource
  ) async throws(AuthenticationError) -> RegisteredClient? {
    guard var stored, stored.source == .registered, isFree(stored) else { return nil }
    if stored.isExpired(at: environment.clock.now) {
      guard let current = await current(stored), !current.isExpired(at: environment.clock.now) else { return nil }
      try await exclusively { () throws(AuthenticationError) in try clients.keep(current) }
      stored = current
    }
    guard await registrar(found.server).isKnown(stored) else { return nil }
    if stored.resource != found.resource {
      stored.resource = found.resource
      let kept = stored
      try await exclusively { () throws(AuthenticationError) in try clients.keep(kept) }
    }
    return stored
  }

  /// A port that is busy soon after its registration is taken by a sign-in that goes on: another registration would not
  /// be for another program.
  private func isFree(_ client: RegisteredClient) -> Bool {
    guard let port = client.port, (try? LoopbackPort.free(port)) == nil else { return true }
    return abs(environment.clock.now.timeIntervalSince(client.registeredAt)) < 600
  }

  private func keep(
    _ source: RegisteredClient.Source, _ clientID: String, at found: DiscoveredResource
  ) async throws(AuthenticationError) -> RegisteredClient {
    let kept = RegisteredClient(
      issuer: found.server.issuer, resource: found.resource, source: source, clientID: clientID,
      secret: source == .configured ? client.clientSecret?.reveal() : nil,
      method: found.server.metadata.prefersPost ? "client_secret_post" : "client_secret_basic", port: nil,
      registeredAt: Date(timeIntervalSince1970: 0),
      userID: try clients.client(at: found.server.issuer)?.userID ?? newUserID)
    try await exclusively { () throws(AuthenticationError) in
      if try clients.client(at: found.server.issuer) != kept { try clients.keep(kept) }
    }
    return kept
  }

  private var newUserID: String { Base64URL.encode(environment.randomBytes(16)) }

  /// Registers once for all processes: the one that waited takes what the other one was given.
  private func register(
    at found: DiscoveredResource, replacing forgotten: RegisteredClient?
  ) async throws(AuthenticationError) -> RegisteredClient {
    guard let endpoint = found.server.registration else { throw .noClient }
    let lock = try await locked()
    defer { lock?.release() }
    if let other = try clients.client(at: found.server.issuer), other.clientID != forgotten?.clientID,
      other.source == .registered, other.resource == found.resource
    {
      return other
    }
    let (redirect, port) = try client.redirect.registrable()
    let registered = try await registrar(found.server).register(
      client, redirect: redirect, port: port, for: found.resource, scopes: scopes(of: found), at: endpoint,
      userID: forgotten?.userID ?? newUserID)
    try clients.keep(registered)
    client.onRegistration(registered.clientID, registered.issuer)
    return registered
  }

  /// With a new secret, if the server has one.
  private func current(_ client: RegisteredClient) async -> RegisteredClient? {
    guard let server = try? await discovery.server(client.issuer) else { return nil }
    return await registrar(server).current(client)
  }

  private func registrar(_ server: AuthorizationServer) -> DynamicRegistration {
    DynamicRegistration(server, environment)
  }

  /// Waits at most 30 seconds for another process.
  private func locked() async throws(AuthenticationError) -> (any SessionLock)? {
    guard let lock = environment.lock else { return nil }
    let end = environment.clock.uptime + .seconds(30)
    while try !lock.tryAcquire() {
      guard environment.clock.uptime < end, !Task.isCancelled else { throw Task.isCancelled ? .cancelled : .timedOut }
      try? await environment.clock.sleep(for: .milliseconds(50))
    }
    return lock
  }

  private func exclusively(_ change: () throws(AuthenticationError) -> Void) async throws(AuthenticationError) {
    let lock = try await locked()
    defer { lock?.release() }
    try change()
  }

  // MARK: - The issuer's provider

  private func provider(
    _ registered: RegisteredClient, _ issuer: Issuer, scopes: [String], resource: String
  ) throws(AuthenticationError) -> OpenIDConnectProvider {
    var client = OpenIDClient(issuer: registered.issuer, clientID: registered.clientID)
    client.scopes = scopes
    client.redirect = registered.port.map { self.client.redirect.at($0) } ?? self.client.redirect
    client.presenter = self.client.presenter
    client.authentication = registered.authentication
    client.resources = [resource]
    client.bindsTokens = self.client.bindsTokens
    return try OpenIDConnectProvider(
      client, at: issuer, knowingUnnamedUserAs: registered.userID, nonces: nonces, in: environment)
  }
}

/// The issuers that were met, with the documents they publish.
private final class Issuers: Sendable {
  private let known = Mutex<[String: Issuer]>([:])

  /// One whose metadata has just been fetched.
  func issuer(
    of server: AuthorizationServer, _ discovery: ResourceDiscovery, _ environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) -> Issuer {
    let issuer = try Issuer(
      server.issuer, client: environment.httpClient, clock: environment.clock, known: server.metadata,
      freshFor: server.freshness, fetch: Self.fetch(server.issuer, discovery))
    known.withLock { $0[server.issuer] = issuer }
    return issuer
  }

  func issuer(
    named name: String, _ discovery: ResourceDiscovery, _ environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) -> Issuer {
    try known.withLock { known throws(AuthenticationError) in
      if let issuer = known[name] { return issuer }
      let issuer = try Issuer(
        name, client: environment.httpClient, clock: environment.clock, known: nil, freshFor: .zero,
        fetch: Self.fetch(name, discovery))
      known[name] = issuer
      return issuer
    }
  }

  private static func fetch(
    _ name: String, _ discovery: ResourceDiscovery
  ) -> @Sendable () async throws(AuthenticationError) -> (value: IssuerMetadata, freshness: Duration) {
    { () async throws(AuthenticationError) in
      let server = try await discovery.server(name)
      return (server.metadata, server.freshness)
    }
  }
}

extension RegisteredClient {
  fileprivate func isExpired(at now: Date) -> Bool { secretExpiresAt.map { $0 <= now } ?? false }
}

extension AccessToken {
  /// An opaque token says nothing of whom it is for.
  fileprivate func check(isFor resource: String) throws(AuthenticationError) {
    guard let claims = JSONMembers(unverified: value) else { return }
    let audiences = claims.texts("aud") + [claims["aud"]].compactMap(\.self)
    guard audiences.isEmpty || audiences.contains(where: resource.isAt(orBelow:)) else {
      throw .refused(by: .audience, "The access token is for another resource than the one that was asked for.")
    }
  }
}

extension IssuerMetadata {
  fileprivate var prefersPost: Bool {
    let methods = clientAuthenticationMethods ?? []
    return methods.contains("client_secret_post") && !methods.contains("client_secret_basic")
  }
}

extension RedirectURI {
  /// With a port that is free now, if the system is to choose one: a registration names it.
  fileprivate func registrable() throws(AuthenticationError) -> (text: String, port: UInt16?) {
    switch self {
    case .address(let text): (text, nil)
    case .loopback(let given, let path):
      try { port throws(AuthenticationError) in ("http://127.0.0.1:\(port)\(path)", port) }(
        try LoopbackPort.free(given))
    case .localhost(let given, let path):
      try { port throws(AuthenticationError) in ("http://localhost:\(port)\(path)", port) }(
        try LoopbackPort.free(given))
    }
  }

  fileprivate func at(_ port: UInt16) -> Self {
    switch self {
    case .address: self
    case .loopback(_, let path): .loopback(port: port, path: path)
    case .localhost(_, let path): .localhost(port: port, path: path)
    }
  }
}

extension AuthenticationError {
  /// Whether the server refuses the client, not what it asked for.
  fileprivate var isOfClient: Bool {
    self == .clientRejected && ["invalid_client", "unauthorized_client"].contains(self.providerCode ?? "")
  }

  fileprivate static let noClient = Self(
    .clientRejected, "The authorization server neither knows this app nor offers a way to register it.",
    suggestion: "Register the app there by hand, and configure its client id.")
}
