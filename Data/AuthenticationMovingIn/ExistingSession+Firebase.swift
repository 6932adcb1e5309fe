public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ExistingSession {
  /// Reads what Firebase Auth for Apple platforms kept: its user, archived by `NSKeyedArchiver` in the keychain, service
  /// `firebase_auth_` and the app's Google id, account `APP_firebase_user` (`__FIRAPP_DEFAULT` for the default app).
  ///
  /// This form is private to Firebase, and may change: the keys are those of its source, in Objective-C and in Swift. A
  /// form that is not known is refused, and the person signs in.
  ///
  /// - Parameters:
  ///   - archive: at most 1 MiB.
  ///   - now: the time (UTC).
  /// - Throws: ``AuthenticationError/Code/storageCorrupt`` if it is in another form, or holds no token. Nothing is
  ///   changed.
  public static func firebase(
    _ archive: Data, at now: Date = Date()
  ) throws(AuthenticationError) -> ExistingSession {
    try archived(archive, of: nil, at: now) { stored throws(MalformedArchive) in
      guard let id = try stored.text("userID"), let service = try stored.object("tokenService") else {
        throw MalformedArchive()
      }
      let user = User(
        id: id, name: try stored.text("displayName"), email: try stored.text("email"),
        isEmailVerified: try stored.flag("emailVerified"), phoneNumber: try stored.text("phoneNumber"),
        picture: try stored.url("photoURL"), isAnonymous: try stored.flag("anonymous"))
      let moved = MovedSession(
        access: try service.text("accessToken"), expiresAt: try service.date("accessTokenExpirationDate"),
        refresh: try service.text("refreshToken"))
      return (user, moved)
    }
  }
}
