import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import Foundation

/// The registration of an app at one authorization server, kept between launches.
struct RegisteredClient: Sendable, Codable, Hashable {
  /// How it came to its id, in the order of preference.
  enum Source: String, Sendable, Codable { case configured, document, registered }

  let issuer: String
  /// The resource for which tokens are asked there.
  var resource: String
  let source: Source
  let clientID: String
  var secret: String?
  /// UTC; nil for one that does not expire.
  var secretExpiresAt: Date?
  /// `none`, `client_secret_basic` or `client_secret_post`.
  let method: String
  /// The port of this machine that was registered; nil for a redirect without one.
  let port: UInt16?
  /// When a sign-in began with it last (UTC).
  var usedAt: Date
  /// RFC 7592 §3.
  var managementToken: String?
  var managementAddress: String?

  func isSameClient(as other: Self) -> Bool { issuer == other.issuer && clientID == other.clientID }

  func isExpired(at now: Date) -> Bool { secretExpiresAt.map { $0 <= now } ?? false }

  /// - Parameter configured: the secret of a client that the app was configured with, which is not kept here.
  func authentication(_ configured: Secret? = nil) -> ClientAuthentication {
    guard let secret = source == .configured ? configured : secret.map(Secret.init) else { return .none }
    return method == "client_secret_post" ? .secretPost(secret) : .secretBasic(secret)
  }

  /// The first member that cannot be sent (RFC 6749 appendices A.1, A.2, RFC 6750 §2.1); nil if there is none.
  var unusableMember: String? {
    let texts =
      [
        ("client_id", clientID, 0x20), ("client_secret", secret, 0x20),
        ("registration_access_token", managementToken, 0x21),
      ] as [(String, String?, UInt8)]
    return texts.first { _, text, lowest in text?.utf8.allSatisfy { (lowest...0x7E).contains($0) } == false }?.0
  }
}

extension RegisteredClient: Redacted {}

/// The registrations of one realm, or of several that share them: at most one for each authorization server, the latest
/// first.
package struct RegisteredClients: Sendable {
  private static let key = "clients"
  private static let most = 32

  let storage: any SecureStorage
  private let lock: (any SessionLock)?

  /// - Parameter lock: guards them against other processes; nil if there are none.
  package init(storage: any SecureStorage, lock: (any SessionLock)? = nil) {
    (self.storage, self.lock) = (storage, lock)
  }

  /// With the lock; waits at most 30 seconds for another process.
  func exclusively<Value>(
    by clock: any AuthenticationClock, _ work: () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    guard let lock else { return try await work() }
    let pauses = Backoff(base: .milliseconds(8), cap: .milliseconds(100))
    try await clock.wait(atMost: .seconds(30), pausing: pauses) { () throws(AuthenticationError) in
      try lock.tryAcquire()
    }
    defer { lock.release() }
    return try await work()
  }

  /// Whether nothing is kept, or nothing can be read.
  package var isEmpty: Bool { (try? storage.read(Self.key) == nil) ?? true }

  /// Without those that cannot be used.
  ///
  /// - Throws: the errors of the storage, and ``AuthenticationError/storageCorrupt``.
  func all() throws(AuthenticationError) -> [RegisteredClient] {
    guard let data = try storage.read(Self.key) else { return [] }
    guard let stored = try? BoundedJSON.decode(Stored.self, from: data), stored.version == 1 else {
      throw AuthenticationError(
        .storageCorrupt, "The client registrations cannot be read.", suggestion: "Forget them, and sign in again.")
    }
    return stored.clients.filter { !$0.clientID.isEmpty && $0.unusableMember == nil }
  }

  func client(at issuer: String) throws(AuthenticationError) -> RegisteredClient? {
    try all().first { $0.issuer == issuer }
  }

  /// Call it with the lock.
  func keep(_ client: RegisteredClient) throws(AuthenticationError) {
    let others = try all().filter { $0.issuer != client.issuer }
    try write(Array(([client] + others).prefix(Self.most)))
  }

  /// Call it with the lock. One that was replaced meanwhile stays.
  func remove(_ client: RegisteredClient) throws(AuthenticationError) {
    try write(try all().filter { !$0.isSameClient(as: client) })
  }

  /// Removes them, and asks the authorization servers to remove them as well (RFC 7592 §2.3).
  ///
  /// - Returns: the issuer of each registration that there was, with its fate there; nil if they could not be read.
  package func forgetAll(
    over httpClient: any HTTPClient, by clock: any AuthenticationClock
  ) async throws(AuthenticationError) -> [(issuer: String, removal: RegistrationRemoval)]? {
    let known = try await exclusively(by: clock) { () throws(AuthenticationError) in
      let known = try? all()
      if try storage.read(Self.key) != nil { try storage.delete(Self.key) }
      return known
    }
    guard let known else { return nil }
    var removals: [(String, RegistrationRemoval)] = []
    for client in known where client.source == .registered {
      removals.append((client.issuer, await DynamicRegistration.remove(client, over: httpClient)))
    }
    return removals
  }

  private func write(_ clients: [RegisteredClient]) throws(AuthenticationError) {
    if clients.isEmpty { return try storage.delete(Self.key) }
    guard let data = try? JSONEncoder.stable.encode(Stored(version: 1, clients: clients)) else {
      throw .storageUnavailable
    }
    try storage.write(data, for: Self.key)
  }

  private struct Stored: Codable {
    let version: Int
    let clients: [RegisteredClient]
  }
}

