package import AuthenticationData
package import AuthenticationDomain
package import Foundation

/// The metadata of an issuer (OpenID Connect Discovery §3, RFC 8414 §2).
package struct IssuerMetadata: Sendable {
  var issuer = ""
  /// Each of them was checked by an ``EndpointRule``.
  package var endpoints: [OpenIDClient.Endpoint: URL] = [:]
  package var requiresPushedAuthorizationRequests = false
  /// RFC 9207 §3.
  package var sendsIssuerInResponses = false
  package var codeChallengeMethods: [String]?
  package var idTokenAlgorithms: [String]?
  package var scopes: [String]?
  var responseTypes: [String]?
  var grantTypes: [String]?
  package var clientAuthenticationMethods: [String]?
  /// `token_endpoint_auth_signing_alg_values_supported`.
  var clientAssertionAlgorithms: [String]?
  package var revocationAuthenticationMethods: [String]?
  /// Initiating User Registration via OpenID Connect §4.1.
  var prompts: [String]?
  package var proofAlgorithms: [String]?
}

extension IssuerMetadata {
  /// The content of a document whose issuer was checked.
  ///
  /// - Throws: as ``MetadataResponseMapper/metadata(_:_:)`` does.
  package init(checked document: JSONMembers, of issuer: IssuerIdentifier) throws(AuthenticationError) {
    guard let wire = MetadataWire(document) else { throw .unexpectedResponse }
    self = try MetadataResponseMapper.metadata(wire, EndpointRule(issuer: issuer.origin))
  }
}

/// Maps a discovery document to metadata (OpenID Connect Discovery §4.2, RFC 8414 §3.2).
package enum MetadataResponseMapper {
  /// The largest document, in bytes.
  static let maximumSize = 512 * 1_024

  /// Throws ``AuthenticationError/unexpectedResponse`` unless it is a JSON object,
  /// ``AuthenticationError/security`` if it names another issuer, and
  /// ``AuthenticationError/insecureConnection`` if one of its endpoints is not https. Nothing of it is quoted.
  static func map(
    _ response: HTTPResponse, of issuer: IssuerIdentifier, now: Date,
    naming endpoints: [OpenIDClient.Endpoint: String] = [:], tenants: IssuerTenants? = nil
  ) throws(AuthenticationError) -> IssuerMetadata {
    var wire = try wire(response, now: now)
    if let mismatch = wire.mismatch(issuer, tenants) { throw mismatch }
    wire.endpoints.merge(endpoints) { $1 }
    return try metadata(wire, EndpointRule(issuer: issuer.origin))
  }

  /// Returns the document before anything in it is checked.
  package static func wire(_ response: HTTPResponse, now: Date) throws(AuthenticationError) -> MetadataWire {
    if let error = AuthenticationError.noDocument(response, now: now) { throw error }
    guard response.isJSON else { throw .notJSON }
    guard response.body.count <= maximumSize else { throw .tooLong }
    guard let members = JSONMembers(json: response.body), let wire = MetadataWire(members) else { throw .notAnObject }
    return wire
  }

  /// Returns the document's content after every endpoint in it was checked.
  package static func metadata(
    _ wire: MetadataWire, _ rule: EndpointRule
  ) throws(AuthenticationError) -> IssuerMetadata {
    var metadata = wire.metadata
    for endpoint in OpenIDClient.Endpoint.allCases {
      metadata.endpoints[endpoint] = try rule.check(wire.endpoints[endpoint], endpoint.rawValue)
    }
    return metadata
  }
}

extension AuthenticationError {
  /// Why an issuer's document cannot be read; nil for 200. A redirect is not followed: it could lead to another
  /// issuer's document (RFC 9700 §4.12).
  static func noDocument(_ response: HTTPResponse, now: Date) -> Self? {
    guard response.status != 200 || response.isFromOtherOrigin else { return nil }
    // A document that was removed (HTTP 410) is missing like any other.
    return HTTPErrorMapper.meaning(of: response.status == 410 ? 404 : response.status)
      .with(\.retryAfter, response.retryAfter(now: now))
  }

  fileprivate static let notJSON = Self(
    .unexpectedResponse, "The issuer's metadata is no JSON, but perhaps a web page.",
    suggestion: "Check the issuer's URL, and whether the network asks for a sign-in of its own.")
  fileprivate static let notAnObject = Self(
    .unexpectedResponse, "The issuer's metadata is not a well-formed JSON object with the members it should have.",
    suggestion: "Check the issuer's URL and what it publishes there.")
  fileprivate static let tooLong = Self(
    .responseTooLarge, "The issuer's metadata is longer than \(MetadataResponseMapper.maximumSize) bytes.",
    suggestion: "Check the issuer's URL and what it publishes there.")
}

