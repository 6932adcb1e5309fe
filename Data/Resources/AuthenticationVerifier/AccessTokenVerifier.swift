public import AuthenticationData
public import AuthenticationDomain
public import AuthenticationOpenID
public import Foundation

/// Checks the access tokens that clients send to a server: JWTs (RFC 9068), opaque tokens (RFC 7662), and the proofs of
/// tokens that are bound to a key (DPoP, RFC 9449).
///
/// Make one for each protected resource, and keep it: it holds the issuer's keys.
///
/// ```swift
/// import AuthenticationVerifier
///
/// let verifier = try AccessTokenVerifier(
///   resource: "https://notes.example.com/api", issuer: "https://id.example.com")
/// do throws(AccessTokenRefusal) {
///   let access = try await verifier.verify(
///     method: "GET", path: "/api/notes", headers: ["Authorization": "Bearer …"], requiring: ["notes:read"])
///   print(access.subject ?? "", access.scopes)
/// } catch {
///   print(error.status, error.headers.fields.map(\.name))  // the server's response
/// }
/// ```
public final class AccessTokenVerifier: Sendable {
  /// Where the metadata document is served: `/.well-known/oauth-protected-resource` between the resource's host and its
  /// path (RFC 9728 §3.1).
  public let metadataURL: URL

  private let resource: String
  private let expected: AccessTokenClaims.Expectations
  private let algorithms: Set<SignatureAlgorithm>
  private let issuer: Issuer
  private let introspector: TokenIntrospector?
  private let proofs: ProofChecker
  private let clock: any AuthenticationClock

