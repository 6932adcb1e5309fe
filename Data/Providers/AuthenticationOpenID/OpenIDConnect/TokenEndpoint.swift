package import AuthenticationData
public import AuthenticationDomain
package import Foundation

/// Requests tokens from an issuer (RFC 6749 §3.2): a POST with a form, and no token in a query. A redirect is an error.
struct TokenEndpoint: Sendable {
  let url: URL
  let client: OpenIDClient
  let environment: AuthProviderConfiguration.Environment
  let nonces: DPoPNonces

  /// Returns the response, whatever its status. With a key the request carries a proof, and is sent once more if the
  /// issuer asks for a nonce (RFC 9449 §8): it has not processed the grant then. The client below repeats only requests
  /// that never reached the issuer, so that no proof is used twice (§11.1).
  func send(_ grant: FormBody, provenBy key: Secret?) async throws(AuthenticationError) -> HTTPResponse {
    try await send(provenBy: key) { () throws(AuthenticationError) in
      try HTTPRequest(posting: grant, to: url, by: client, in: environment)
    }
  }

  /// The same for a request that is already made.
  func send(_ grant: HTTPRequest, provenBy key: Secret?) async throws(AuthenticationError) -> HTTPResponse {
    try await send(provenBy: key) { grant }
  }

  /// - Parameter make: called for each time that it is sent: an issuer that has noted an assertion refuses it then.
  private func send(
    provenBy key: Secret?, _ make: () throws(AuthenticationError) -> HTTPRequest
  ) async throws(AuthenticationError) -> HTTPResponse {
    var request = try make()
    guard let stored = key else { return try await environment.httpClient.send(request) }
    let key = try ProofOfPossessionKey(stored)
    try request.prove(with: key, nonces: nonces, in: environment)
    let response = try await environment.httpClient.send(request)
    let hasNonce = nonces.learn(from: response, to: url)
    let asksForNonce =
      [400, 401].contains(response.status) && OAuthErrorResponseMapper.code(of: response) == "use_dpop_nonce"
    guard hasNonce, asksForNonce else { return response }
    request = try make()
    try request.prove(with: key, nonces: nonces, in: environment)
    let second = try await environment.httpClient.send(request)
    nonces.learn(from: second, to: url)
    return second
  }

  /// Returns the tokens of a response. Throws ``AuthenticationError/clockSkewed`` if a proof was refused and this
  /// device's clock is off by more than the tolerance: the proof contains the time at which it was made (RFC 9449 §4.3,
  /// §11.1). So does an assertion (RFC 7523 §3).
  ///
  /// - Parameters:
  ///   - scopes: the requested scopes, which are granted if the response names no others (RFC 6749 §5.1).
  ///   - type: of the access token, if the response does not name it; nil for a response that must.
  ///   - refusal: the meaning of `invalid_grant` for this grant.
  ///   - isSigned: whether the grant itself is an assertion that was signed here.
  func tokens(
    of response: HTTPResponse, askedFor scopes: [String], boundTo key: Secret?, typeIfMissing type: String? = nil,
    refusal: AuthenticationError = .invalidCredentials, isSigned: Bool = false
  ) throws(AuthenticationError) -> SessionTokens {
    let now = environment.clock.now
    guard response.isGranted else {
      let isRefresh = refusal == .sessionRejected
      let vendor = isRefresh ? client.dialect.refreshRefusals : client.dialect.refusals
      throw clockSkew(in: response, isSigned: isSigned, now: now)
        ?? OAuthErrorResponseMapper.map(response, refusal: refusal, vendor: vendor, now: now)
    }
    return try TokenResponseMapper.map(
      response, askedFor: scopes, separatedBy: client.dialect.plainOAuth?.scopeSeparator ?? " ", boundTo: key,
      typeIfMissing: type,
      receivedAt: now)
  }

  private func clockSkew(in response: HTTPResponse, isSigned: Bool, now: Date) -> AuthenticationError? {
    var codes: Set = ["invalid_dpop_proof"]
    if case .privateKeyJWT = client.authentication { codes.insert("invalid_client") }
    if isSigned { codes.insert("invalid_grant") }
    guard let code = OAuthErrorResponseMapper.code(of: response), codes.contains(code),
      let offset = response.date(now: now).flatMap({ now.offset(from: $0, beyond: client.clockTolerance) })
    else { return nil }
    return AuthenticationError.clockSkewed(by: offset, toleranceIsOurs: false).with(\.providerCode, code)
  }
}

