import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import Foundation

/// The address of a protected resource (RFC 8707 §2), in the form in which it is sent.
struct ResourceAddress: Sendable, Hashable {
  /// Scheme and host in lower case, without a default port and a fragment.
  let text: String
  let url: URL
  let origin: Origin

  /// - Throws: ``AuthenticationError/invalidConfiguration`` unless it is an https URL of a public host, or an http or https
  ///   one of this machine, without user info and fragment.
  init(_ given: String) throws(AuthenticationError) {
    guard let url = URL(string: given), let origin = Origin(url), url.fragment() == nil else {
      throw .resource("is not an absolute URL without user info and fragment")
    }
    guard origin.isSecure else { throw .resource("is neither https nor on this machine") }
    if !origin.isLoopback, !NetworkAddress.mayBePublic(host: origin.host) {
      throw .resource("is an address of a private network")
    }
    let path = url.path()
    text = origin.description + path + (url.query().map { "?\($0)" } ?? "")
    guard let canonical = URL(string: text) else { throw .resource("is not a URL") }
    (self.url, self.origin) = (canonical, origin)
  }

  var path: String { url.path() == "/" ? "" : url.path() }

  /// Whether a resource that metadata names is this one; with `acceptsParent` also if it is above it.
  func isNamed(by resource: String, acceptsParent: Bool) -> Bool {
    if resource == text || path.isEmpty && (resource == origin.description || resource == "\(origin)/") { return true }
    guard acceptsParent, let other = try? ResourceAddress(resource), other.origin == origin, other.url.query() == nil
    else { return false }
    return path == other.path || path.hasPrefix(other.path.hasSuffix("/") ? other.path : other.path + "/")
  }

  /// Where its metadata is without a challenge that says so (RFC 9728 §3.1): for its path, then for its origin.
  var metadataAddresses: [URL] {
    let base = "\(origin)/.well-known/oauth-protected-resource"
    let query = url.query().map { "?\($0)" } ?? ""
    return ([path + query, ""] as [String]).reduce(into: []) { found, suffix in
      if let url = URL(string: base + suffix), !found.contains(url) { found.append(url) }
    }
  }
}

extension AuthenticationError {
  fileprivate static func resource(_ fault: String) -> Self {
    .invalidConfiguration(
      "The address of the protected resource \(fault).", suggestion: "Write it like https://notes.example.com/mcp.",
      of: "address")
  }
}

/// A server that issues access tokens for a resource (RFC 8414).
struct AuthorizationServer: Sendable {
  let issuer: String
  let metadata: IssuerMetadata
  let registration: URL?
  /// The metadata as it came, for an error that names a member.
  let document: CheckedDocument
  /// Whether the address of a document may be the client id.
  let takesClientMetadataDocuments: Bool
  let freshness: Duration
}

/// The metadata of a resource before the sign-in.
struct DiscoveredResource: Sendable {
  /// Its name in requests (RFC 8707 §2).
  let resource: String
  let server: AuthorizationServer
  /// The scopes that a token for it needs, by its challenge or its metadata (RFC 9728 §2); nil if neither has any.
  let scopes: [String]?
  /// Whether it takes only tokens that are bound to a key (RFC 9728 §2).
  var requiresBinding = false
}

/// Finds out where a protected resource's access tokens come from (RFC 9728, RFC 8414).
struct ResourceDiscovery: Sendable {
  static let resourceMetadata = "protected resource metadata"
  static let serverMetadata = "authorization server metadata"

  let address: ResourceAddress
  let acceptsParent: Bool
  /// Restricted to public addresses, without redirects.
  let httpClient: any HTTPClient
  let rule: PublicAddressRule
  let clock: any AuthenticationClock

