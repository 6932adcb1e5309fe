import AuthenticationData
package import AuthenticationDomain
public import Foundation

/// An issuer's report about a token (RFC 7662 §2.2). If the token is not active, nothing else is known.
public struct TokenIntrospection: Sendable, Hashable {
  /// Whether the token is valid now, for the client that asks.
  public let isActive: Bool
  /// `scope`.
  public let scopes: [String]
  /// `client_id`: the client to which it was issued.
  public let clientID: String?
  /// `sub`: the user it is about.
  public let subject: String?
  /// `username`.
  public let userName: String?
  /// `exp` (UTC).
  public let expiresAt: Date?
}

enum IntrospectionResponseMapper {
  /// Throws ``AuthenticationError/unexpectedResponse`` if the body is not such an object.
  static func map(_ response: HTTPResponse) throws(AuthenticationError) -> TokenIntrospection {
    guard let members = response.members, case .boolean(let isActive) = members.values["active"] else {
      throw AuthenticationError(
        .unexpectedResponse, "The response is not a JSON object that says whether the token is active.",
        suggestion: "Check what the issuer's introspection endpoint sends.")
    }
    return TokenIntrospection(
      isActive: isActive, scopes: members["scope"]?.split(separator: " ").map(String.init) ?? [],
      clientID: members["client_id"], subject: members["sub"], userName: members["username"],
      expiresAt: members.date("exp"))
  }
}

extension OpenIDConnectProvider {
  package func introspect(_ session: AuthSession) async throws(AuthenticationError) -> TokenIntrospection {
    guard let endpoint = try await issuer.endpoint(.introspection) else { throw .missing("introspection") }
    return try await introspect(session.accessToken, at: endpoint)
  }

  func introspect(_ token: AccessToken, at endpoint: URL) async throws(AuthenticationError) -> TokenIntrospection {
    let form = FormBody(["token": token.value.reveal(), "token_type_hint": "access_token"])
    let client = client.resolved(by: try await issuer.metadata())
    let response = try await environment.httpClient.send(
      HTTPRequest(posting: form, to: endpoint, by: client, in: environment))
    if response.isSuccess { return try IntrospectionResponseMapper.map(response) }
    // Only a refusal of this client: some issuers send public clients an empty response.
    if response.status == 401 || response.status == 403, response.body.isEmpty { throw .clientUnknown }
    throw OAuthErrorResponseMapper.map(response, now: environment.clock.now)
  }
}

extension OpenIDConnectProvider: SessionValidatingProvider {
  /// Checks the session by introspection if this client may use it (RFC 7662), else at the UserInfo endpoint, which
  /// refuses an invalid token (RFC 6750 §3.1). A service of plain OAuth is asked whose token it is.
  ///
  /// - Throws: ``AuthenticationError/unsupportedMethod`` if there is neither.
  package func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool {
    if client.dialect.plainOAuth != nil {
      do throws(AuthenticationError) { _ = try await user(of: session) } catch  where error == .accessTokenRefused {
        return false
      }
      return true
    }
    let metadata = try await issuer.metadata(with: [.introspection])
    if let endpoint = metadata.endpoints[.introspection] {
      do throws(AuthenticationError) {
        // "Inactive" is also the response to a client that may not ask (§2.2).
        let isActive = try await introspect(session.accessToken, at: endpoint).isActive
        if isActive || metadata.endpoints[.userInfo] == nil { return isActive }
      } catch  where error == .clientRejected && metadata.endpoints[.userInfo] != nil {}
    }
    guard let endpoint = metadata.endpoints[.userInfo] else {
      throw AuthenticationError(.unsupportedMethod, "This issuer has no endpoint that could validate a session.")
    }
    let response = try await userInfoResponse(for: session.tokens, at: endpoint)
    if response.refusesToken { return false }
    guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, now: environment.clock.now) }
    try User.check(UserInfoResponseMapper.map(response).id, is: session.user.id)
    return true
  }
}

extension HTTPResponse {
  /// Whether a 401 is about the token (RFC 6750 §3.1): a proxy's own 401 is not.
  fileprivate var refusesToken: Bool {
    guard status == 401, !isFromOtherOrigin else { return false }
    let reasons = challenges.filter { $0.scheme == "bearer" || $0.scheme == "dpop" }.map { $0.parameters["error"] }
    return reasons.contains(nil) || reasons.contains("invalid_token")
      || OAuthErrorResponseMapper.code(of: self) == "invalid_token"
  }
}
