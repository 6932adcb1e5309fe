import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// The parts of a session that another library kept.
struct MovedSession {
  var access: String?
  var type: String?
  var expiresAt: Date?
  var refresh: String?
  var identity: String?
  var scope: String?

  /// - Parameter known: whose session it is; nil asks the ID token.
  func session(of known: User?, at now: Date) throws(AuthenticationError) -> AuthSession {
    guard access != nil || refresh != nil else { throw .unusableArchive }
    guard let user = known ?? identity.flatMap({ JSONMembers(unverified: Secret($0)) })?.user else {
      throw .nobodysArchive
    }
    do throws(AuthenticationError) {
      let tokens = SessionTokens(
        access: try token(at: now), refresh: refresh.map { Secret($0) }, identity: identity.map { Secret($0) })
      return AuthSession(user: user, tokens: tokens)
    } catch {
      throw .unusableArchive
    }
  }

  private func token(at now: Date) throws(AuthenticationError) -> AccessToken {
    let scopes = scope?.split(separator: " ").map(String.init) ?? []
    let left = expiresAt.map { $0.timeIntervalSince(now) }
    // Without an access token there is only the refresh token: the placeholder of the access token has expired.
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
    suggestion: "Leave it where it is, and let the user sign in.")
  fileprivate static let nobodysArchive = Self(
    .storageCorrupt, "What the other library kept does not say whose session it is.",
    suggestion: "Name the user, if the app knows.")
}

extension AuthSession {
  /// - Parameters:
  ///   - known: whose session it is; nil asks the ID token, which is not verified.
  ///   - read: takes the parts out of the archived object, and the user if that is in there.
  static func archived(
    _ archive: Data, of known: User?, at now: Date,
    _ read: (KeyedArchive.Object) throws(MalformedArchive) -> (user: User?, parts: MovedSession)
  ) throws(AuthenticationError) -> AuthSession {
    let kept: (user: User?, parts: MovedSession)
    do throws(MalformedArchive) { kept = try read(try KeyedArchive(archive).root) } catch { throw .unusableArchive }
    return try kept.parts.session(of: known ?? kept.user, at: now)
  }

  /// Reads an app's archive of AppAuth for iOS and macOS: an `OIDAuthState`, archived by `NSKeyedArchiver`. Its keys
  /// are those of AppAuth's `NSSecureCoding`; where the archive is kept is the app's own choice.
  ///
  /// ```swift
  /// if let archive = UserDefaults.standard.data(forKey: "authState") {
  ///   try await root.useCase.adopt(.appAuth(archive))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - archive: at most 1 MiB.
  ///   - user: whose session it is; nil takes the subject of the ID token, which is not verified: it comes from the
  ///     app's own storage.
  ///   - now: the time (UTC).
  /// - Throws: ``AuthenticationError/storageCorrupt`` if it is in another form, or holds no token. Nothing is
  ///   changed.
  public static func appAuth(
    _ archive: Data, user: User? = nil, at now: Date = Date()
  ) throws(AuthenticationError) -> AuthSession {
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

  /// Reads the archive of Auth0.swift's `CredentialsManager`: `Credentials`, archived by `NSKeyedArchiver` under the
  /// key `credentials` of the keychain. Its keys are those of the `NSSecureCoding` of `Credentials` (versions 1 and 2).
  ///
  /// - Parameters:
  ///   - archive: at most 1 MiB.
  ///   - user: whose session it is; nil takes the subject of the ID token, which is not verified: it comes from the
  ///     app's own storage.
  ///   - now: the time (UTC).
  /// - Throws: ``AuthenticationError/storageCorrupt`` if it is in another form, or holds no token. Nothing is
  ///   changed.
  public static func auth0(
    _ archive: Data, user: User? = nil, at now: Date = Date()
  ) throws(AuthenticationError) -> AuthSession {
    try archived(archive, of: user, at: now) { credentials throws(MalformedArchive) in
      let moved = MovedSession(
        access: try credentials.text("accessToken"), type: try credentials.text("tokenType"),
        expiresAt: try credentials.date("expiresIn"), refresh: try credentials.text("refreshToken"),
        identity: try credentials.text("idToken"), scope: try credentials.text("scope"))
      return (nil, moved)
    }
  }

  /// Reads the archive of Firebase Auth for Apple platforms: its user, archived by `NSKeyedArchiver` in the keychain,
  /// service `firebase_auth_` and the app's Google id, account `APP_firebase_user` (`__FIRAPP_DEFAULT` for the default
  /// app).
  ///
  /// This form is private to Firebase, and may change: the keys are those of its source, in Objective-C and in Swift. A
  /// form that is not known is refused, and the user signs in.
  ///
  /// - Parameters:
  ///   - archive: at most 1 MiB.
  ///   - now: the time (UTC).
  /// - Throws: ``AuthenticationError/storageCorrupt`` if it is in another form, or holds no token. Nothing is
  ///   changed.
  public static func firebase(_ archive: Data, at now: Date = Date()) throws(AuthenticationError) -> AuthSession {
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
