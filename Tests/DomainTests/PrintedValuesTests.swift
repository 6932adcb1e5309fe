import AuthenticationDomain
import Foundation
import Testing

@Suite struct PrintedValuesTests {
  private let user = User(id: "7", name: "Ada")

  @Test func `a user prints as the fields it has`() {
    let fields =
      #"(id: "7", name: Optional("Ada"), email: nil, isNew: false, isEmailVerified: nil, phoneNumber: nil, "#
      + "picture: nil, locale: nil, createdAt: nil, isAnonymous: false, claims: [:], omittedClaims: [])"
    #expect(String(describing: user) == "User" + fields)
    #expect(String(reflecting: user) == "AuthenticationDomain.User" + fields)
  }

  @Test func `a user is dumped as the fields it has`() {
    var text = ""
    dump(user, to: &text)
    #expect(
      text == """
        ▿ AuthenticationDomain.User
          - id: "7"
          ▿ name: Optional("Ada")
            - some: "Ada"
          - email: nil
          - isNew: false
          - isEmailVerified: nil
          - phoneNumber: nil
          - picture: nil
          - locale: nil
          - createdAt: nil
          - isAnonymous: false
          - claims: 0 key/value pairs
          - omittedClaims: 0 elements

        """)
  }

  @Test func `tokens print their metadata, and not their values`() throws {
    let token = try AccessToken(Secret("canary"), receivedAt: Date(timeIntervalSince1970: 0), lifetime: .seconds(60))
    let tokens = SessionTokens(access: token, refresh: Secret("canary"))
    #expect(
      String(describing: token) == """
        AccessToken(value: <redacted>, type: "Bearer", receivedAt: 1970-01-01 00:00:00 +0000, \
        lifetime: Optional(60.0 seconds), clockOffset: nil, scopes: [], authorization: <redacted>)
        """)
    let fields = Mirror(reflecting: tokens).children.map(\.label)
    #expect(fields == ["access", "refresh", "identity", "proofKey", "claims"])
  }

  @Test func `an error that is dumped shows every field`() throws {
    let error = AuthenticationError(.timedOut, "There was no response.")
    let fields = Mirror(reflecting: error).children
    #expect(fields.map(\.label) == ["code", "disposition", "message", "suggestion", "details"])
    let details = Mirror(reflecting: try #require(fields.first { $0.label == "details" }).value)
    #expect(
      details.children.map(\.label) == [
        "cause", "retryAfter", "requiredScopes", "challenge", "reason", "providerCode", "clockOffset", "requirements",
        "passwordRules", "attemptsLeft", "loss", "response", "isOfRepeat", "isHeldOff", "spendsStep",
      ])
  }
}
