import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parts of a session that another library kept.
struct MovedSession {
  var access: String?
  var type: String?
  var expiresAt: Date?
  var refresh: String?
  var identity: String?
  var scope: String?

  /// - Parameter known: whose session it is; nil asks the ID token.
  func existing(of known: User?, at now: Date) throws(AuthenticationError) -> ExistingSession {
    guard access != nil || refresh != nil else { throw .unusableArchive }
    guard let user = known ?? identity.flatMap({ JSONMembers(unverified: Secret($0)) })?.user else {
      throw .nobodysArchive
    }
    do throws(AuthenticationError) {
      let tokens = SessionTokens(
        access: try token(at: now), refresh: refresh.map { RefreshToken(Secret($0)) },
        identity: identity.map { RawIdentityToken(Secret($0)) })
      return ExistingSession(AuthSession(user: user, tokens: tokens))
    } catch {
      throw .unusableArchive
    }
  }

  private func token(at now: Date) throws(AuthenticationError) -> AccessToken {
    let scopes = scope?.split(separator: " ").map(String.init) ?? []
    let left = expiresAt.map { $0.timeIntervalSince(now) }
    // Without an access token there is nothing but the refresh token: what stands for it has expired.
    guard let access, left.map({ $0 >= 1 }) ?? true else {
      return try AccessToken(
        Secret(access ?? "none"), type: type ?? "Bearer", receivedAt: now.addingTimeInterval(-2),
        lifetime: .seconds(1), scopes: scopes)
    }
    let lifetime = left.flatMap { $0.isFinite && $0 < 86_400 * 3_650 ? Duration.seconds(Int64($0)) : nil }
    return try AccessToken(
      Secret(access), type: type ?? "Bearer", receivedAt: now, lifetime: lifetime, scopes: scopes)
  }
}

extension AuthenticationError {
  static let unusableArchive = Self(
    .storageCorrupt, "What the other library kept is not a session in a form that is known here.",
    suggestion: "Leave it where it is, and let the person sign in.")
  fileprivate static let nobodysArchive = Self(
    .storageCorrupt, "What the other library kept does not say whose session it is.",
    suggestion: "Name the person, if the app knows.")
}

extension ExistingSession {
  /// - Parameters:
  ///   - known: whose session it is; nil asks the ID token, which is not verified.
  ///   - read: takes the parts out of the archived object, and who it is if that is in there.
  static func archived(
    _ archive: Data, of known: User?, at now: Date,
    _ read: (KeyedArchive.Object) throws(MalformedArchive) -> (user: User?, parts: MovedSession)
  ) throws(AuthenticationError) -> ExistingSession {
    let kept: (user: User?, parts: MovedSession)
    do throws(MalformedArchive) { kept = try read(try KeyedArchive(archive).root) } catch { throw .unusableArchive }
    return try kept.parts.existing(of: known ?? kept.user, at: now)
  }
}
