import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import Foundation
import Synchronization

/// Signs in wherever the access tokens of a protected resource come from.
///
/// At a sign-in the resource is asked anew. A refresh and a sign-out go to the issuer of the session, as the client that it
/// was granted to.
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
    clients = client.registrations ?? RegisteredClients(storage: environment.storage, lock: environment.lock)
    discovery = ResourceDiscovery(
      address: address, acceptsParent: client.acceptsParentResource, httpClient: httpClient, rule: rule,
      clock: environment.clock)
    proof = DPoPRequestProof(nonces: nonces, environment: environment)
    try client.redirect.validate()
    try client.presenter?.validate(client.redirect)
    if let document = client.metadataDocument { try Self.check(document, allowsLoopback: address.origin.isLoopback) }
    if client.clientID?.isEmpty == true { throw .invalid("clientID", "is empty; leave it out") }
    if client.clientSecret != nil, client.clientID == nil { throw .invalid("clientSecret", "needs a clientID") }
    if client.clientSecret != nil || client.initialAccessToken != nil, client.issuer == nil {
      throw .invalid("issuer", "is missing, and a secret is sent to one issuer only")
    }
    if let issuer = client.issuer, (try? IssuerIdentifier(issuer)) == nil {
      throw .invalid("issuer", "is not an https URL without a query and a fragment")
    }
  }

  private static func check(_ document: String, allowsLoopback: Bool) throws(AuthenticationError) {
    let url = try ServiceURL(document, key: "metadataDocument", allowsPath: true)
    let segments = url.url.path().split(separator: "/", omittingEmptySubsequences: false)
    guard url.origin.scheme == "https", url.url.path().count > 1, !segments.contains("."), !segments.contains("..")
    else {
      throw .invalid("metadataDocument", "is not an https URL with a path")
    }
  }

  var methods: [SignInMethod] { [.browser, .device] }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    if request.createsAccount { throw .signUpUnsupported }
    if request.credentials is BrowserReturn { return try await finish(request) }
    let found = try await discovery.discover(preferring: try clients.all().map(\.issuer), only: client.issuer)
    let needed: OpenIDClient.Endpoint = request.credentials is DeviceSignIn ? .deviceAuthorization : .authorization
    guard found.server.metadata.endpoints[needed] != nil else {
      throw found.server.document.fault(needed.rawValue, "is missing")
    }
    let issuer = try issuers.issuer(of: found.server, discovery, environment)
    let stored = try clients.client(at: found.server.issuer)
    let usable = client.clientID == nil ? try await usable(stored, at: found) : nil
    if let usable {
      do throws(AuthenticationError) {
        return try await signIn(request, as: usable, at: found, issuer)
      } catch {
        guard error.isOfClient else { throw error }
      }
    }
    return try await signIn(request, as: try await newClient(at: found, replacing: stored), at: found, issuer)
  }

  private func signIn(
    _ request: SignInRequest, as registered: RegisteredClient, at found: DiscoveredResource, _ issuer: Issuer
  ) async throws(AuthenticationError) -> SignInOutcome {
    let provider = try provider(
      registered, issuer, scopes: scopes(of: found), bindsTokens: client.bindsTokens || found.requiresBinding,
      user: request.reauthenticatedUser)
    return try await provider.signIn(request).granted(to: registered)
  }

  /// A sign-in that an earlier process began, with the client that it began with.
  private func finish(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    for registered in try clients.all() {
      do throws(AuthenticationError) {
        let issuer = try issuers.issuer(named: registered.issuer, discovery, environment)
        var registered = try await withoutExpiredSecret(registered)
        if !address.isNamed(by: registered.resource, acceptsParent: true) { registered.resource = address.text }
        let provider = try provider(
          registered, issuer, scopes: client.scopes ?? [], user: request.reauthenticatedUser)
        return try await provider.signIn(request).granted(to: registered)
      } catch {
        guard error.reason == .state || error.reason == .errorWithoutState else { throw error }
      }
    }
    throw .unknownState
  }

  /// Refreshes with the client that the session was granted to. It runs with the realm's lock already.
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let grant = session.tokens.refresh.flatMap(ResourceGrant.init) else { throw .sessionExpired }
    let issuer = try issuers.issuer(named: grant.client.issuer, discovery, environment)
    var registered = (try? clients.all().first { $0.isSameClient(as: grant.client) }) ?? grant.client
    registered.resource = grant.client.resource
    registered = try await withoutExpiredSecret(registered)
    do throws(AuthenticationError) {
      return try await refresh(session, grant, as: registered, issuer)
    } catch {
      guard registered.source == .registered, error.isOfClient else { throw error }
      switch await standing(of: registered) {
      case .known(let current) where current.secret != registered.secret:
        return try await refresh(session, grant, as: await keepSecret(of: current), issuer)
      case .known, .unclear: throw error
      case .forgotten: throw await forget(registered, error.providerCode)
      }
    }
  }

  /// The same with the secret that the server has in place of one that has expired, which is not sent.
  private func withoutExpiredSecret(
    _ registered: RegisteredClient
  ) async throws(AuthenticationError) -> RegisteredClient {
    guard registered.isExpired(at: environment.clock.now) else { return registered }
    switch await standing(of: registered) {
    case .known(let current): return await keepSecret(of: current)
    case .unclear:
      // The token has not been sent.
      throw AuthenticationError(
        .unreachable,
        "The client's secret has expired, and the authorization server did not say whether there is another.")
    case .forgotten: throw await forget(registered)
    }
  }

  /// A refresh token is valid for its client only (RFC 6749 §6): a new sign-in gets another.
  private func forget(_ registered: RegisteredClient, _ code: String? = nil) async -> AuthenticationError {
    await change { () throws(AuthenticationError) in try clients.remove(registered) }
    return AuthenticationError(
      .sessionRejected, "The authorization server no longer accepts the client of this session.",
      suggestion: "Sign in again: the app registers anew."
    ).with(\.providerCode, code)
  }

  /// Changes the registrations with their lock. A refresh runs with the realm's lock already, which is theirs too unless
  /// other realms share them.
  private func change(_ work: () throws(AuthenticationError) -> Void) async {
    if client.registrations == nil { return (try? work()) ?? () }
    try? await clients.exclusively(by: environment.clock, work)
  }

  private func refresh(
    _ session: AuthSession, _ grant: ResourceGrant, as registered: RegisteredClient, _ issuer: Issuer
  ) async throws(AuthenticationError) -> SessionTokens {
    let own = AuthSession(user: session.user, tokens: session.tokens.with(refresh: Secret(grant.token)))
    let tokens = try await provider(registered, issuer, scopes: []).refresh(own)
    try tokens.access.check(isFor: registered.resource)
    let token = tokens.refresh?.reveal() ?? grant.token
    return tokens.with(refresh: try ResourceGrant(client: registered, token: token).secret())
  }

  /// Where two issuers are known, nothing says which one an access token alone is of, and none is sent another's.
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    let grant = tokens.refresh.flatMap(ResourceGrant.init)
    let known = if let grant { [grant.client] } else { try clients.all() }
    guard known.count == 1 else {
      throw AuthenticationError(
        .unsupportedMethod, "It is not known which authorization server issued this token.",
        suggestion: "It expires by itself.")
    }
    let issuer = try issuers.issuer(named: known[0].issuer, discovery, environment)
    let registered: RegisteredClient
    do throws(AuthenticationError) { registered = try await withoutExpiredSecret(known[0]) } catch {
      guard error == .sessionRejected else { throw error }
      throw AuthenticationError(
        .unsupportedMethod, "The tokens cannot be revoked: the client's secret has expired.",
        suggestion: "They expire by themselves.")
    }
    try await provider(registered, issuer, scopes: []).revoke(
      tokens.with(refresh: grant.map { Secret($0.token) }), keepingOtherSessions: keepingOtherSessions)
  }

  func forgetBegunSignIns() { OpenIDConnectProvider.forgetBegunSignIns(in: environment) }

  func forgetClientRegistrations() async throws(AuthenticationError) -> Bool {
    let removals = try await clients.forgetAll(over: environment.httpClient, by: environment.clock)
    return removals?.allSatisfy { $0.removal == .removed } ?? false
  }

  // MARK: - Which client

  /// The requested scopes: the app's or the resource's, and a refresh token where the server has a scope for it.
  private func scopes(of found: DiscoveredResource) -> [String] {
    var scopes = client.scopes ?? found.scopes ?? []
    let hasScope = found.server.metadata.scopes?.contains("offline_access") ?? false
    if hasScope, !scopes.contains("offline_access") { scopes.append("offline_access") }
    return scopes
  }

  /// Configured, the app's document, or registered now; a registration stored for this issuer comes before the last
  /// two.
  private func newClient(
    at found: DiscoveredResource, replacing stored: RegisteredClient?
  ) async throws(AuthenticationError) -> RegisteredClient {
    if let clientID = client.clientID { return try await keep(.configured, clientID, at: found) }
    if found.server.takesClientMetadataDocuments, let document = client.metadataDocument {
      return try await keep(.document, document, at: found)
    }
    return try await register(at: found, replacing: stored)
  }

  /// Nil if it cannot be used any more: forgotten by the server, expired, of a port that is busy, or of another kind than
  /// the app has now.
  private func usable(
    _ stored: RegisteredClient?, at found: DiscoveredResource
  ) async throws(AuthenticationError) -> RegisteredClient? {
    guard let stored, stored.source == .registered else { return nil }
    return try await clients.exclusively(by: environment.clock) { () async throws(AuthenticationError) in
      guard var usable = try clients.client(at: stored.issuer), usable.source == .registered, hasItsPort(usable) else {
        return nil
      }
      switch await DynamicRegistration(server: found.server, environment: environment).standing(of: usable) {
      case .known(let current): usable = current
      case .unclear: break
      case .forgotten: return nil
      }
      if usable.isExpired(at: environment.clock.now) { return nil }
      (usable.resource, usable.usedAt) = (found.resource, environment.clock.now)
      try clients.keep(usable)
      return usable
    }
  }

  /// Whether the browser can return to the address that was registered. If its port is busy, and a sign-in began with it
  /// in the last ten minutes, that sign-in may still continue in another process: then the app is not registered again.
  private func hasItsPort(_ registered: RegisteredClient) -> Bool {
    guard let port = registered.port else { return client.presenter == nil || !client.redirect.isOnThisMachine }
    if (try? LoopbackPort.free(port)) != nil { return true }
    return abs(environment.clock.now.timeIntervalSince(registered.usedAt)) < Self.longestSignIn
  }

  /// In seconds: as long as a browser is waited for.
  private static let longestSignIn = 600.0

  private func keep(
    _ source: RegisteredClient.Source, _ clientID: String, at found: DiscoveredResource
  ) async throws(AuthenticationError) -> RegisteredClient {
    let kept = RegisteredClient(
      issuer: found.server.issuer, resource: found.resource, source: source, clientID: clientID,
      method: found.server.metadata.prefersPost ? "client_secret_post" : "client_secret_basic", port: nil,
      usedAt: environment.clock.now)
    try await clients.exclusively(by: environment.clock) { () throws(AuthenticationError) in try clients.keep(kept) }
    return kept
  }

  /// Registers once for all processes: the one that waited takes the registration of the other one.
  private func register(
    at found: DiscoveredResource, replacing stored: RegisteredClient?
  ) async throws(AuthenticationError) -> RegisteredClient {
    guard let endpoint = found.server.registration else { throw .noClient }
    let (registered, isNew) = try await clients.exclusively(by: environment.clock) {
      () async throws(AuthenticationError) -> (RegisteredClient, Bool) in
      if var other = try clients.client(at: found.server.issuer), other.source == .registered,
        other.clientID != stored?.clientID
      {
        other.resource = found.resource
        return (other, false)
      }
      let (redirect, port) = try registrableRedirect()
      let registered = try await DynamicRegistration(server: found.server, environment: environment).register(
        client, redirect: redirect, port: port, for: found.resource, scopes: scopes(of: found), at: endpoint)
      try clients.keep(registered)
      return (registered, true)
    }
    if isNew { client.onRegistration(registered.clientID, registered.issuer) }
    return registered
  }

  /// With a port that is free now, if the system is to choose one: a registration names it.
  private func registrableRedirect() throws(AuthenticationError) -> (text: String, port: UInt16?) {
    let (host, given, path): (String, UInt16?, String)
    switch client.redirect {
    case .address(let text): return (text, nil)
    case .loopback(let port, let ownPath): (host, given, path) = ("127.0.0.1", port, ownPath)
    case .localhost(let port, let ownPath): (host, given, path) = ("localhost", port, ownPath)
    }
    // The device flow returns nowhere.
    if client.presenter == nil { return ("http://\(host)\(path)", nil) }
    let port = try LoopbackPort.free(given)
    return ("http://\(host):\(port)\(path)", port)
  }

  private func standing(of registered: RegisteredClient) async -> DynamicRegistration.Standing {
    guard let server = try? await discovery.server(registered.issuer) else { return .unclear }
    return await DynamicRegistration(server: server, environment: environment).standing(of: registered)
  }

  /// The stored registration gets the new secret, unless another client has replaced it.
  private func keepSecret(of current: RegisteredClient) async -> RegisteredClient {
    await change { () throws(AuthenticationError) in
      guard let stored = try clients.client(at: current.issuer), stored.isSameClient(as: current) else { return }
      var kept = current
      (kept.resource, kept.usedAt) = (stored.resource, stored.usedAt)
      try clients.keep(kept)
    }
    return current
  }

  // MARK: - The issuer's provider

  /// - Parameter user: the user who proves their presence: keeps the id if the server does not name the user.
  private func provider(
    _ registered: RegisteredClient, _ issuer: Issuer, scopes: [String], bindsTokens: Bool = false, user: User? = nil
  ) throws(AuthenticationError) -> OpenIDConnectProvider {
    var client = OpenIDClient(issuer: registered.issuer, clientID: registered.clientID)
    client.scopes = scopes
    client.redirect = registered.port.map { self.client.redirect.at($0) } ?? self.client.redirect
    client.presenter = self.client.presenter
    let isConfigured = registered.clientID == self.client.clientID && registered.issuer == self.client.issuer
    client.authentication = registered.authentication(isConfigured ? self.client.clientSecret : nil)
    client.resources = [registered.resource]
    client.bindsTokens = bindsTokens
    return try OpenIDConnectProvider(
      client, at: issuer, knowingUnnamedUserAs: user?.id, nonces: nonces, in: environment
    ) {
      (token: AccessToken) throws(AuthenticationError) in try token.check(isFor: registered.resource)
    }
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

/// The data that a session needs for a refresh, kept as its refresh token: the app may be known at other servers since,
/// or at the same one as another client.
private struct ResourceGrant: Codable {
  let client: RegisteredClient
  let token: String

  init(client: RegisteredClient, token: String) { (self.client, self.token) = (client, token) }

  init?(_ secret: Secret) {
    guard let grant = try? BoundedJSON.decode(Self.self, from: Data(secret.reveal().utf8)) else { return nil }
    self = grant
  }

  func secret() throws(AuthenticationError) -> Secret {
    guard let data = try? JSONEncoder.stable.encode(self) else { throw .unexpectedResponse }
    return Secret(String(decoding: data, as: UTF8.self))
  }
}

extension ResourceGrant: Redacted {}

extension SignInOutcome {
  /// The session with the client that it belongs to, and with its issuer among the user's claims.
  fileprivate func granted(to client: RegisteredClient) throws(AuthenticationError) -> Self {
    guard case .session(let session) = self else { return self }
    var tokens = session.tokens
    if let refresh = tokens.refresh {
      tokens = tokens.with(refresh: try ResourceGrant(client: client, token: refresh.reveal()).secret())
    }
    return .session(AuthSession(user: session.user.adding(["iss": .string(client.issuer)]), tokens: tokens))
  }
}

extension SessionTokens {
  fileprivate func with(refresh: Secret?) -> Self {
    SessionTokens(access: access, refresh: refresh, identity: identity, proofKey: proofKey, claims: claims)
  }
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
  fileprivate var isOnThisMachine: Bool {
    switch self {
    case .address: false
    case .loopback, .localhost: true
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
  /// Whether the server refuses the client, not its request.
  fileprivate var isOfClient: Bool {
    self == .clientRejected && ["invalid_client", "unauthorized_client"].contains(self.providerCode ?? "")
  }

  fileprivate static let noClient = Self(
    .clientRejected, "The authorization server neither knows this app nor offers a way to register it.",
    suggestion: "Register the app there by hand, and configure its client id."
  ).with(\.reason, .registration)
}
