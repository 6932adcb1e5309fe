import AuthenticationDomain
import Foundation

/// Sessions as large as real ones: a signed JWT, an opaque refresh token, an ID token.
enum Samples {
  static let user = User(id: "6f1c2a7e-ada", name: "Ada Lovelace", email: "ada@example.com")
  static let scopes = ["openid", "profile", "email", "offline_access"]

  /// Characters of a token, the same for the same name and length.
  static func token(_ name: String, length: Int) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)
    var state: UInt64 = name.utf8.reduce(14_695_981) { $0 &* 31 &+ UInt64($1) }
    var bytes = Array("\(name).".utf8)
    while bytes.count < length {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes.append(alphabet[Int(state >> 58)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func session(
    accessToken: String = token("access", length: 900), refreshToken: String = token("refresh", length: 200),
    receivedAt: Date = Date(), lifetime: Duration = .seconds(3_600)
  ) throws -> AuthSession {
    let access = try AccessToken(Secret(accessToken), receivedAt: receivedAt, lifetime: lifetime, scopes: scopes)
    return AuthSession(
      user: user,
      tokens: SessionTokens(
        access: access, refresh: Secret(refreshToken),
        identity: Secret(token("identity", length: 800))))
  }

  /// A session whose token is over and can be refreshed with this refresh token.
  static func expiredSession(accessToken: String, refreshToken: String) throws -> AuthSession {
    try session(
      accessToken: accessToken, refreshToken: refreshToken, receivedAt: Date(timeIntervalSinceNow: -7_200))
  }
}
