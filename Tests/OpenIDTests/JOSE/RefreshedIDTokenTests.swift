import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// OpenID Connect Core §12.2. // rule 25
@Suite struct RefreshedIDTokenTests {
  let forge = TokenForge()
  static let original: [String: String?] = ["auth_time": "1789990000", "nonce": #""n""#, "exp": "1789999000"]

  func refusal(
    _ changes: [String: String?], after original: [String: String?] = Self.original
  ) throws -> FailureReason? {
    let stored = try IDTokenClaims(stored: Secret(forge.token(original)))
    return try forge.refusal(of: forge.token(changes)) {
      $0.continuing = stored
    }
  }

  @Test func `an ID token that has expired since still determines the claims of the next one`() throws {
    #expect(try refusal([:]) == nil)
    #expect(try refusal(["auth_time": "1789990000", "nonce": #""n""#]) == nil)
  }

  @Test func `another user's token is refused`() throws {
    #expect(try refusal(["sub": #""eve""#]) == .subject)
  }

  @Test func `another issuer's token is refused`() throws {
    #expect(try refusal([:], after: ["iss": #""https://old.example.com""#]) == .issuer)
  }

  @Test func `a token that lacks an audience is refused, and one that has another is not`() throws {
    let two: [String: String?] = ["aud": #"["app","api"]"#, "azp": #""app""#]
    #expect(try refusal(["azp": #""app""#], after: two) == .audience)
    #expect(try refusal(two, after: ["azp": #""app""#]) == nil)
  }

  @Test(arguments: [nil, #""app""#]) func `an issuer may add audiences that are not named anywhere`(azp: String?) throws
  {
    #expect(try refusal(["aud": #"["app","other","third"]"#, "azp": azp]) == nil)
    #expect(try refusal(["aud": #"["other","third"]"#, "azp": azp]) == .audience)
  }

  @Test func `the authorized party is this client, or absent`() throws {
    let own: [String: String?] = ["azp": #""app""#]
    #expect(try refusal(own) == nil)
    #expect(try refusal([:], after: own) == nil)
    #expect(try refusal(own, after: own) == nil)
    #expect(try refusal(["azp": #""other""#]) == .audience)
    #expect(try refusal(["azp": #""other""#], after: own) == .audience)
  }

  @Test func `a nonce is absent or the same`() throws {
    #expect(try refusal(["nonce": #""m""#]) == .nonce)
    #expect(try refusal(["nonce": #""m""#], after: [:]) == .nonce)
  }

  @Test func `claims that look the same and are spelled differently are not the same`() throws {
    let first: [String: String?] = ["sub": #""K""#, "nonce": #""K""#]
    #expect(try refusal(first, after: first) == nil)
    #expect(try refusal(first, after: ["sub": #""\u212A""#]) == .subject)
    #expect(try refusal(first, after: ["sub": #""K""#, "nonce": #""\u212A""#]) == .nonce)
    let both: [String: String?] = ["aud": #"["app","K"]"#, "azp": #""app""#]
    let spelled = forge.token(both.merging(["aud": #"["app","\u212A"]"#]) { $1 })
    let stored = try IDTokenClaims(stored: Secret(spelled))
    let answer = try forge.refusal(of: forge.token(both)) {
      $0.continuing = stored
    }
    #expect(answer == .audience)
  }

  @Test func `the time of the sign-in stays, be it written with a fraction or not`() throws {
    #expect(try refusal(["auth_time": "1789990001"]) == .authentication)
    #expect(try refusal(["auth_time": "1789989999"]) == .authentication)
    #expect(try refusal(["auth_time": "1789990000.75"]) == nil)
    #expect(try refusal(["auth_time": "1789990001"], after: [:]) == nil)
  }

  @Test(arguments: ["", "a.b.c", "e30.e30.e30", "opaque"])
  func `a stored ID token that cannot be read is a storage failure`(text: String) {
    #expect(throws: AuthenticationError(.storageCorrupt, "")) {
      try IDTokenClaims(stored: Secret(text))
    }
  }
}
