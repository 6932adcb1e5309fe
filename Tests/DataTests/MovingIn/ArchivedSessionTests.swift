import AuthenticationData
import AuthenticationDomain
import AuthenticationMovingIn
import AuthenticationTesting
import Foundation
import Testing

/// Archives as the other libraries write them: by Foundation's own `NSKeyedArchiver`, with the keys of their sources.
@Suite struct ArchivedSessionTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let identity = Secret.unsignedJWT(
    ["sub": "sub-ada", "name": "Ada Lovelace", "email": "ada@example.com", "email_verified": "true"]
  ).reveal()

  func appAuth(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> Data {
    var state: [String: Any] = [
      "refreshToken": "refresh-1", "scope": "openid profile", "needsTokenRefresh": false,
      "lastTokenResponse": Archived([
        "access_token": "access-1", "token_type": "Bearer", "expires_in": Self.now.addingTimeInterval(3_600),
        "id_token": Self.identity, "additionalParameters": ["custom": "value"],
      ]),
      "lastAuthorizationResponse": Archived(["code": "used", "state": "state"]),
    ]
    change(&state)
    return try Archived(state).archive()
  }

  @Test func `an app that used AppAuth keeps its users signed in`() throws {
    let session = try AuthSession.appAuth(appAuth(), at: Self.now)
    #expect(
      session.user
        == User(id: "sub-ada", name: "Ada Lovelace", email: "ada@example.com", isEmailVerified: true))
    #expect(session.accessToken.value == Secret("access-1"))
    #expect(session.accessToken.lifetime == .seconds(3_600))
    #expect(session.accessToken.scopes == ["openid", "profile"])
    #expect(session.tokens.refresh == Secret("refresh-1"))
    #expect(session.tokens.identity == Secret(Self.identity))
  }

  @Test func `AppAuth's wish to refresh, and its error, leave the refresh token to be used`() throws {
    let wished = try AuthSession.appAuth(appAuth { $0["needsTokenRefresh"] = true }, at: Self.now)
    #expect(wished.accessToken.expiresAt.map { $0 < Self.now } == true)
    let failed = try AuthSession.appAuth(
      appAuth { $0["authorizationError"] = Archived(["NSDomain": "org.openid.appauth"]) }, at: Self.now)
    #expect(failed.accessToken.value != Secret("access-1"))
    #expect(failed.accessToken.expiresAt.map { $0 < Self.now } == true)
    #expect(failed.tokens.refresh == Secret("refresh-1"))
  }

  @Test func `an ID token of the sign-in says whose session it is after a refresh without one`() throws {
    let archive = try appAuth {
      $0["lastTokenResponse"] = Archived(["access_token": "access-2"])
      $0["lastAuthorizationResponse"] = Archived(["id_token": Self.identity])
    }
    let session = try AuthSession.appAuth(archive, at: Self.now)
    #expect(session.user.id == "sub-ada")
    #expect(session.accessToken.value == Secret("access-2"))
    #expect(session.accessToken.lifetime == nil)
  }

  @Test func `a session without an ID token is that of the user whom the app names`() throws {
    let archive = try appAuth { $0["lastTokenResponse"] = Archived(["access_token": "access-1"]) }
    #expect(throws: AuthenticationError.storageCorrupt) { try AuthSession.appAuth(archive, at: Self.now) }
    #expect(try AuthSession.appAuth(archive, user: .ada, at: Self.now).user == .ada)
  }

  @Test func `an app that used Auth0's library keeps its users signed in`() throws {
    let archive = try Archived([
      "accessToken": "access-1", "tokenType": "Bearer", "idToken": Self.identity, "refreshToken": "refresh-1",
      "expiresIn": Self.now.addingTimeInterval(60.5), "scope": "openid offline_access", "recoveryCode": "ABCD",
    ]).archive()
    let session = try AuthSession.auth0(archive, at: Self.now)
    #expect(session.user.id == "sub-ada")
    #expect(session.accessToken.lifetime == .seconds(60))
    #expect(session.tokens.refresh == Secret("refresh-1"))
    #expect(session.accessToken.scopes == ["openid", "offline_access"])
  }

  @Test(arguments: [false, true])
  func `an app that used Firebase's library keeps its users signed in`(isAnonymous: Bool) throws {
    let archive = try Archived([
      "userID": "uid-1", "displayName": "Ada", "email": "ada@example.com", "emailVerified": true,
      "photoURL": try #require(NSURL(string: "https://example.com/ada.png")), "anonymous": isAnonymous, "APIKey": "key",
      "tokenService": Archived([
        "accessToken": "access-1", "refreshToken": "refresh-1",
        "accessTokenExpirationDate": Self.now.addingTimeInterval(-5),
      ]),
    ]).archive(under: "firebase_auth_1___FIRAPP_DEFAULT_firebase_user")
    let session = try AuthSession.firebase(archive, at: Self.now)
    #expect(
      session.user
        == User(
          id: "uid-1", name: "Ada", email: "ada@example.com", isEmailVerified: true,
          picture: "https://example.com/ada.png", isAnonymous: isAnonymous))
    #expect(session.accessToken.expiresAt.map { $0 < Self.now } == true)
    #expect(session.tokens.refresh == Secret("refresh-1"))
    #expect(session.tokens.identity == nil)
  }

  @Test func `an archive of another library is refused`() throws {
    let auth0 = try Archived(["accessToken": "access-1", "idToken": Self.identity]).archive()
    #expect(throws: AuthenticationError.storageCorrupt) { try AuthSession.appAuth(auth0) }
    #expect(throws: AuthenticationError.storageCorrupt) { try AuthSession.firebase(auth0) }
    #expect(throws: AuthenticationError.storageCorrupt) {
      try AuthSession.auth0(appAuth { $0["refreshToken"] = nil })
    }
  }

  @Test func `a token that no header may carry is refused, and quoted nowhere`() throws {
    let archive = try Archived(["accessToken": "canary\r\nX: y", "idToken": Self.identity]).archive()
    let error = #expect(throws: AuthenticationError.storageCorrupt) { try AuthSession.auth0(archive) }
    #expect(error.map { "\($0)" }?.contains("canary") == false)
  }
}

/// An object of another library's, which encodes these values under these keys.
final class Archived: NSObject, NSCoding {
  private let values: [String: Any]
  init(_ values: [String: Any]) { self.values = values }
  required init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    for (key, value) in values {
      switch value {
      case let flag as Bool: coder.encode(flag, forKey: key)
      case let text as String: coder.encode(NSString(string: text), forKey: key)
      case let date as Date: coder.encode(NSDate(timeInterval: 0, since: date), forKey: key)
      default: coder.encode(value, forKey: key)
      }
    }
  }

  func archive(under key: String = NSKeyedArchiveRootObjectKey) throws -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(self, forKey: key)
    return archiver.encodedData
  }
}
