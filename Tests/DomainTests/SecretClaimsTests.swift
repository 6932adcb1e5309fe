import AuthenticationDomain
import Foundation
import Testing

/// Providers repeat tokens among the claims of a user: none is kept or shown as a claim.
@Suite struct SecretClaimsTests {
  private static let access = "4f9d1c0b7a2e4d6f8a1b3c5d"
  private static let refresh = "r8.1a2b3c4d5e6f7a8b9c0d1e2f"
  private static let jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.c2lnbmF0dXJl"

  private func tokens(claims: [String: JSONValue] = [:]) throws -> SessionTokens {
    SessionTokens(
      access: try AccessToken(Secret(Self.access), receivedAt: Date(timeIntervalSince1970: 0)),
      refresh: Secret(Self.refresh), identity: Secret(Self.jwt), proofKey: Secret("proof-key-of-this-session"),
      claims: claims)
  }

  private func claims(_ claims: [String: JSONValue]) throws -> [String: JSONValue] {
    AuthSession(user: User(id: "7", claims: claims), tokens: try tokens()).user.claims
  }

  @Test(arguments: [
    "access_token", "accessToken", "ACCESS-TOKEN", "id_token", "refresh_token", "token", "tokens",
    "registrationAccessToken",
    "https://example.com/claims/session_token", "jwt", "secret", "client_secret", "secrets", "password",
    "user.password",
    "passwd", "passphrase", "credentials", "client_assertion", "session_cookie", "code_verifier", "Authorization",
    "authorization_code", "api_key", "apiKey", "aws_access_key", "secret-key", "privateKey",
  ])
  func `a member that is named like a secret is left out, at any depth`(name: String) {
    let values: [JSONValue] = ["opaque", ["opaque"], ["value": "opaque"], [["opaque"]]]
    for value in values {
      let user = User(
        id: "7",
        claims: [name: value, "tier": "gold", "list": [["a": 1, "\(name)": value]], "deep": ["x": [name: value]]])
      #expect(user.claims == ["tier": "gold", "list": [["a": 1]], "deep": ["x": [:]]])
      #expect(user.omittedClaims.isEmpty)
    }
  }

  @Test(arguments: [
    "token_use", "token_type", "password_changed_at", "secretary", "groups", "roles", "scope", "sid", "passport",
    "credential_id", "codename",
  ])
  func `a member whose name only begins like a secret is a claim`(name: String) {
    #expect(User(id: "7", claims: [name: "x"]).claims == [name: "x"])
  }

  @Test func `a number or a truth value is no secret, whatever its name`() {
    let claims: [String: JSONValue] = ["has_password": true, "tokens": 3, "secret": nil]
    #expect(User(id: "7", claims: claims).claims == claims)
  }

  @Test(arguments: [
    access, "Bearer \(access)", "https://example.com/picture?key=\(access)", refresh, jwt, "proof-key-of-this-session",
    "eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn", "token=eyJhbGciOiJub25lIn0=.eyJzdWIiOiI3In0=.c2ln", "\"\(jwt)\"",
  ])
  func `a text that contains a token of the session, or a JWT, is left out under any name`(text: String) throws {
    let nested: [String: JSONValue] = ["x": .string(text), "y": [.string(text), "kept"], "z": ["x": .string(text)]]
    #expect(try claims(nested) == ["y": ["kept"], "z": [:]])
    #expect(try claims([text: "x", "y": [text: "x"]]) == ["y": [:]])
  }

  @Test(arguments: ["eyJ", "a.b.c", "eyJabc", "www.eyJack.example", "1.2.3", "4f9d1c0b7a2e4d6f"])
  func `a text that is no token is kept`(text: String) throws {
    #expect(try claims(["x": .string(text)]) == ["x": .string(text)])
  }

  @Test func `a token is shown in no member of a user either`() throws {
    let user = User(
      id: "7", name: Self.access, email: "\(Self.refresh)@example.com", phoneNumber: Self.jwt,
      picture: "https://example.com/?access_token=\(Self.access)", locale: Self.access,
      omittedClaims: [Self.access, Self.jwt, "wide"])
    let session = AuthSession(user: user, tokens: try tokens())
    #expect(session.user == User(id: "7", omittedClaims: ["wide"]))
  }

  @Test func `a refresh that repeats its own tokens, or those before, adds none of them`() throws {
    let session = AuthSession(user: User(id: "7"), tokens: try tokens())
    let next = SessionTokens(
      access: try AccessToken(Secret("the-next-access-token"), receivedAt: Date(timeIntervalSince1970: 0)),
      claims: [
        "new": "the-next-access-token", "old": .string(Self.access), "older": .string(Self.refresh), "tier": "gold",
      ])
    var text = ""
    dump(next, to: &text)
    #expect(!text.contains("the-next-access-token"))
    #expect(session.refreshed(with: next).user.claims == ["tier": "gold"])
  }

  @Test func `a short token takes away no text in which it occurs`() throws {
    let tokens = SessionTokens(access: try AccessToken(Secret("a"), receivedAt: Date(timeIntervalSince1970: 0)))
    let session = AuthSession(user: User(id: "7", name: "Ada", claims: ["x": "a", "y": "ab"]), tokens: tokens)
    #expect(session.user == User(id: "7", name: "Ada", claims: ["y": "ab"]))
  }

  @Test func `users whose ids differ by Unicode normalisation are two users`() {
    let (composed, decomposed) = (User(id: "caf\u{E9}"), User(id: "cafe\u{301}"))
    #expect(composed.id == decomposed.id)
    #expect(composed != decomposed && !composed.isSame(as: decomposed) && !composed.isSame(as: nil))
    #expect(composed.isSame(as: User(id: "caf\u{E9}", name: "Ada")))
  }
}