/// Registers an app at an authorization server, and manages the registration (RFC 7591, RFC 7592).
struct DynamicRegistration: Sendable {
  static let document = "registration response"

  let server: AuthorizationServer
  let environment: AuthProviderConfiguration.Environment
  private var httpClient: any HTTPClient { environment.httpClient }
  private var clock: any AuthenticationClock { environment.clock }

  /// Registers a public client, or one with a secret if the server takes no other (RFC 7591 §3.1).
  func register(
    _ client: ProtectedResourceClient, redirect: String, port: UInt16?, for resource: String, scopes: [String],
    at endpoint: URL
  ) async throws(AuthenticationError) -> RegisteredClient {
    let methods = server.metadata.clientAuthenticationMethods ?? ["none"]
    // Of the two with a secret the one that servers of the Model Context Protocol take everywhere.
    let method = ["none", "client_secret_post", "client_secret_basic"].first(where: methods.contains) ?? "none"
    var grants = ["authorization_code", "refresh_token"]
    if server.metadata.endpoints[.deviceAuthorization] != nil {
      grants.append("urn:ietf:params:oauth:grant-type:device_code")
    }
    let body: JSONBody = [
      "application_type": "native", "client_name": client.name, "client_uri": client.website,
      "grant_types": grants, "redirect_uris": [redirect], "response_types": ["code"],
      "scope": scopes.isEmpty ? nil : scopes.joined(separator: " "), "token_endpoint_auth_method": method,
    ]
    var request = HTTPRequest(
      .post, endpoint, headers: ["Accept": "application/json", "Content-Type": "application/json"],
      body: try? JSONEncoder.stable.encode(body))
    if let token = client.initialAccessToken {
      guard Origin(endpoint) == (try IssuerIdentifier(server.issuer)).origin else {
        throw server.document.fault(
          "registration_endpoint", "is not at the issuer's origin, and only there an initial access token is sent")
      }
      request.headers["Authorization"] = "Bearer \(token.reveal())"
    }
    let response = try await httpClient.document(Self.document, by: request)
    if (400...499).contains(response.status), response.status != 429 { throw .registrationRefused(response) }
    let document = try CheckedDocument(response, Self.document, statuses: [200, 201], now: clock.now)
    return try registered(by: document, asking: method, redirect, port, for: resource)
  }

  private func registered(
    by document: CheckedDocument, asking method: String, _ redirect: String, _ port: UInt16?, for resource: String
  ) throws(AuthenticationError) -> RegisteredClient {
    let id = try document.required("client_id")
    let secret = try document.text("client_secret")
    let given = try document.text("token_endpoint_auth_method") ?? method
    guard ["none", "client_secret_basic", "client_secret_post"].contains(given) else {
      throw document.fault("token_endpoint_auth_method", "is one that this client does not have")
    }
    guard given == "none" || secret != nil else {
      throw document.fault("token_endpoint_auth_method", "needs a secret, and 'client_secret' is missing")
    }
    if let redirects = try document.texts("redirect_uris"), !redirects.contains(redirect) {
      throw document.fault("redirect_uris", "does not have the one that was asked for")
    }
    if let grants = try document.texts("grant_types"), !grants.contains("authorization_code") {
      throw document.fault("grant_types", "does not have 'authorization_code'")
    }
    if let types = try document.texts("response_types"), !types.contains("code") {
      throw document.fault("response_types", "does not have 'code'")
    }
    _ = try document.number("client_id_issued_at")
    _ = try document.text("scope")
    let expiry = try document.number("client_secret_expires_at") ?? 0
    let isLoopback = server.registration.flatMap { Origin($0) }?.isLoopback ?? false
    let address = try document.url("registration_client_uri", allowsLoopback: isLoopback)
    var client = RegisteredClient(
      issuer: server.issuer, resource: resource, source: .registered, clientID: id,
      secret: given == "none" ? nil : secret,
      secretExpiresAt: given == "none" || expiry == 0 ? nil : Date(boundedSecondsSince1970: expiry), method: given,
      port: port, usedAt: clock.now)
    let token = try document.text("registration_access_token")
    // The token goes to no other origin than the one that issued it.
    if let address, let endpoint = server.registration, Origin(address) == Origin(endpoint) {
      (client.managementToken, client.managementAddress) = (token, address.absoluteString)
    }
    if let member = client.unusableMember { throw document.fault(member, "has other characters than printable ASCII") }
    return client
  }

