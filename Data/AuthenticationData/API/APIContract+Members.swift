public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension APIContract {
  /// Returns a value for ``mapTokens`` that finds the tokens by their paths.
  ///
  /// ```swift
  /// contract.mapTokens = APIContract.tokens(access: "data.token", refresh: "data.refresh", lifetime: "data.expires_in")
  /// ```
  ///
  /// Without a usable lifetime in the body, an access token that is a JWT says itself when it expires (`exp`, RFC 7519
  /// §4.1.4), by the server's clock: the `Date` field of the response, else its `iat`. The tokens are not verified, and
  /// are kept whatever they say.
  ///
  /// - Parameters:
  ///   - access: the path of the access token, as in ``HTTPResponse/value(at:)``.
  ///   - refresh: the path of the refresh token; by default there is none.
  ///   - identity: the path of the ID token; by default there is none.
  ///   - lifetime: the path of the access token's lifetime, a number or a text; by default there is none.
  ///   - unit: of that lifetime; 1 second by default.
  public static func tokens(
    access: String, refresh: String? = nil, identity: String? = nil, lifetime: String? = nil,
    unit: Duration = .seconds(1)
  ) -> @Sendable (HTTPResponse, Date) throws(AuthenticationError) -> SessionTokens {
    { response, receivedAt throws(AuthenticationError) in
      guard let body = response.json, let token = body.text(at: access) else { throw .unexpectedAnswer }
      let told = lifetime.flatMap(body.value).flatMap { $0.number ?? $0.text.flatMap { Double($0) } }
      let lifetimes = [told.map { $0 * (unit / .seconds(1)) }, lifetimeOfJWT(token, response, receivedAt)]
      let seconds = lifetimes.compactMap(\.self).first { $0 >= 1 && $0 <= AccessToken.longestLifetime / .seconds(1) }
      return SessionTokens(
        access: try AccessToken(
          Secret(token), receivedAt: receivedAt, lifetime: seconds.map { .seconds($0) },
          clockOffset: response.clockOffset(receivedAt: receivedAt)),
        refresh: body.text(at: refresh).map { RefreshToken(Secret($0)) },
        identity: body.text(at: identity).map { RawIdentityToken(Secret($0)) })
    }
  }

  /// Returns a value for ``mapUser``, or for ``mapIncludedUser``, that finds what is known of a user by its paths.
  ///
  /// ```swift
  /// contract.mapUser = APIContract.user(id: "user.pk", name: "user.display_name", email: "user.email")
  /// ```
  ///
  /// - Parameters: the paths, as in ``HTTPResponse/value(at:)``; the id is a text or a whole number.
  public static func user(
    id: String, name: String? = nil, email: String? = nil, isEmailVerified: String? = nil, phoneNumber: String? = nil,
    picture: String? = nil
  ) -> @Sendable (HTTPResponse) throws(AuthenticationError) -> User {
    { response throws(AuthenticationError) in
      guard let body = response.json, let identifier = body.text(at: id) else { throw .unexpectedAnswer }
      return User(
        id: identifier, name: body.text(at: name), email: body.text(at: email),
        isEmailVerified: isEmailVerified.flatMap { body.value(at: $0)?.flag }, phoneNumber: body.text(at: phoneNumber),
        picture: body.text(at: picture))
    }
  }

  /// In seconds; nil for a token that is no JWT, or does not say when it expires.
  private static func lifetimeOfJWT(_ token: String, _ response: HTTPResponse, _ receivedAt: Date) -> Double? {
    guard let claims = JSONMembers(unverified: Secret(token)), let expiry = claims.number("exp") else { return nil }
    let now = response.date(now: receivedAt)?.timeIntervalSince1970 ?? claims.number("iat")
    return expiry - (now ?? receivedAt.timeIntervalSince1970)
  }
}
