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
  /// Without a usable lifetime or expiry in the body, an access token that is a JWT says itself when it expires (`exp`, RFC
  /// 7519 §4.1.4). Points in time are measured by the server's clock: the `Date` field of the response, else the token's
  /// `iat`. The tokens are not verified, and are kept whatever they say.
  ///
  /// - Parameters:
  ///   - access: the path of the access token, as in ``HTTPResponse/value(at:)``.
  ///   - refresh: the path of the refresh token; by default there is none.
  ///   - identity: the path of the ID token; by default there is none.
  ///   - lifetime: the path of the access token's lifetime, a number or a text; by default there is none.
  ///   - unit: of that lifetime; 1 second by default.
  ///   - expiry: the path of the access token's end, in ISO 8601, or in seconds or milliseconds since 1970 (UTC); by
  ///     default there is none.
  ///   - type: what stands before the token in the `Authorization` header; by default `Bearer` (RFC 6750 §2.1).
  public static func tokens(
    access: String, refresh: String? = nil, identity: String? = nil, lifetime: String? = nil,
    unit: Duration = .seconds(1), expiry: String? = nil, type: String = "Bearer"
  ) -> @Sendable (HTTPResponse, Date) throws(AuthenticationError) -> SessionTokens {
    { response, receivedAt throws(AuthenticationError) in
      guard let body = response.json, let token = body.text(at: access) else { throw .unexpectedAnswer }
      let claims = JSONMembers(unverified: Secret(token))
      let serverTime = response.date(now: receivedAt)?.timeIntervalSince1970 ?? claims?.number("iat")
      let now = serverTime ?? receivedAt.timeIntervalSince1970
      let told = lifetime.flatMap(body.value).flatMap { $0.number ?? $0.text.flatMap { Double($0) } }
      let seconds = [
        told.map { $0 * (unit / .seconds(1)) }, expiry.flatMap(body.value).flatMap(secondsSince1970).map { $0 - now },
        claims?.number("exp").map { $0 - now },
      ].compactMap(\.self).first { $0 >= 1 && $0 <= AccessToken.longestLifetime / .seconds(1) }
      return SessionTokens(
        access: try AccessToken(
          Secret(token), type: type, receivedAt: receivedAt, lifetime: seconds.map { .seconds($0) },
          clockOffset: response.clockOffset(receivedAt: receivedAt)),
        refresh: body.text(at: refresh).map { RefreshToken(Secret($0)) },
        identity: body.text(at: identity).map { RawIdentityToken(Secret($0)) })
    }
  }

  /// Returns a value for ``mapUser``, or for ``mapIncludedUser``, that finds what is known of a user by its paths.
  ///
  /// ```swift
  /// contract.mapUser = APIContract.user(id: "user.pk", name: "user.display_name", email: "user.email")
  /// contract.mapIncludedUser = APIContract.user(inToken: "access", id: "sub")
  /// ```
  ///
  /// - Parameters:
  ///   - token: the path of a JWT whose claims are read in place of the body; it is not verified, since it came from its
  ///     issuer. By default the body is read.
  ///   - id: the path of the id, a text or a whole number, as in ``HTTPResponse/value(at:)``.
  ///   - name: the path of the name to show.
  ///   - email: the path of the e-mail address.
  ///   - isEmailVerified: the path of whether the address is verified.
  ///   - phoneNumber: the path of the phone number.
  ///   - picture: the path of the address of a picture.
  public static func user(
    inToken token: String? = nil, id: String, name: String? = nil, email: String? = nil,
    isEmailVerified: String? = nil, phoneNumber: String? = nil, picture: String? = nil
  ) -> @Sendable (HTTPResponse) throws(AuthenticationError) -> User {
    { response throws(AuthenticationError) in
      var body = response.json
      if let token {
        let claims = body?.text(at: token).flatMap { JSONMembers(unverified: Secret($0)) }
        body = claims.map { .object($0.values) }
      }
      guard let body, let identifier = body.text(at: id) else { throw .unexpectedAnswer }
      return User(
        id: identifier, name: body.text(at: name), email: body.text(at: email),
        isEmailVerified: isEmailVerified.flatMap { body.value(at: $0)?.flag }, phoneNumber: body.text(at: phoneNumber),
        picture: body.text(at: picture))
    }
  }

  /// Returns a value for ``signInBody`` with other names for the user name and the password; other credentials are as by
  /// default.
  ///
  /// ```swift
  /// contract.signInBody = APIContract.body(userName: "email", adding: ["client": "ios"])
  /// ```
  ///
  /// - Parameters:
  ///   - userName: the name of the member with the user name.
  ///   - password: the name of the member with the password.
  ///   - members: further members, with any password.
  public static func body(
    userName: String, password: String = "password", adding members: [String: String] = [:]
  ) -> @Sendable (any Credentials) throws(AuthenticationError) -> Body {
    { credentials throws(AuthenticationError) in
      guard let typed = credentials as? PasswordCredentials else { return try standard.signInBody(credentials) }
      return members.merging([userName: typed.userName, password: typed.password.reveal()]) { $1 }
    }
  }

  /// Of a number of seconds or milliseconds, or a text in ISO 8601.
  private static func secondsSince1970(_ value: JSONValue) -> Double? {
    if let number = value.number ?? value.text.flatMap({ Double($0) }) {
      // Seconds stay below this until the year 5138.
      return number < 100_000_000_000 ? number : number / 1_000
    }
    guard let text = value.text else { return nil }
    let date =
      (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
    return date?.timeIntervalSince1970
  }
}