/// The members of a discovery document that are read here (OpenID Connect Discovery §3, RFC 8414 §2).
///
/// An endpoint or an issuer of the wrong type makes the document invalid; a list or a flag of the wrong type counts as
/// absent, because it is not worth failing for.
package struct MetadataWire {
  /// Everything but the endpoints.
  private(set) var metadata = IssuerMetadata()
  package var endpoints: [OpenIDClient.Endpoint: String] = [:]

  init?(_ members: JSONMembers) {
    let texts = ["issuer"] + OpenIDClient.Endpoint.allCases.map(\.rawValue)
    let isText = { (value: JSONValue) in value == .null || value.text != nil }
    guard texts.allSatisfy({ members.values[$0].map(isText) ?? true }) else { return nil }
    metadata.issuer = members["issuer"] ?? ""
    for endpoint in OpenIDClient.Endpoint.allCases { endpoints[endpoint] = members[endpoint.rawValue] }
    let flag = { (name: String) in members.values[name] == .boolean(true) }
    metadata.requiresPushedAuthorizationRequests = flag("require_pushed_authorization_requests")
    metadata.sendsIssuerInResponses = flag("authorization_response_iss_parameter_supported")
    let list = { (name: String) -> [String]? in
      guard case .array(let elements) = members.values["\(name)_supported"] else { return nil }
      let texts = elements.compactMap(\.text)
      return texts.count == elements.count ? texts : nil
    }
    metadata.codeChallengeMethods = list("code_challenge_methods")
    metadata.idTokenAlgorithms = list("id_token_signing_alg_values")
    metadata.scopes = list("scopes")
    metadata.responseTypes = list("response_types")
    metadata.grantTypes = list("grant_types")
    metadata.clientAuthenticationMethods = list("token_endpoint_auth_methods")
    metadata.clientAssertionAlgorithms = list("token_endpoint_auth_signing_alg_values")
    metadata.revocationAuthenticationMethods = list("revocation_endpoint_auth_methods")
    metadata.prompts = list("prompt_values")
    metadata.proofAlgorithms = list("dpop_signing_alg_values")
  }

  /// The metadata of an issuer that publishes nothing: the endpoints that the app sets.
  init(issuer: String, endpoints: [OpenIDClient.Endpoint: String]) {
    metadata.issuer = issuer
    self.endpoints = endpoints
  }

  /// Identical, in every byte (RFC 8414 §3.3).
  func names(_ asked: IssuerIdentifier) -> Bool { metadata.issuer.isSame(as: asked.text) }

  /// Why the document is not that of the requested issuer; nil if it is. Quotes the document's issuer only if it
  /// differs by a trailing slash.
  package func mismatch(_ asked: IssuerIdentifier, _ tenants: IssuerTenants? = nil) -> AuthenticationError? {
    guard !(tenants?.isIssuer(metadata.issuer) ?? names(asked)) else { return nil }
    let twin = asked.text.hasSuffix("/") ? String(asked.text.dropLast()) : asked.text + "/"
    guard metadata.issuer.isSame(as: twin) else {
      return .refused(by: .issuer, "The metadata is of another issuer than the one asked for.")
    }
    let side = twin.hasSuffix("/") ? "with" : "without"
    return .refused(by: .issuerSlash, "The issuer calls itself '\(twin)', \(side) a slash at the end.")
  }
}

/// Where an issuer's endpoints may be: on https, or on this machine if the issuer is too (RFC 9700 §2.6).
package struct EndpointRule: Sendable {
  private let issuer: Origin

  package init(issuer: Origin) { self.issuer = issuer }

  /// Nil if the issuer has no such endpoint. Throws ``AuthenticationError/insecureConnection``, which names the
  /// endpoint; `name` is the metadata's member.
  package func check(_ text: String?, _ name: String) throws(AuthenticationError) -> URL? {
    guard let text, !text.isEmpty else { return nil }
    guard let url = URL(string: text), let origin = Origin(url), url.fragment() == nil else {
      throw AuthenticationError(
        .unexpectedResponse, "The issuer's \(name) is not an absolute URL without user info and fragment.",
        suggestion: "Check what the issuer publishes.")
    }
    guard origin.scheme == "https" || (origin.isLoopback && issuer.isLoopback) else {
      throw AuthenticationError(
        .insecureConnection, "The issuer's \(name) is not https: nothing of its metadata is used.",
        suggestion: "Have the issuer publish https endpoints only.")
    }
    return url
  }
}