/// How a client authenticates at the token endpoint (RFC 6749 §2.3).
public enum ClientAuthentication: Sendable, Hashable {
  /// A public client, whose id is sent in the body (RFC 6749 §3.2.1).
  case none
  /// With this secret, in the way that the issuer's metadata lists (`token_endpoint_auth_methods_supported`):
  /// `client_secret_basic` if it lists that or has no list, else `client_secret_post` if it lists that (RFC 8414 §2).
  case secret(Secret)
  /// `client_secret_basic`: form-encoded, then HTTP Basic (RFC 6749 §2.3.1).
  case secretBasic(Secret)
  /// `client_secret_post`: in the body (RFC 6749 §2.3.1).
  case secretPost(Secret)
  /// `private_key_jwt` (RFC 7523 §2.2, OpenID Connect Core §9): with a JWT that this key signs anew for each request,
  /// which names the issuer as its audience and is valid for 60 seconds.
  ///
  /// ```swift
  /// client.authentication = .privateKeyJWT(try SigningKey(pem: pem), keyID: "2026-11")
  /// ```
  ///
  /// - Parameters:
  ///   - keyID: the name under which the issuer knows the key (`kid`); by default the key's own.
  ///   - audience: for a server that does not know itself by its issuer.
  case privateKeyJWT(SigningKey, keyID: String? = nil, audience: AssertionAudience = .issuer)

  func resolved(by metadata: IssuerMetadata) -> Self {
    guard case .secret(let secret) = self else { return self }
    let methods = metadata.clientAuthenticationMethods ?? []
    let wantsPost = methods.contains("client_secret_post") && !methods.contains("client_secret_basic")
    return wantsPost ? .secretPost(secret) : .secretBasic(secret)
  }

  /// Adds the client's identification to the form or to a header, never to both (RFC 6749 §2.3).
  fileprivate func authenticate(
    _ client: OpenIDClient, in form: inout FormBody, _ headers: inout HTTPHeaders,
    _ environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) {
    let clientID = client.clientID
    switch self {
    case .none: form.add("client_id", clientID)
    case .secretPost(let secret):
      form.add("client_id", clientID)
      form.add("client_secret", secret.reveal())
    case .secretBasic(let secret), .secret(let secret):
      let pair = FormBody.encode(clientID) + ":" + FormBody.encode(secret.reveal())
      headers["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
    case .privateKeyJWT(let key, let keyID, let audience):
      try client.assertions.check(key)
      let assertion = try key.assertion(
        by: clientID, about: clientID, to: try client.assertions.audience(audience, of: client),
        type: "client-authentication+jwt", keyID: keyID, in: environment)
      form.add("client_id", clientID)
      form.add(clientAssertion: assertion)
    }
  }
}

/// The metadata of an issuer about a client's assertions.
struct AssertionRules: Sendable {
  var tokenEndpoint: URL?
  /// `token_endpoint_auth_signing_alg_values_supported` (RFC 8414 §2).
  var algorithms: [String]?

  func check(_ key: SigningKey) throws(AuthenticationError) {
    guard let algorithms, !algorithms.contains(key.algorithm.rawValue) else { return }
    throw AuthenticationError(
      .clientRejected, "The issuer says that it accepts no client assertion signed with \(key.algorithm.rawValue).",
      suggestion: "Use a key of another kind ('token_endpoint_auth_signing_alg_values_supported').")
  }

