import AuthenticationData
public import AuthenticationDomain
import Foundation

/// The result of an exchange (RFC 8693 §2.2.1). The caller keeps it; no session does.
public struct ExchangedToken: Sendable, Hashable {
  /// What a token is (RFC 8693 §3): an open set.
  public struct TokenType: Sendable, Hashable {
    /// The URI.
    public let uri: String
    /// A type that only your issuer defines.
    public init(uri: String) { self.uri = uri }

    /// An access token of the issuer.
    public static let accessToken = Self(uri: "urn:ietf:params:oauth:token-type:access_token")
    /// A refresh token of the issuer.
    public static let refreshToken = Self(uri: "urn:ietf:params:oauth:token-type:refresh_token")
    /// An ID token of the issuer (OpenID Connect Core §2).
    public static let idToken = Self(uri: "urn:ietf:params:oauth:token-type:id_token")
    /// Any JWT (RFC 7519).
    public static let jwt = Self(uri: "urn:ietf:params:oauth:token-type:jwt")
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
  /// ``AuthenticationError/security`` with the check `token_type` for an unknown token type.
  static func map(
    _ response: HTTPResponse, askedFor scopes: [String], receivedAt: Date
  ) throws(AuthenticationError) -> ExchangedToken {
    guard let members = response.members, let token = members.secret("access_token"),
      let issuedType = members["issued_token_type"], let named = members["token_type"]
    else { throw .malformedTokens }
    guard let type = ["Bearer", "N_A"].first(where: named.equalsIgnoringCase) else {
      throw .refused(by: .tokenType, "The token is of a type that is not known here.")
    }
    let lifetime = members.seconds("expires_in")
    if lifetime == nil, members.values["expires_in"] != nil { throw .malformedTokens }
    return ExchangedToken(
      token: try AccessToken(
        token, type: type, receivedAt: receivedAt, lifetime: lifetime,
        scopes: members["scope"]?.split(separator: " ").map(String.init) ?? scopes),
      issuedType: ExchangedToken.TokenType(uri: issuedType),
      refresh: members.secret("refresh_token"))
  }
}

extension OpenIDConnectProvider {
  /// Exchanges a token for one that another service accepts (RFC 8693 §2). Nothing is stored.
  ///
  /// ```swift
  /// if let issuer = root.provider as? OpenIDConnectProvider {
  ///   let session = try await root.manager.validSession()
  ///   let token = try await issuer.exchange(session.accessToken.value, audiences: ["reports"], scopes: ["reports.read"])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - subjectToken: identifies the user for whom the new token is used.
  ///   - type: of the subject token (`subject_token_type`, RFC 8693 §2.1).
  ///   - requestedType: of the new token; nil lets the issuer choose.
  ///   - audiences: names of the services that will receive the token.
  ///   - resources: addresses of them (`resource`, RFC 8707 §2).
  ///   - scopes: of the new token; empty lets the issuer choose.
  /// - Throws: ``AuthenticationError/invalidCredentials`` if the issuer refuses the subject token, and
  ///   ``AuthenticationError/clientRejected`` if this client may not exchange it, or not for what it requests.
  public func exchange(
    _ subjectToken: Secret, type: ExchangedToken.TokenType = .accessToken,
    for requestedType: ExchangedToken.TokenType? = nil, audiences: [String] = [], resources: [String] = [],
    scopes: [String] = []
  ) async throws(AuthenticationError) -> ExchangedToken {
    let form = FormBody(
      exchanging: subjectToken, type: type, for: requestedType, audiences: audiences, resources: resources,
      scopes: scopes)
    let response = try await tokenEndpoint().send(form, provenBy: nil)
    let now = environment.clock.now
    guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, now: now) }
    return try TokenExchangeResponseMapper.map(response, askedFor: scopes, receivedAt: now)
  }
}
