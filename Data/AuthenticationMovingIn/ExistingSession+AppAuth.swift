public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ExistingSession {
  /// Reads what an app kept of AppAuth for iOS and macOS: an `OIDAuthState`, archived by `NSKeyedArchiver`. Its keys are
  /// those of AppAuth's `NSSecureCoding`; where the archive is kept is the app's own choice.
  ///
  /// ```swift
  /// if let archive = UserDefaults.standard.data(forKey: "authState") {
  ///   try await root.useCase.signIn(with: ExistingSession.appAuth(archive))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - archive: at most 1 MiB.
  ///   - user: whose session it is; nil takes the subject of the ID token, which is not verified: it comes from the
  ///     app's own storage.
  ///   - now: the time (UTC).
  /// - Throws: ``AuthenticationError/Code/storageCorrupt`` if it is in another form, or holds no token. Nothing is
  ///   changed.
  public static func appAuth(
    _ archive: Data, user: User? = nil, at now: Date = Date()
  ) throws(AuthenticationError) -> ExistingSession {
    try archived(archive, of: user, at: now) { state throws(MalformedArchive) in
      // AppAuth uses no token after an authorization error but the refresh token.
      let hasFailed = try state.object("authorizationError") != nil
      let tokens = try state.object("lastTokenResponse")
      let authorization = try state.object("lastAuthorizationResponse")
      let latest = hasFailed ? nil : tokens ?? authorization
      var moved = MovedSession()
      moved.access = try latest?.text("access_token")
      moved.type = try latest?.text("token_type")
      moved.expiresAt = try state.flag("needsTokenRefresh") ? .distantPast : latest?.date("expires_in")
      moved.refresh = try state.text("refreshToken")
      // A refresh often returns no ID token: the sign-in's says whose session it is, too.
      let ownIdentity = try tokens?.text("id_token")
      moved.identity = if let ownIdentity { ownIdentity } else { try authorization?.text("id_token") }
      moved.scope = try state.text("scope")
      return (nil, moved)
    }
  }
}