  func audience(_ audience: AssertionAudience, of client: OpenIDClient) throws(AuthenticationError) -> String {
    if audience == .issuer { return client.issuer }
    guard let tokenEndpoint else { throw .missing("token") }
    return tokenEndpoint.absoluteString
  }
}

extension FormBody {
  /// RFC 7521 §4.2.
  mutating func add(clientAssertion assertion: Secret) {
    add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    add("client_assertion", assertion.reveal())
  }
}

extension HTTPRequest {
  /// Creates the request that posts a form, with the client's authentication (RFC 6749 §3.2.1).
  ///
  /// - Throws: if an assertion cannot be signed, or the issuer does not accept the key's algorithm.
  package init(
    posting form: FormBody, to url: URL, by client: OpenIDClient,
    in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) {
    var form = form
    var headers: HTTPHeaders = [:]
    try client.authentication.authenticate(client, in: &form, &headers, environment)
    self.init(posting: form, to: url)
    for field in headers.fields { self.headers.append(field.name, field.value.reveal()) }
  }
}

/// Maps a successful response of a token endpoint to tokens (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
enum TokenResponseMapper {
  /// Throws ``AuthenticationError/unexpectedResponse`` if the body is no object with an `access_token`; no text of it is
  /// quoted. Every other member that cannot be read, an implausible lifetime too, counts as missing: the response may
  /// contain the only refresh token that is still valid.
  ///
  /// The type is `Bearer` or `DPoP`, in any case (RFC 6749 §5.1); any other cannot be used here (§7.1) and throws
  /// ``AuthenticationError/security`` with the reason `token_type`. ``SessionTokens/checkBinding()`` checks
  /// whether it is the type that was requested.
  ///
  /// - Parameter type: the token type of a response that has none; nil refuses it.
  static func map(
    _ response: HTTPResponse, askedFor scopes: [String], separatedBy separator: Character = " ",
    boundTo key: Secret?, typeIfMissing type: String? = nil, receivedAt: Date
  ) throws(AuthenticationError) -> SessionTokens {
    guard let members = response.members else { throw .malformedTokens }
    guard members["access_token"] != nil else { throw .malformedTokens.with(\.response, .unusable) }
    return try VendorResponse(response, members, receivedAt: receivedAt).tokens(
      access: "access_token", refresh: "refresh_token", identity: "id_token", expiresIn: "expires_in",
      type: try self.type(members.values["token_type"]?.text ?? type),
      scopes: members.scopes("scope", separatedBy: separator) ?? scopes, proofKey: key)
  }

  private static func type(_ name: String?) throws(AuthenticationError) -> String {
    for type in ["Bearer", "DPoP"] where name?.equalsIgnoringCase(type) == true { return type }
    throw .refused(by: .tokenType, "The token is of a type that is not known here, or names none.")
  }
}

extension SessionTokens {
  /// Checks that the tokens are bound to a key if that was requested, and only then. A token that is not bound as
  /// requested could be used by anyone who finds it (RFC 9449 §5); one that is bound to an unknown key is useless.
  /// Throws an error with the reason `token_type`.
  func checkBinding() throws(AuthenticationError) {
    guard (access.type == "DPoP") == (proofKey != nil) else {
      throw .refused(by: .tokenType, "The access token is not bound to the key that it was asked for with, if any.")
    }
  }

  /// The same tokens without the refresh token, if it is the one that stays in use.
  fileprivate func without(_ kept: Secret?) -> SessionTokens {
    SessionTokens(access: access, refresh: refresh == kept ? nil : refresh, identity: identity, proofKey: proofKey)
  }
}

extension AuthenticationError {
  static let malformedTokens = Self(
    .unexpectedResponse, "The response is not a JSON object with an access_token.",
    suggestion: "Check what the issuer's token endpoint sends.")
}

/// Refreshes one session (RFC 6749 §6, OpenID Connect Core §12).
struct Refresh: Sendable {
  let provider: OpenIDConnectProvider
  let session: AuthSession
  /// Whose access token is asked for; nil for the session's own.
  var resource: ProtectedResource?

  func tokens() async throws(AuthenticationError) -> ResourceTokens {
    guard let token = session.tokens.refresh else { throw .sessionExpired }
    var form = FormBody(["grant_type": "refresh_token", "refresh_token": token.reveal()])
    let endpoint = try await provider.tokenEndpoint()
    form.add(resource, of: endpoint.client, besides: session.accessToken.scopes)
    let key = session.tokens.proofKey
    let claims = resource == nil ? provider.nonces.takeWantedClaims() : nil
    var asking = form
    asking.add("claims", claims)
    var response = try await endpoint.send(asking, provenBy: key)
    // A scope that is not given without the user ends no session: it is refreshed without it.
    if claims != nil, [400, 401, 403].contains(response.status) {
      response = try await endpoint.send(form, provenBy: key)
    }
    if response.status == 400, response.isEmptyInvalidGrant, isNothingElseAtFault { throw .sessionRejected }
    let tokens = try endpoint.tokens(
      of: response, askedFor: resource?.scopes ?? session.accessToken.scopes, boundTo: key,
      typeIfMissing: session.accessToken.type, refusal: .sessionRejected)
    do throws(AuthenticationError) {
      try tokens.checkBinding()
      return ResourceTokens(
        try await identified(tokens, at: response.date(now: provider.environment.clock.now)),
        refusal: refusal(of: tokens.access))
    } catch {
      await provider.discard(tokens.without(session.tokens.refresh), by: provider.environment.clock)
      throw error
    }
  }

