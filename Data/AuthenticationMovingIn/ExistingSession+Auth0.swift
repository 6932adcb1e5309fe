public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ExistingSession {
  /// Reads what Auth0.swift's `CredentialsManager` kept: `Credentials`, archived by `NSKeyedArchiver` under the key
  /// `credentials` of the keychain. Its keys are those of the `NSSecureCoding` of `Credentials` (versions 1 and 2).
  ///
  /// - Parameters:
  ///   - archive: at most 1 MiB.
  ///   - user: whose session it is; nil takes the subject of the ID token, which is not verified: it comes from the
  ///     app's own storage.
  ///   - now: the time (UTC).
  /// - Throws: ``AuthenticationError/Code/storageCorrupt`` if it is in another form, or holds no token. Nothing is
  ///   changed.
  public static func auth0(
    _ archive: Data, user: User? = nil, at now: Date = Date()
  ) throws(AuthenticationError) -> ExistingSession {
    try archived(archive, of: user, at: now) { credentials throws(MalformedArchive) in
      let moved = MovedSession(
        access: try credentials.text("accessToken"), type: try credentials.text("tokenType"),
        expiresAt: try credentials.date("expiresIn"), refresh: try credentials.text("refreshToken"),
        identity: try credentials.text("idToken"), scope: try credentials.text("scope"))
      return (nil, moved)
    }
  }
}
