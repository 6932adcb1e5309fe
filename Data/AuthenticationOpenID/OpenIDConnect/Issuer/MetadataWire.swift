/// The members of a discovery document that are read here (OpenID Connect Discovery §3, RFC 8414 §2).
///
/// An endpoint or an issuer of the wrong kind spoils the document; a list or a flag of the wrong kind is absent, for it
/// is nothing to fail for.
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

    static let endpoints: [Self] = [
      .authorizationEndpoint, .tokenEndpoint, .keySet, .userInfoEndpoint, .revocationEndpoint, .introspectionEndpoint,
      .endSessionEndpoint, .deviceAuthorizationEndpoint, .pushedAuthorizationRequestEndpoint,
    ]
    static let flags: [Self] = [.requiresPushedRequests, .sendsIssuer]
    static let lists: [Self] = [.codeChallengeMethods, .idTokenAlgorithms]
  }

  let issuer: String?
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
  /// Identical, in every byte (RFC 8414 §3.3).
  func names(_ asked: IssuerIdentifier) -> Bool {
    issuer.map { $0.utf8.elementsEqual(asked.text.utf8) } ?? false
  }
}
