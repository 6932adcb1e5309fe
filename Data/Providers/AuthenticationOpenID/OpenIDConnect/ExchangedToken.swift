import AuthenticationData
public import AuthenticationDomain
import Foundation

/// The result of an exchange (RFC 8693 §2.2.1). The caller keeps it; no session does.
public struct ExchangedToken: Sendable, Hashable {
  /// The type of a token (RFC 8693 §3): an open set.
  public enum TokenType: Sendable, Hashable {
    /// A token of the issuer, or any JWT (RFC 7519).
    case accessToken, refreshToken, idToken, jwt
    /// Another type, by its URI.
    case other(uri: String)

    init(uri: String) {
      self = [.accessToken, .refreshToken, .idToken, .jwt].first { $0.uri == uri } ?? .other(uri: uri)
    }

    var uri: String {
      switch self {
      case .accessToken: "urn:ietf:params:oauth:token-type:access_token"
      case .refreshToken: "urn:ietf:params:oauth:token-type:refresh_token"
      case .idToken: "urn:ietf:params:oauth:token-type:id_token"
      case .jwt: "urn:ietf:params:oauth:token-type:jwt"
      case .other(let uri): uri
      }
    }
  }

  /// The new token, with its lifetime and scopes; its type is `Bearer`, or `N_A` if it is not an access token.
  public let token: AccessToken
  /// `issued_token_type`.
  public let issuedType: TokenType
  /// `refresh_token`; issuers rarely send one.
  public let refresh: Secret?
}

extension FormBody {
  /// The grant that exchanges a token (RFC 8693 §2.1).
  init(
    exchanging token: Secret, type: ExchangedToken.TokenType, for requested: ExchangedToken.TokenType?,
    audiences: [String], resources: [String], scopes: [String]
  ) {
    self.init([
      "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": token.reveal(),
      "subject_token_type": type.uri, "requested_token_type": requested?.uri,
    ])
    for audience in audiences { add("audience", audience) }
    for resource in resources { add("resource", resource) }
    add("scope", scopes.isEmpty ? nil : scopes.joined(separator: " "))
  }
}

enum TokenExchangeResponseMapper {
  /// Throws ``AuthenticationError/unexpectedResponse`` if the body is not such an object, and
  /// ``AuthenticationError/security`` with the reason `token_type` for an unknown token type.
  static func map(
    _ response: HTTPResponse, askedFor scopes: [String], receivedAt: Date
  ) throws(AuthenticationError) -> ExchangedToken {
    guard let members = response.members, let token = members.secret("access_token"),
      let issuedType = members["issued_token_type"], let named = members["token_type"]
    else { throw .malformedTokens }
    guard let type = ["Bearer", "N_A"].first(where: named.equalsIgnoringCase) else {
      throw .refused(by: .tokenType, "The token is of a type that is not known here.")
    }
    return ExchangedToken(
      token: try AccessToken(
        token, type: type, receivedAt: receivedAt, lifetime: members.seconds("expires_in"),
        scopes: members.scopes("scope") ?? scopes),
      issuedType: ExchangedToken.TokenType(uri: issuedType),
      refresh: members.secret("refresh_token"))
  }
}

extension OpenIDConnectProvider {
  package func exchange(
    _ subjectToken: Secret, type: ExchangedToken.TokenType, for requestedType: ExchangedToken.TokenType?,
    audiences: [String], resources: [String], scopes: [String]
  ) async throws(AuthenticationError) -> ExchangedToken {
    let form = FormBody(
      exchanging: subjectToken, type: type, for: requestedType, audiences: audiences, resources: resources,
      scopes: scopes)
    let response = try await tokenEndpoint().send(form, provenBy: nil)
    let now = environment.clock.now
    guard response.isGranted else { throw OAuthErrorResponseMapper.map(response, now: now) }
    return try TokenExchangeResponseMapper.map(response, askedFor: scopes, receivedAt: now)
  }
}