  /// - Parameters:
  ///   - known: issuers at which there is a registration already: one of them is preferred.
  ///   - only: the one issuer at which the app may sign in; nil for any.
  func discover(
    preferring known: [String], only: String? = nil
  ) async throws(AuthenticationError) -> DiscoveredResource {
    let response = try await httpClient.send(HTTPRequest(.get, address.url))
    if response.isSuccess {
      throw AuthenticationError(
        .clientRejected, "The resource needs no token, and so no sign-in.",
        suggestion: "Send requests to it as they are, or check the address.")
    }
    if response.status == 429 || response.status >= 500 { throw HTTPErrorMapper.map(response, now: clock.now) }
    let challenge = response.status == 401 ? response.challenges.first { ["bearer", "dpop"].contains($0.scheme) } : nil
    let challenged = response.challenges.compactMap { $0.parameters["resource_metadata"] }.first
    guard let document = try await metadata(at: challenged) else {
      // As servers were before RFC 9728: the resource is its own authorization server, with or without a slash.
      let origin = address.origin.description
      guard only.map({ [origin, origin + "/"].hasSame(as: $0) }) ?? true else {
        throw .refused(by: .issuer, "The resource has no metadata, and its origin is not the configured issuer.")
      }
      let server = try await server(only ?? origin, orCalled: only == nil ? origin + "/" : nil)
      return DiscoveredResource(resource: address.text, server: server, scopes: challenge?.scopes)
    }
    let resource = try document.required("resource")
    guard address.isNamed(by: resource, acceptsParent: acceptsParent) else {
      throw document.fault("resource", "names another resource")
    }
    guard let servers = try document.texts("authorization_servers"), !servers.isEmpty else {
      throw document.fault("authorization_servers", "is missing or empty")
    }
    if let only, !servers.hasSame(as: only) {
      throw document.fault("authorization_servers", "does not have the configured issuer")
    }
    let scopes = try document.texts("scopes_supported")
    try checkTypes(of: document)
    let requiresBinding = try document.flag("dpop_bound_access_tokens_required")
    var failure = document.fault("authorization_servers", "names none that is an https URL")
    var candidates: [String] = []
    for issuer in only.map({ [$0] }) ?? servers.filter(known.contains) + servers
    where candidates.count < 4 && !candidates.contains(issuer) && (try? IssuerIdentifier(issuer)) != nil {
      candidates.append(issuer)
    }
    for issuer in candidates {
      do throws(AuthenticationError) {
        if let url = URL(string: issuer) { try await document.check(url, of: "authorization_servers", by: rule) }
        return DiscoveredResource(
          resource: resource, server: try await server(issuer, of: resource), scopes: challenge?.scopes ?? scopes,
          requiresBinding: requiresBinding)
      } catch {
        // The next one may do; the user need not wait for several that do not respond.
        guard error == .security else { throw error }
        failure = error
      }
    }
    throw failure
  }

  private func checkTypes(of document: CheckedDocument) throws(AuthenticationError) {
    for list in ["dpop", "resource"] { _ = try document.texts("\(list)_signing_alg_values_supported") }
    _ = try document.texts("authorization_details_types_supported")
    if let ways = try document.texts("bearer_methods_supported"), !ways.isEmpty, !ways.contains("header") {
      throw document.fault("bearer_methods_supported", "does not have 'header'")
    }
    for text in ["jwks_uri", "resource_name", "resource_documentation", "resource_policy_uri", "resource_tos_uri"] {
      _ = try document.text(text)
    }
    _ = try document.text("signed_metadata", atMost: CheckedDocument.maximumSize)
    _ = try document.flag("tls_client_certificate_bound_access_tokens")
  }

  /// Nil if the resource publishes none.
  private func metadata(at challenged: String?) async throws(AuthenticationError) -> CheckedDocument? {
    if let challenged {
      guard let url = URL(string: challenged), Origin(url) == address.origin else {
        throw .refused(by: .metadata, "The challenge's 'resource_metadata' is not an address of the resource's origin.")
      }
      return try CheckedDocument(try await get(url, Self.resourceMetadata), Self.resourceMetadata, now: clock.now)
    }
    for url in address.metadataAddresses {
      let response = try await get(url, Self.resourceMetadata)
      if response.isAbsent { continue }
      return try CheckedDocument(response, Self.resourceMetadata, now: clock.now)
    }
    return nil
  }

