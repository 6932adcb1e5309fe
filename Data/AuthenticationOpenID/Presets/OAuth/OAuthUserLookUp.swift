import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks a service's API whose token it is.
struct OAuthUserLookUp: Sendable {
  let user: URL
  let emails: URL?
  let map: @Sendable ([String: JSONValue]) -> User?
  let environment: AuthProviderConfiguration.Environment

  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` if the answer names nobody,
  ///   ``AuthenticationError/Code/accessTokenRefused`` if the API does not take the token.
  func user(of tokens: SessionTokens) async throws(AuthenticationError) -> User {
    guard case .object(let members) = try await get(user, tokens), let user = map(members), !user.id.isEmpty else {
      throw .unexpectedAnswer
    }
    guard user.email == nil, let emails else { return user }
    // The address is worth no failure: a scope for it may be missing.
    guard case .array(let list) = try? await get(emails, tokens) else { return user }
    let entries = list.compactMap { entry -> JSONMembers? in
      if case .object(let members) = entry { JSONMembers(members) } else { nil }
    }
    guard let primary = entries.first(where: { $0.flag("primary") == true }) else { return user }
    return User(
      id: user.id, name: user.name, email: primary["email"], isEmailVerified: primary.flag("verified"),
      picture: user.picture, claims: user.claims)
  }

  /// With a `User-Agent`, which GitHub requires.
  private func get(_ url: URL, _ tokens: SessionTokens) async throws(AuthenticationError) -> JSONValue {
    let response = try await environment.httpClient.send(
      HTTPRequest(
        .get, url,
        headers: [
          "Accept": "application/json", "Authorization": tokens.access.authorization.reveal(),
          "User-Agent": "AuthenticationKit",
        ]))
    if response.status == 401 { throw .accessTokenRefused }
    guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, now: environment.clock.now) }
    guard response.isJSON, !response.isFromOtherOrigin,
      let value = try? BoundedJSON.decode(JSONValue.self, from: response.body)
    else { throw .unexpectedAnswer }
    return value
  }
}