  /// Why an access token is not the one that was asked for: its scopes are fewer, or it is for another resource.
  private func refusal(of access: AccessToken) -> AuthenticationError? {
    guard let resource else { return nil }
    let naming = provider.client.dialect.resourceNaming
    // An issuer that names resources by scopes may leave that out of them.
    let granted = Set(access.scopes)
    let isMissing = resource.scopes.contains { scope in
      !granted.contains(scope) && !(naming == .scopes && granted.contains(scope.lastPart))
        && scope.lastPart != ".default"
    }
    if isMissing {
      return AuthenticationError(
        .resourceRefused, "The issuer gave the access token fewer scopes than the resource's.",
        suggestion: "Ask for them at the sign-in, and check what the client may ask for.")
    }
    guard let name = resource.indicator else { return nil }
    let isOther: Bool
    if naming == .scopes {
      let named = access.scopes.filter { $0.contains("/") }
      isOther = !named.isEmpty && !named.contains { $0.hasPrefix(name + "/") }
    } else {
      let audiences = IDTokenParties(unverified: access.value)?.audiences ?? []
      isOther = !audiences.isEmpty && !audiences.contains { name.isAt(orBelow: $0) }
    }
    guard isOther else { return nil }
    return AuthenticationError(
      .resourceRefused, "The issuer gave an access token for another resource than the one that was asked for.",
      suggestion: "Check that the issuer knows the resource, and gives the client tokens for it.")
  }

  /// Checks that an ID token continues the one of the sign-in (OpenID Connect Core §12.2). Its times are compared with
  /// the issuer's own clock, if the response has a date: a change of this device's clock must not end a session.
  ///
  /// An ID token that names another user, or that the dialect's own check refuses, is refused, whatever its signature.
  /// One that is faulty otherwise is dropped, and the previous one stays: the previous refresh token may already have
  /// been used up, so that refusing the response would end the session. The fault is reported to the app
  /// (``OpenIDClient/onDroppedIDToken``).
  private func identified(_ tokens: SessionTokens, at date: Date?) async throws(AuthenticationError) -> SessionTokens {
    guard let identity = tokens.identity else { return tokens }
    let client = provider.client
    var expectations = provider.expectations(for: tokens, at: date ?? provider.environment.clock.now)
    let original = session.tokens.identity
    // If none can be read, this client and its issuer.
    let parties =
      original.flatMap { try? IDTokenClaims(stored: $0) }?.parties
      ?? IDTokenParties(issuer: client.issuer, subject: nil, audiences: [expectations.audience ?? client.clientID])
    try IDTokenParties(unverified: identity)?.checkContinue(parties, aliases: expectations.issuerAliases)
    // A refresh stays within the organization of the sign-in.
    let organization = original.flatMap { JSONMembers(unverified: $0) }?["org_id"]
    if JSONMembers(unverified: identity) != nil { try client.dialect.check(identity, of: organization) }
    guard let original else { return tokens.withoutIdentity }
    do throws(AuthenticationError) {
      expectations.continuing = try IDTokenClaims(stored: original)
      _ = try await provider.issuer.idToken(identity, expecting: expectations)
      // With the claims that are too large to be kept now, and must not stay as they were: the user names them.
      return tokens.with(JSONMembers(unverified: identity)?.claims() ?? [:])
    } catch {
      if let reason = error.reason, [.issuer, .subject, .audience].contains(reason) { throw error }
      client.onDroppedIDToken(error)
      return tokens.withoutIdentity
    }
  }

  /// A refusal without a code may also mean a resource or a client that the issuer does not accept.
  private var isNothingElseAtFault: Bool {
    resource == nil && provider.client.resources.isEmpty && provider.client.authentication == .none
  }
}

extension String {
  fileprivate var lastPart: String { split(separator: "/").last.map(String.init) ?? self }

  /// Whether this is that address, or one below it.
  package func isAt(orBelow address: String) -> Bool {
    let address = address.hasSuffix("/") ? String(address.dropLast()) : address
    return self == address || address.contains("://") && hasPrefix(address + "/")
  }
}