  /// Creates the verifier of one protected resource; nothing is requested yet.
  ///
  /// - Parameters:
  ///   - resource: the identifier of the protected resource (RFC 9728 §1.2): an https URL without a fragment, or http to
  ///     this machine.
  ///   - issuer: the one authorization server whose tokens are accepted, spelled as it calls itself.
  ///   - audience: the value that `aud` must contain; by default the resource.
  ///   - baseURL: the address of the server for its clients, which proofs name (`htu`), with the part of the path that
  ///     a proxy removes; by default the scheme, host and port of the resource. The `Host` of a request is never used.
  ///   - profile: the requirements for a JWT; by default RFC 9068, strictly.
  ///   - algorithms: those with which the issuer may sign; by default every asymmetric one.
  ///   - leeway: how far clocks may differ; also the age of a proof. 60 seconds by default, at most 5 minutes.
  ///   - introspection: how opaque tokens are checked; by default they are refused.
  ///   - proofs: the rules for tokens that are bound to a key (DPoP).
  ///   - endpoints: those that the issuer's metadata lacks; they override it.
  ///   - httpClient: reaches the issuer; by default a ``AuthenticationData/SystemHTTPClient``.
  ///   - clock: the time; replace it in a test.
  /// - Throws: ``AuthenticationDomain/AuthenticationError/invalidConfiguration``, which names the parameter.
  public init(
    resource: String, issuer: String, audience: String? = nil, baseURL: String? = nil,
    profile: AccessTokenProfile = .rfc9068, algorithms: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases),
    leeway: Duration = .seconds(60), introspection: AccessTokenIntrospection? = nil,
    proofs: AccessTokenProofs = AccessTokenProofs(), endpoints: [OpenIDClient.Endpoint: String] = [:],
    httpClient: (any HTTPClient)? = nil, clock: any AuthenticationClock = SystemClock()
  ) throws(AuthenticationError) {
    guard let url = URL(string: resource), let origin = Origin(url), origin.isSecure, url.fragment == nil,
      let metadataURL = url.protectedResourceMetadata
    else { throw .invalid("resource", "is neither an https URL without a fragment nor on this machine") }
    guard let base = URL(string: baseURL ?? origin.description), Origin(base)?.isSecure == true, base.query == nil,
      base.fragment == nil
    else { throw .invalid("baseURL", "is neither an https URL without a query nor on this machine") }
    guard (.zero ... .seconds(300)).contains(leeway) else { throw .invalid("leeway", "is not 0 to 300 seconds") }
    let client: any HTTPClient
    if let httpClient { client = httpClient } else { client = try SystemHTTPClient.shared }
    let documents = try Issuer(issuer, client: client, clock: clock, endpoints: endpoints)
    self.resource = resource
    self.metadataURL = metadataURL
    self.algorithms = algorithms
    self.issuer = documents
    self.clock = clock
    expected = AccessTokenClaims.Expectations(
      issuer: issuer, audience: audience ?? resource, profile: profile, leeway: leeway)
    introspector = introspection.map { TokenIntrospector($0, issuer: documents, client: client, clock: clock) }
    self.proofs = try ProofChecker(proofs, baseURL: base, leeway: leeway, clock: clock)
  }

  /// Verifies the access token of a request, and its proof if it is bound to a key.
  ///
  /// A token counts only in the one header `Authorization`, not in a query or a body. If no key of the issuer verifies
  /// a signature, the keys are fetched again, at most every 30 seconds; if that fails, the last ones stay in use for a
  /// day.
  ///
  /// - Parameters:
  ///   - method: of the request, such as `GET`.
  ///   - path: of the request below the base URL; a query is ignored.
  ///   - headers: all of the request, repeated ones included.
  ///   - scopes: the scopes that the token must have; none by default.
  /// - Returns: the content of the token, and the header fields for the response.
  /// - Throws: ``AccessTokenRefusal``, which has the status and the header fields of the response.
  public func verify(
    method: String, path: String, headers: HTTPHeaders, requiring scopes: [String] = []
  ) async throws(AccessTokenRefusal) -> VerifiedAccessToken {
    var isProven: Bool?
    do throws(AccessTokenFault) {
      let credentials = try credentials(in: headers)
      isProven = credentials.isProven
      let claims = try await claims(of: credentials.token)
      let fields = try await proofs.check(
        credentials.isProven, for: credentials.token, boundTo: claims.keyThumbprint, method: method, path: path,
        proofs: headers.values(of: "DPoP"))
      guard scopes.allSatisfy(claims.scopes.hasSame) else {
        throw AccessTokenFault(.insufficientScope, "The token was not granted every scope that is required.")
      }
      return VerifiedAccessToken(claims, responseHeaders: fields)
    } catch {
      throw refusal(error, of: isProven, requiring: scopes)
    }
  }

  /// Returns the protected resource metadata document (RFC 9728 §2), which the server sends from ``metadataURL`` as
  /// `application/json`, to anyone.
  ///
  /// - Parameters:
  ///   - scopes: the scopes that clients may ask for (`scopes_supported`).
  ///   - members: further ones, such as `resource_name`; they override those that follow from the verifier.
  public func metadata(scopes: [String] = [], adding members: [String: JSONValue] = [:]) -> Data {
    var document: [String: JSONValue] = [
      "resource": .string(resource), "authorization_servers": [.string(issuer.identifier)],
      "bearer_methods_supported": ["header"],
      "dpop_signing_alg_values_supported": .array(ProofChecker.algorithms.map { .string($0) }),
    ]
    if !scopes.isEmpty { document["scopes_supported"] = .array(scopes.map { .string($0) }) }
    if proofs.isRequired { document["dpop_bound_access_tokens_required"] = true }
    return JSONMembers(document.merging(members) { $1 }).json ?? Data()
  }

  /// RFC 6750 §2.1, RFC 9449 §7.1. One field in the syntax of RFC 9110 §11.4: two that a server joined are none.
  private func credentials(in headers: HTTPHeaders) throws(AccessTokenFault) -> (token: Secret, isProven: Bool) {
    let fields = headers.values(of: "Authorization")
    guard fields.count < 2 else {
      throw AccessTokenFault(.invalidRequest, "The request has more than one Authorization header.")
    }
    let parts = fields.first?.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    let isProven = parts.first.map { String($0).equalsIgnoringCase("DPoP") } ?? false
    guard let scheme = parts.first, isProven || String(scheme).equalsIgnoringCase("Bearer") else {
      throw AccessTokenFault(.noCredentials, "The request has no access token.")
    }
    let token = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
    guard token.isToken68 else {
      throw AccessTokenFault(.invalidRequest, "The Authorization header has no well-formed token.")
    }
    return (Secret(String(token)), isProven)
  }

  /// Only a token that is no JWT is opaque: a token that the issuer signed is not asked about, also with something
  /// appended that the issuer would ignore.
  private func claims(of token: Secret) async throws(AccessTokenFault) -> AccessTokenClaims {
    let text = token.reveal()
    guard text.utf8.count <= CompactJWS.maximumSize else { throw .invalidToken("The token is too long.") }
    guard let jws = try? CompactJWS(text) else {
      guard let introspector, !text.beginsAsJWT else { throw .invalidToken("The token is no well-formed signed JWT.") }
      let claims = try await introspector.claims(of: token)
      try claims.check(expected, at: clock.now)
      return claims
    }
    let isTyped = jws.header.type.map(AccessTokenClaims.isAccessTokenType) ?? false
    guard isTyped || expected.profile == .plainJWT && jws.header.isJWT else {
      throw .invalidToken("The JWT is no access token (typ).")
    }
    do throws(AuthenticationError) {
      try await issuer.checked { keys, _ throws(AuthenticationError) in
        _ = try jws.checkSignature(by: keys, permitting: algorithms, of: "access token")
      }
    } catch {
      throw error.reason == .signature ? .invalidToken(error.message) : AccessTokenFault(unreachable: error)
    }
    let claims = try AccessTokenClaims(json: jws.payload, source: .jwt(expected.profile))
    if !isTyped { try claims.checkIsNoIDToken() }
    try claims.check(expected, at: clock.now)
    return claims
  }

  /// Each scheme that the resource accepts has a challenge; the error stands on the one that was used (RFC 9449 §7.1).
  private func refusal(
    _ fault: AccessTokenFault, of isProven: Bool?, requiring scopes: [String]
  ) -> AccessTokenRefusal {
    var headers: HTTPHeaders = [:]
    headers["DPoP-Nonce"] = fault.nonce
    headers["Retry-After"] = fault.retryAfter.map { "\(max(1, $0.components.seconds))" }
    let usesProof = isProven ?? false || proofs.isRequired
    for scheme in ["Bearer", "DPoP"] where fault.reason != .unavailable {
      let isUsed = (scheme == "DPoP") == usesProof
      if scheme == "Bearer" && proofs.isRequired || !isUsed && fault.reason.status != 401 { continue }
      var parameters: [(String, String)] = []
      if isUsed, let code = fault.reason.code { parameters.append(("error", code)) }
      if !scopes.isEmpty { parameters.append(("scope", scopes.joined(separator: " "))) }
      parameters.append(("resource_metadata", metadataURL.absoluteString))
      if scheme == "DPoP" { parameters.append(("algs", ProofChecker.algorithms.joined(separator: " "))) }
      let text = parameters.map { "\($0)=\"\($1.filter { $0 != "\"" && $0 != "\\" })\"" }.joined(separator: ", ")
      headers.append("WWW-Authenticate", "\(scheme) \(text)")
    }
    return AccessTokenRefusal(
      reason: fault.reason, status: fault.reason.status, headers: headers, description: fault.message)
  }
}

extension String {
  /// Whether the text before the first dot is a JSON object in base64, in any alphabet.
  fileprivate var beginsAsJWT: Bool {
    let header = prefix { $0 != "." }.filter { $0.isLetter || $0.isNumber || "-_+/".contains($0) }
    let json = contains(".") ? Data(lenientBase64: String(header.prefix(header.count & ~3))) : nil
    return json?.filter { $0 > 0x20 }.starts(with: Data(#"{""#.utf8)) ?? false
  }
}

extension Substring {
  /// RFC 9110 §11.2.
  fileprivate var isToken68: Bool {
    let text = utf8.reversed().drop { $0 == UInt8(ascii: "=") }
    return !text.isEmpty
      && text.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-._~+/".utf8.contains(byte)
      }
  }
}

extension URL {
  /// Inserted after the host; of a path that is only a slash nothing stays, and the query stays (RFC 9728 §3.1).
  fileprivate var protectedResourceMetadata: URL? {
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    let path = parts?.percentEncodedPath ?? ""
    parts?.percentEncodedPath = "/.well-known/oauth-protected-resource" + (path == "/" ? "" : path)
    return parts?.url
  }
}
