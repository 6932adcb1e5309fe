import AuthenticationData
public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an issuer says about a token (RFC 7662 §2.2). Of a token that is not active nothing else is known.
public struct TokenIntrospection: Sendable, Hashable {
  /// Whether it is valid now, to whoever asks.
  public let isActive: Bool
  /// `scope`.
  public let scopes: [String]
  /// `client_id`: whom it was issued to.
  public let clientID: String?
  /// `sub`: whom it is about.
  public let subject: String?
  /// `username`.
  public let userName: String?
  /// `exp` (UTC).
  public let expiresAt: Date?
}

enum IntrospectionResponseMapper {
  private struct Wire: Decodable {
    let active: Bool
    let scope: String?
    let client_id: String?
    let sub: String?
    let username: String?
    let exp: Double?
  }

  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` for anything but such an object.
  static func map(_ response: HTTPResponse) throws(AuthenticationError) -> TokenIntrospection {
    guard response.isJSON, !response.isFromOtherOrigin,
      let wire = try? JSONDecoder().decode(Wire.self, from: response.body)
    else {
      throw AuthenticationError(
        .unexpectedAnswer, "The answer is not a JSON object that says whether the token is active.",
        suggestion: "Check what the issuer's introspection endpoint answers.")
    }
    return TokenIntrospection(
      isActive: wire.active, scopes: wire.scope?.split(separator: " ").map(String.init) ?? [],
      clientID: wire.client_id, subject: wire.sub, userName: wire.username,
      expiresAt: wire.exp.map { Date(timeIntervalSince1970: $0) })
  }
}

extension OpenIDConnectProvider {
  /// Asks the issuer about the session's access token (RFC 7662 §2.1). Many issuers let only clients with a secret
  /// ask: ``AuthenticationError/Code/clientRejected``. Throws ``AuthenticationError/Code/endpointMissing``.
  public func introspect(_ session: AuthSession) async throws(AuthenticationError) -> TokenIntrospection {
    guard let endpoint = try await issuer.endpoint(\.introspectionEndpoint) else { throw .missing("introspection") }
    return try await introspect(session.accessToken, at: endpoint)
  }

  func introspect(
    _ token: AccessToken, at endpoint: URL
  ) async throws(AuthenticationError) -> TokenIntrospection {
    let form = FormBody(["token": token.value.reveal(), "token_type_hint": "access_token"])
    let client = client.resolved(by: try await issuer.metadata())
    let response = try await environment.httpClient.send(HTTPRequest(posting: form, to: endpoint, by: client))
    if response.isSuccess { return try IntrospectionResponseMapper.map(response) }
    // Nothing but a refusal of this client: what a public client gets from issuers that say it without words.
    if response.status == 401 || response.status == 403, response.body.isEmpty { throw .clientUnknown }
    throw OAuthErrorResponseMapper.map(response, now: environment.clock.now)
  }
}

extension OpenIDConnectProvider: SessionValidatingProvider {
  /// By introspection where this client may (RFC 7662), else at the UserInfo endpoint, which refuses a token that is
  /// not valid (RFC 6750 §3.1). Throws ``AuthenticationError/Code/unsupportedMethod`` if there is neither.
  public func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool {
    let metadata = try await issuer.metadata(with: [\.introspectionEndpoint])
    if let endpoint = metadata.introspectionEndpoint {
      do throws(AuthenticationError) {
        // "Inactive" is also what a client hears that may not ask (§2.2).
        let isActive = try await introspect(session.accessToken, at: endpoint).isActive
        if isActive || metadata.userInfoEndpoint == nil { return isActive }
      } catch  where error.code == .clientRejected && metadata.userInfoEndpoint != nil {}
    }
    guard let endpoint = metadata.userInfoEndpoint else {
      throw AuthenticationError(.unsupportedMethod, "This issuer has no endpoint that could validate a session.")
    }
    let response = try await userInfoResponse(for: session.tokens, at: endpoint)
    if response.refusesToken { return false }
    guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, now: environment.clock.now) }
    try UserInfoResponseMapper.map(response).check(isAbout: session.user.id)
    return true
  }
}

extension HTTPResponse {
  /// 401 that speaks of the token (RFC 6750 §3.1): a proxy's own 401 does not.
  fileprivate var refusesToken: Bool {
    guard status == 401, !isFromOtherOrigin else { return false }
    let reasons = challenges.filter { $0.scheme == "bearer" || $0.scheme == "dpop" }.map { $0.parameters["error"] }
    return reasons.contains(nil) || reasons.contains("invalid_token")
      || OAuthErrorResponseMapper.code(of: self) == "invalid_token"
  }
}