  /// The state of a registration.
  enum Standing {
    /// With a new secret, if the server gave one.
    case known(RegisteredClient)
    case forgotten
    /// The server does not say: no reason to register again, nor to end a session.
    case unclear
  }

  /// Asks for the registration itself where the server offers that (RFC 7592 §2.1), else by a code that was never
  /// issued: of a client that is known it is refused as a code (RFC 6749 §5.2). A secret that has expired is not sent:
  /// a client for which the server has no other counts as forgotten.
  func standing(of client: RegisteredClient) async -> Standing {
    let isExpired = client.isExpired(at: clock.now)
    if let request = client.management(.get) {
      let response = try? await httpClient.send(request)
      if response?.isOutage ?? isExpired { return .unclear }
      if let current = response.flatMap({ current(client, $0) }) {
        return current.isExpired(at: clock.now) ? .forgotten : .known(current)
      }
    }
    if isExpired { return .forgotten }
    guard let endpoint = server.metadata.endpoints[.token] else { return .unclear }
    let form = FormBody([
      "grant_type": "authorization_code", "code": "unknown", "redirect_uri": "http://127.0.0.1/callback",
      // 43 characters (RFC 7636 §4.1).
      "code_verifier": String(repeating: "0", count: 43), "resource": client.resource,
    ])
    var openID = OpenIDClient(issuer: client.issuer, clientID: client.clientID)
    openID.authentication = client.authentication()
    guard let request = try? HTTPRequest(posting: form, to: endpoint, by: openID, in: environment),
      let response = try? await httpClient.send(request), !response.isOutage
    else { return .unclear }
    let code = JSONMembers(json: response.body)?["error"]
    return code == "invalid_client" || code == "unauthorized_client" ? .forgotten : .known(client)
  }

  /// Nil unless the response describes this client.
  private func current(_ client: RegisteredClient, _ response: HTTPResponse) -> RegisteredClient? {
    guard let document = try? CheckedDocument(response, Self.document, now: clock.now),
      (try? document.required("client_id")) == client.clientID
    else { return nil }
    var current = client
    if client.method != "none", let secret = try? document.text("client_secret") { current.secret = secret }
    if let expiry = try? document.number("client_secret_expires_at") {
      current.secretExpiresAt = expiry == 0 ? nil : Date(boundedSecondsSince1970: expiry)
    }
    current.managementToken = (try? document.text("registration_access_token")) ?? client.managementToken
    return current.unusableMember == nil ? current : nil
  }

  /// Removes the registration at the server (RFC 7592 §2.3).
  ///
  /// - Parameter httpClient: restricted here to public addresses, or to this machine if the issuer is on it.
  fileprivate static func remove(_ client: RegisteredClient, over httpClient: any HTTPClient) async
    -> RegistrationRemoval
  {
    guard let request = client.management(.delete) else { return .notOffered }
    let isLoopback = URL(string: client.issuer).flatMap { Origin($0) }?.isLoopback ?? false
    let limited = PublicHTTPClient(upstream: httpClient, rule: PublicAddressRule(allowsLoopback: isLoopback))
    guard let response = try? await limited.send(request) else { return .unreachable }
    return response.isSuccess ? .removed : .refused(status: response.status)
  }
}

extension RegisteredClient {
  fileprivate func management(_ method: HTTPMethod) -> HTTPRequest? {
    guard let managementToken, let url = managementAddress.flatMap({ URL(string: $0) }) else { return nil }
    return HTTPRequest(
      method, url, headers: ["Accept": "application/json", "Authorization": "Bearer \(managementToken)"])
  }
}

extension HTTPResponse {
  /// Whether it gives no information about the request.
  fileprivate var isOutage: Bool { status == 429 || status >= 500 }
}

extension AuthenticationError {
  fileprivate static func registrationRefused(_ response: HTTPResponse) -> Self {
    let code = JSONMembers(json: response.body)?["error"].flatMap(response.plainToken)
    let named = code.map { " (\($0))" } ?? ""
    return Self(
      .clientRejected, "The authorization server registers no such client: HTTP \(response.status)\(named).",
      suggestion: "Register the app by hand, and configure its client id."
    ).with(\.providerCode, code).with(\.reason, .registration)
  }
}
