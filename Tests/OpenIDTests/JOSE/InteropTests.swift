import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Tokens made by joserfc and by PyJWT; `Fixtures/JOSE/make.py` made them. // rules 19–24
@Suite struct InteropTests {
  static let interop = JOSEFixture.interop

  @Test(arguments: interop.tokens)
  func `a token of another implementation is believed or refused for what it is`(token: JOSEFixture.Token) throws {
    let refusal = try Refusal.check(
      of: token.token, by: Self.interop.keys(token.keys), expecting: Self.interop.expectations)
    #expect(refusal?.description == token.check)
  }

  @Test func `what an ID token says is read as it was written`() throws {
    let raw = RawIdentityToken(Secret(try Self.interop.good("ES256").token))
    let token = try UnverifiedIDToken(raw).validated(
      by: Self.interop.keys("ES256"), expecting: Self.interop.expectations)
    #expect(token.issuer == "https://id.example.com" && token.subject == "248289761001" && token.audiences == ["app"])
    #expect(token.name == "Ada Lovelace 💻 \"Countess\"" && token.email == "ada@example.com")
    #expect(token.issuedAt.timeIntervalSince1970 == Self.interop.now - 30)
    #expect(token.expiresAt.timeIntervalSince1970 == Self.interop.now + 300)
    #expect(token.authenticatedAt?.timeIntervalSince1970 == Self.interop.now - 60)
    #expect(token.authenticationContext == "urn:example:gold" && token.nonce == Self.interop.nonce)
    #expect(token.authorizedParty == nil)
  }

  @Test(arguments: SignatureAlgorithm.all.sorted { $0.description < $1.description })
  func `a permitted algorithm is the only one that is believed`(algorithm: SignatureAlgorithm) throws {  // rule 27
    let token = try Self.interop.good(algorithm.description)
    var expectations = Self.interop.expectations
    expectations.algorithms = SignatureAlgorithm.all.subtracting([algorithm])
    #expect(
      try Refusal.check(of: token.token, by: Self.interop.keys(token.keys), expecting: expectations) == .signature)
    expectations.algorithms = [algorithm]
    #expect(try Refusal.check(of: token.token, by: Self.interop.keys(token.keys), expecting: expectations) == nil)
  }
}
