import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps the success of a sign-in, of a second factor and of a refresh, each of which says the same differently.
enum FirebaseSessionResponseMapper {
  /// Maps camelCase with the person: `idToken`, `refreshToken`, `expiresIn` as a text.
  ///
  /// After a second factor there is nothing but the tokens: the ID token says the rest, unverified, since it came from
  /// its issuer itself.
  ///
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` if it names no person or no token.
  static func session(
    _ body: JSONMembers, _ response: HTTPResponse, receivedAt: Date
  ) throws(AuthenticationError) -> AuthSession {
    let token = Secret(try body.required("idToken"))
    let claims = JSONMembers(unverified: token) ?? JSONMembers([:])
    let tokens = try tokens(
      token, body.secret("refreshToken"), body.seconds("expiresIn"), claims, response, receivedAt: receivedAt)
    return AuthSession(user: try user(body, claims), tokens: tokens)
  }

  /// Maps snake_case without the person: the answer of a refresh.
  static func refreshed(
    _ body: JSONMembers, _ response: HTTPResponse, receivedAt: Date
  ) throws(AuthenticationError) -> SessionTokens {
    let token = Secret(try body.required("access_token"))
    return try tokens(
      token, body.secret("refresh_token"), body.seconds("expires_in"),
      JSONMembers(unverified: token) ?? JSONMembers([:]), response, receivedAt: receivedAt)
  }

  private static func tokens(
    _ token: Secret, _ refresh: Secret?, _ lifetime: Duration?, _ claims: JSONMembers, _ response: HTTPResponse,
    receivedAt: Date
  ) throws(AuthenticationError) -> SessionTokens {
    var lifetime = lifetime
    if lifetime == nil, let start = claims.number("iat"), let end = claims.number("exp"), end > start {
      lifetime = Duration(seconds: min(end - start, 86_400), atMost: .seconds(86_400))
    }
    return SessionTokens(
      access: try AccessToken(
        token, receivedAt: receivedAt, lifetime: lifetime,
        clockOffset: response.clockOffset(receivedAt: receivedAt)),
      refresh: refresh.map(RefreshToken.init))
  }

  private static func user(_ body: JSONMembers, _ claims: JSONMembers) throws(AuthenticationError) -> User {
    guard let id = body["localId"] ?? claims["sub"] else { throw .unexpectedAnswer }
    let provider = claims.members("firebase")?["sign_in_provider"]
    return User(
      id: id, name: body["displayName"] ?? claims["name"], email: body["email"] ?? claims["email"],
      isNew: body.flag("isNewUser") ?? false, isEmailVerified: claims.flag("email_verified"),
      phoneNumber: body["phoneNumber"] ?? claims["phone_number"], picture: body["photoUrl"] ?? claims["picture"],
      isAnonymous: provider == "anonymous",
      claims: provider.map { ["sign_in_provider": .string($0)] } ?? [:])
  }
}
