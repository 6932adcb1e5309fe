import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A session as it came, and what decides whether it is enough.
struct SupabaseSession: Sendable {
  let session: AuthSession
  /// How strongly the person signed in: `aal1` or `aal2`.
  let level: String?
  let factors: [SupabaseFactor]
}

/// Maps `{"access_token", "expires_in", "refresh_token", "user"}`.
enum SupabaseSessionResponseMapper {
  static func map(
    _ response: HTTPResponse, isNew: Bool, receivedAt: Date
  ) throws(AuthenticationError) -> SupabaseSession {
    let body = try JSONMembers(response)
    guard let user = body.members("user") else { throw .unexpectedAnswer }
    let mapped = try SupabaseUserResponseMapper.map(user, isNew: isNew)
    let tokens = try tokens(response, of: mapped.id, receivedAt: receivedAt)
    guard tokens.refresh != nil else { throw .unexpectedAnswer }
    return SupabaseSession(
      session: AuthSession(user: mapped, tokens: tokens),
      level: JSONMembers(unverified: tokens.access.value)?["aal"], factors: SupabaseUserResponseMapper.factors(user))
  }

  /// The tokens of a sign-in, or of a refresh, which may leave the refresh token as it is (RFC 6749 §6).
  ///
  /// - Throws: ``AuthenticationError/Code/security`` if the access token names another person than `userID`.
  static func tokens(
    _ response: HTTPResponse, of userID: String, receivedAt: Date
  ) throws(AuthenticationError) -> SessionTokens {
    let body = try JSONMembers(response)
    guard let access = body.secret("access_token") else { throw .unexpectedAnswer }
    if let type = body["token_type"], type.lowercased() != "bearer" {
      throw .refused(by: .tokenType, "The access token is of a type that was not asked for.")
    }
    if let subject = JSONMembers(unverified: access)?["sub"], subject != userID { throw .otherSubject }
    return SessionTokens(
      access: try AccessToken(
        access, receivedAt: receivedAt, lifetime: body.seconds("expires_in"),
        clockOffset: response.clockOffset(receivedAt: receivedAt)),
      refresh: body.secret("refresh_token").map(RefreshToken.init),
      identity: body.secret("id_token").map(RawIdentityToken.init))
  }
}

extension AuthenticationError {
  static let otherSubject = refused(
    by: .subject, "The response is about another person than the one who was asked for.")
}
