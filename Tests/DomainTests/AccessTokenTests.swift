import AuthenticationDomain
import Testing
import Foundation

@Suite struct AccessTokenTests {
  private let noon = Date(timeIntervalSince1970: 1_767_225_600)

  @Test(arguments: ["", " ", "a b", "a\r\nX-Evil: 1", "a\n", "\ra", "a\t", "a\u{0}", "a\u{7F}", "naïve", "😀"])
  func `a token that no header may carry is refused`(text: String) {
    #expect(throws: AuthenticationError(.unexpectedResponse, "")) {
      try AccessToken(Secret(text), receivedAt: noon)
    }
    #expect(throws: AuthenticationError(.unexpectedResponse, "")) {
      try AccessToken(Secret("fine"), type: text, receivedAt: noon)
    }
  }

  @Test(arguments: [1e300, -1e300, Double.infinity, -.infinity, .nan, 1e12])
  func `a token received at no plausible time is refused`(seconds: Double) {
    #expect(throws: AuthenticationError(.unexpectedResponse, "")) {
      try AccessToken(Secret("fine"), receivedAt: Date(timeIntervalSince1970: seconds), lifetime: .seconds(60))
    }
  }

  @Test func `every visible ASCII character is accepted`() throws {
    let text = String(decoding: 0x21...0x7E, as: UTF8.self)
    #expect(try AccessToken(Secret(text), receivedAt: noon).value.reveal() == text)
  }

  @Test func `the header names the type and the token`() throws {
    #expect(try AccessToken(Secret("abc"), receivedAt: noon).authorization.reveal() == "Bearer abc")
    #expect(try AccessToken(Secret("abc"), type: "DPoP", receivedAt: noon).authorization.reveal() == "DPoP abc")
  }

  // failure row 24
  @Test(arguments: [Duration.seconds(1), .seconds(3_600), .seconds(315_360_000)])
  func `a lifetime between a second and ten years is believed`(lifetime: Duration) throws {
    let token = try AccessToken(Secret("abc"), receivedAt: noon, lifetime: lifetime)
    #expect(token.lifetime == lifetime)
    #expect(token.expiresAt == noon + Double(lifetime.components.seconds))
  }

  // failure row 24
  @Test(arguments: [
    Duration.zero, .seconds(-1), .milliseconds(999), .seconds(315_360_001), .seconds(Int64.max), .seconds(Int64.min),
  ])
  func `an absurd lifetime is refused`(lifetime: Duration) {
    #expect(throws: AuthenticationError(.unexpectedResponse, "")) {
      try AccessToken(Secret("abc"), receivedAt: noon, lifetime: lifetime)
    }
  }

  // failure row 24
  @Test func `a lifetime that was not told is unknown, not a date`() throws {
    let token = try AccessToken(Secret("abc"), receivedAt: noon)
    #expect(token.expiresAt == nil)
    #expect(RefreshPolicy.standard.leeway(of: token) == .zero)
  }

  @Test(arguments: [
    (Duration.seconds(1), Duration.milliseconds(250)), (.seconds(200), .seconds(50)), (.seconds(240), .seconds(60)),
    (.seconds(244), .seconds(60)), (.seconds(3_600), .seconds(60)),
  ])
  func `a refresh starts a minute, or a quarter of a short life, before the end`(lifetime: Duration, leeway: Duration)
    throws
  {
    let token = try AccessToken(Secret("abc"), receivedAt: noon, lifetime: lifetime)
    #expect(RefreshPolicy.standard.leeway(of: token) == leeway)
  }
}
