import AuthenticationData
package import AuthenticationDomain
import Foundation

/// Maps a successful response of a UserInfo endpoint (OpenID Connect Core §5.3.2); a claim that is no text counts as
/// absent.
enum UserInfoResponseMapper {
  /// Throws ``AuthenticationError/unexpectedResponse`` if the body is not an object that names a user.
  static func map(_ response: HTTPResponse) throws(AuthenticationError) -> User {
    guard response.isJSON, !response.isFromOtherOrigin,
      let user = JSONMembers(json: response.body)?.user
    else {
      throw AuthenticationError(
        .unexpectedResponse, "The response is not a JSON object that says who it is about.",
        suggestion: "Check what the issuer's UserInfo endpoint sends.")
    }
    return user
  }
}

extension OpenIDConnectProvider {
  package func userInfo(for session: AuthSession) async throws(AuthenticationError) -> User {
    guard let endpoint = try await issuer.metadata().endpoints[.userInfo] else { throw .missing("UserInfo") }
    let response = try await userInfoResponse(for: session.tokens, at: endpoint)
    if response.status == 401 { throw .accessTokenRefused }
    guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, now: environment.clock.now) }
    let user = try UserInfoResponseMapper.map(response)
    try User.check(user.id, is: session.user.id)
    return user.without(session.tokens.secrets)
  }

  /// The token is sent in a header, never in the query (RFC 6750 §2.1). A request with a proof is not retried: an
  /// outage is reported immediately.
  func userInfoResponse(for tokens: SessionTokens, at endpoint: URL) async throws(AuthenticationError) -> HTTPResponse {
    var request = HTTPRequest(
      .get, endpoint, headers: ["Accept": "application/json", "Authorization": tokens.access.authorization.reveal()])
    let proof = DPoPRequestProof(nonces: nonces, environment: environment)
    try proof.prove(&request, with: tokens)
    let response = try await environment.httpClient.send(request)
    guard proof.asksAgain(response, to: request) else { return response }
    try proof.prove(&request, with: tokens)
    return try await environment.httpClient.send(request)
  }
}

extension User {
  /// Refuses the id of another user.
  static func check(_ id: String, is expected: String) throws(AuthenticationError) {
    guard id.utf8.elementsEqual(expected.utf8) else {
      throw .refused(by: .subject, "The UserInfo endpoint reported another user.")
    }
  }
}
