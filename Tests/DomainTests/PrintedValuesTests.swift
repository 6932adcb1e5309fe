import AuthenticationDomain
import Foundation
import Testing

struct PrintedValuesTests {
  let user = User(id: "7", name: "Ada")

  @Test
  func `a user prints as the fields it has`() {
    #expect(String(describing: user) == #"User(id: "7", name: Optional("Ada"), email: nil, isNew: false)"#)
  }

  @Test
  func `tokens print what they are for, and not what they are`() throws {
    let token = try AccessToken(Secret("canary"), receivedAt: Date(timeIntervalSince1970: 0), lifetime: .seconds(60))
    let tokens = SessionTokens(access: token, refresh: RefreshToken(Secret("canary")))
    #expect(
      String(describing: token)
        == """
        AccessToken(value: <redacted>, type: "Bearer", receivedAt: 1970-01-01 00:00:00 +0000, \
        lifetime: Optional(60.0 seconds), clockOffset: nil, scopes: [], authorization: <redacted>)
        """)
    #expect(Mirror(reflecting: tokens).children.map(\.label) == ["access", "refresh", "identity", "proofKey"])
  }

  @Test
  func `an error that is dumped shows every field`() {
    var error = AuthenticationError(.timedOut, "Nobody answered.", suggestion: "Try again.")
    error.retryAfter = .seconds(5)
    var text = ""
    dump(error, to: &text)
    #expect(text.contains(#"message: "Nobody answered.""#))
    #expect(text.contains("retryAfter: Optional(5.0 seconds)"))
  }

  @Test
  func `a copy of an error that is changed leaves the first one as it was`() {
    let first = AuthenticationError(.timedOut, "Nobody answered.")
    var copy = first
    copy.cause = .init(domain: "errno", code: 5)
    #expect(first.cause == nil)
    #expect(copy.cause == .init(domain: "errno", code: 5))
  }
}
