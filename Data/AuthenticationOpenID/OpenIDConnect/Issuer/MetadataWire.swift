import AuthenticationDomain

/// The members of a discovery document that are read here (OpenID Connect Discovery §3, RFC 8414 §2).
///
/// An endpoint or an issuer of the wrong type makes the document invalid; a list or a flag of the wrong type counts as
/// absent, because it is not worth failing for.
struct MetadataWire: Decodable {
  enum Member: String, CodingKey {
    case issuer
    case authorizationEndpoint = "authorization_endpoint"
    case tokenEndpoint = "token_endpoint"
    case keySet = "jwks_uri"
    case userInfoEndpoint = "userinfo_endpoint"
    case revocationEndpoint = "revocation_endpoint"
    case introspectionEndpoint = "introspection_endpoint"
    case endSessionEndpoint = "end_session_endpoint"
    case deviceAuthorizationEndpoint = "device_authorization_endpoint"
    case pushedAuthorizationRequestEndpoint = "pushed_authorization_request_endpoint"
    case requiresPushedRequests = "require_pushed_authorization_requests"
    case sendsIssuer = "authorization_response_iss_parameter_supported"
    case codeChallengeMethods = "code_challenge_methods_supported"
    case idTokenAlgorithms = "id_token_signing_alg_values_supported"
    case scopes = "scopes_supported"
    case responseTypes = "response_types_supported"
    case grantTypes = "grant_types_supported"
    case clientAuthenticationMethods = "token_endpoint_auth_methods_supported"
    case revocationAuthenticationMethods = "revocation_endpoint_auth_methods_supported"
    case prompts = "prompt_values_supported"
    case proofAlgorithms = "dpop_signing_alg_values_supported"

    static let endpoints: [Self] = [
      .authorizationEndpoint, .tokenEndpoint, .keySet, .userInfoEndpoint, .revocationEndpoint, .introspectionEndpoint,
      .endSessionEndpoint, .deviceAuthorizationEndpoint, .pushedAuthorizationRequestEndpoint,
    ]
    static let flags: [Self] = [.requiresPushedRequests, .sendsIssuer]
    static let lists: [Self] = [
      .codeChallengeMethods, .idTokenAlgorithms, .scopes, .responseTypes, .grantTypes, .clientAuthenticationMethods,
      .revocationAuthenticationMethods, .prompts, .proofAlgorithms,
    ]
  }

  private(set) var issuer: String?
  private(set) var endpoints: [Member: String] = [:]
  private(set) var flags: Set<Member> = []
  private(set) var lists: [Member: [String]] = [:]

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    issuer = try members.decodeIfPresent(String.self, forKey: .issuer)
    for member in Member.endpoints { endpoints[member] = try members.decodeIfPresent(String.self, forKey: member) }
    for member in Member.flags where (try? members.decode(Bool.self, forKey: member)) == true { flags.insert(member) }
    for member in Member.lists { lists[member] = try? members.decode([String].self, forKey: member) }
  }
}

extension MetadataWire {
  /// What is known of an issuer that publishes nothing: the endpoints that the app sets.
  init(issuer: String, endpoints: [OpenIDClient.Endpoint: String]) {
    self.issuer = issuer
    name(endpoints)
  }

  /// Endpoints that the app sets override the issuer's.
  mutating func name(_ named: [OpenIDClient.Endpoint: String]) {
    for (endpoint, url) in named { endpoints[endpoint.member] = url }
  }

  /// Endpoints that are only in the issuer's other document.
  mutating func add(_ others: [Member: String], named members: [Member]) {
    for member in members where endpoints[member] == nil { endpoints[member] = others[member] }
  }

  /// Removes an endpoint that may not be used.
  mutating func remove(_ member: Member) { endpoints[member] = nil }

  /// Identical, in every byte (RFC 8414 §3.3).
  func names(_ asked: IssuerIdentifier) -> Bool {
    issuer.map { $0.utf8.elementsEqual(asked.text.utf8) } ?? false
  }

  /// Why the document is not that of the requested issuer; nil if it is. Quotes the document's issuer only if it
  /// differs by a trailing slash.
  func mismatch(_ asked: IssuerIdentifier) -> AuthenticationError? {
    guard !names(asked) else { return nil }
    let twin = asked.text.hasSuffix("/") ? String(asked.text.dropLast()) : asked.text + "/"
    guard let issuer, issuer.utf8.elementsEqual(twin.utf8) else {
      return .refused(by: .issuer, "The metadata is of another issuer than the one asked for.")
    }
    let side = twin.hasSuffix("/") ? "with" : "without"
    return .refused(by: .issuer, "The issuer calls itself '\(twin)', \(side) a slash at the end.")
  }
}