  /// The metadata of an authorization server, by the order of RFC 8414 §3.1 and OpenID Connect Discovery §4.
  ///
  /// - Parameters:
  ///   - alias: how the server may call itself as well.
  ///   - resource: which must be among those that the server names, if it names any; nil for any.
  func server(
    _ issuer: String, orCalled alias: String? = nil, of resource: String? = nil
  ) async throws(AuthenticationError) -> AuthorizationServer {
    for url in try IssuerIdentifier(issuer).metadataAddresses {
      let response = try await get(url, Self.serverMetadata)
      if response.isAbsent { continue }
      let document = try CheckedDocument(response, Self.serverMetadata, now: clock.now)
      let name = try document.required("issuer")
      guard name == issuer || name == alias else {
        throw document.fault("issuer", "is not the issuer that was asked for")
      }
      return try await server(IssuerIdentifier(name), document, of: resource, freshness: response.freshness)
    }
    throw .refused(by: .metadata, "There is no \(Self.serverMetadata) where the issuer's name says.")
  }

  private func server(
    _ issuer: IssuerIdentifier, _ document: CheckedDocument, of resource: String?, freshness: Duration
  ) async throws(AuthenticationError) -> AuthorizationServer {
    let allowsLoopback = issuer.origin.isLoopback
    for endpoint in OpenIDClient.Endpoint.allCases {
      _ = try document.url(endpoint.rawValue, allowsLoopback: allowsLoopback)
    }
    for flag in ["authorization_response_iss_parameter_supported", "require_pushed_authorization_requests"] {
      _ = try document.flag(flag)
    }
    for list in [
      "response_types", "response_modes", "grant_types", "scopes", "token_endpoint_auth_methods",
      "token_endpoint_auth_signing_alg_values", "revocation_endpoint_auth_methods",
      "introspection_endpoint_auth_methods", "id_token_signing_alg_values", "dpop_signing_alg_values", "prompt_values",
    ] {
      _ = try document.texts("\(list)_supported")
    }
    guard try document.texts("code_challenge_methods_supported")?.contains("S256") == true else {
      throw .refused(
        by: .codeChallenge, "The \(Self.serverMetadata) is refused: 'code_challenge_methods_supported' has no S256.",
        suggestion: "Have the authorization server support PKCE with S256, and say so.")
    }
    let resources = try document.texts("protected_resources")
    if let resource, let resources, !resources.contains(resource) {
      throw document.fault("protected_resources", "does not have the resource")
    }
    guard let tokenEndpoint = try document.url("token_endpoint", allowsLoopback: allowsLoopback) else {
      throw document.fault("token_endpoint", "is missing")
    }
    var metadata = try IssuerMetadata(checked: document.members, of: issuer)
    // Tokens go only to the origin that issues them.
    for endpoint in [OpenIDClient.Endpoint.userInfo, .introspection, .revocation, .endSession] {
      guard let url = metadata.endpoints[endpoint], Origin(url) != Origin(tokenEndpoint) else { continue }
      metadata.endpoints[endpoint] = nil
    }
    let registration = try document.url("registration_endpoint", allowsLoopback: allowsLoopback)
    var checked: Set<Origin> = []
    let endpoints = metadata.endpoints.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
    for (member, url) in endpoints + (registration.map { [("registration_endpoint", $0)] } ?? [])
    where Origin(url).map({ checked.insert($0).inserted }) ?? true {
      try await document.check(url, of: member, by: rule)
    }
    // Where the user signs in at another origin, only this tells that the response is the issuer's (RFC 9207 §2.4).
    if let page = metadata.endpoints[.authorization], Origin(page) != issuer.origin {
      metadata.sendsIssuerInResponses = true
    }
    return AuthorizationServer(
      issuer: issuer.text, metadata: metadata, registration: registration, document: document,
      takesClientMetadataDocuments: try document.flag("client_id_metadata_document_supported"),
      freshness: freshness)
  }

  private func get(_ url: URL, _ name: String) async throws(AuthenticationError) -> HTTPResponse {
    try await httpClient.document(name, by: HTTPRequest(.get, url, headers: ["Accept": "application/json"]))
  }
}

extension AuthenticateChallenge {
  fileprivate var scopes: [String]? {
    parameters["scope"].map { $0.split(separator: " ").prefix(32).map(String.init) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension HTTPResponse {
  /// Whether the next address is to be tried.
  fileprivate var isAbsent: Bool { (400...499).contains(status) && status != 429 }
}