extension Issuer {
  /// Returns the metadata that a browser sign-in needs, from whichever document the issuer publishes it in.
  func metadata(signingIn client: OpenIDClient) async throws(AuthenticationError) -> IssuerMetadata {
    let pushes = try await metadata().takesPushedRequests(of: client)
    return try await metadata(with: [.authorization, .token] + (pushes ? [.pushedAuthorizationRequest] : []))
  }
}

extension IssuerMetadata {
  /// Throws before the page is shown if the sign-in would fail after it; the client must be resolved.
  func checkAuthorization(of client: OpenIDClient) throws(AuthenticationError) {
    if client.endpoints[.authorization] == nil {
      try checkResponseTypes()
      try checkGrants()
    }
    try checkCodeChallenges()
    _ = try usableAuthorizationEndpoint()
    if endpoints[.token] == nil { throw .missing("token") }
    if takesPushedRequests(of: client), endpoints[.pushedAuthorizationRequest] == nil {
      throw .missing("pushed authorization request")
    }
    if client.askedScopes.contains("openid"), endpoints[.keySet] == nil { throw .noKeySet }
  }

  func takesPushedRequests(of client: OpenIDClient) -> Bool {
    client.pushesAuthorizationRequests || requiresPushedAuthorizationRequests
  }

  /// OpenID Connect Discovery §3, RFC 8414 §2.
  package func checkResponseTypes() throws(AuthenticationError) {
    guard let responseTypes, !responseTypes.contains("code") else { return }
    throw AuthenticationError(
      .clientRejected, "The issuer says that it sends no authorization code.",
      suggestion: "Enable the response type 'code' at the issuer ('response_types_supported').")
  }

  /// RFC 8414 §2: without a list, the grant is supported.
  package func checkGrants() throws(AuthenticationError) {
    guard let grantTypes, !grantTypes.contains("authorization_code") else { return }
    throw AuthenticationError(
      .clientRejected, "The issuer says that it does not support the authorization code grant.",
      suggestion: "Enable 'authorization_code' at the issuer ('grant_types_supported'), or sign in another way.")
  }

  /// An issuer that lists no method is sent PKCE all the same: it ignores unknown parameters (RFC 6749 §3.1), and state
  /// and nonce protect the sign-in (RFC 9700 §4.7.1). One that lists only other methods is refused: there is no
  /// downgrade to `plain` (RFC 7636 §7.2).
  package func checkCodeChallenges() throws(AuthenticationError) {
    guard let codeChallengeMethods, !codeChallengeMethods.contains(AuthorizationRequest.codeChallengeMethod) else {
      return
    }
    throw .refused(
      by: .codeChallenge, "The issuer says that it does not support PKCE with S256, and nothing weaker is used.",
      suggestion: "Enable S256 at the issuer ('code_challenge_methods_supported').")
  }

  /// Throws ``AuthenticationError/endpointMissing``, ``AuthenticationError/insecureConnection``, and
  /// ``AuthenticationError/unexpectedResponse`` if it has a fragment (RFC 6749 §3.1).
  func usableAuthorizationEndpoint() throws(AuthenticationError) -> URL {
    guard let endpoint = endpoints[.authorization] else { throw .missing("authorization") }
    guard Origin(endpoint)?.isSecure == true else {
      throw AuthenticationError(
        .insecureConnection, "The issuer's authorization endpoint is neither https nor on this machine.",
        suggestion: "Check the issuer's discovery document.")
    }
    guard !endpoint.absoluteString.contains("#") else {
      throw AuthenticationError(.unexpectedResponse, "The issuer's authorization endpoint has a fragment.")
    }
    return endpoint
  }
}

extension AuthenticationError {
  static func missing(_ endpoint: String) -> Self {
    Self(
      .endpointMissing, "The issuer names no \(endpoint) endpoint.",
      suggestion: "Check the issuer's discovery document.")
  }

  static let noDeviceAuthorization = missing("device authorization").with(\.reason, .deviceAuthorization)

  package static let noKeySet = refused(
    by: .signature, "The issuer publishes no keys to verify an ID token with (jwks_uri).")

  static let noPresenter = Self(
    .unsupportedMethod, "There is nothing to show the issuer's page with.",
    suggestion: "Give the OpenIDClient a presenter.")
}
