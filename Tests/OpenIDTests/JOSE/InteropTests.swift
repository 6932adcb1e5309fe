import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Tokens made by joserfc and by PyJWT; `Fixtures/JOSE/make.py` made them. // rules 19–24
@Suite struct InteropTests {
  static let interop = JOSEFixture.interop

  @Test(arguments: interop.tokens)
  func `a token of another implementation is accepted, or refused by the expected check`(token: JOSEFixture.Token)
    throws
  {
    let refusal = try Refusal.check(
      of: token.token, by: Self.interop.keys(token.keys), expecting: Self.interop.expectations)
    #expect(refusal?.description == token.check)
  }

  @Test func `the claims of an ID token are read as they were written`() throws {
    let raw = Secret(try Self.interop.good("ES256").token)
    let token = try UnverifiedIDToken(raw).validated(
      by: Self.interop.keys("ES256"), expecting: Self.interop.expectations)
    #expect(
      token.claims.issuer == "https://id.example.com" && token.user.id == "248289761001"
        && token.claims.audiences == ["app"])
    #expect(token.user.name == "Ada Lovelace 💻 \"Countess\"" && token.user.email == "ada@example.com")
    #expect(token.claims.issuedAt?.timeIntervalSince1970 == Self.interop.now - 30)
    #expect(token.claims.expiresAt?.timeIntervalSince1970 == Self.interop.now + 300)
    #expect(token.claims.authenticatedAt?.timeIntervalSince1970 == Self.interop.now - 60)
    #expect(token.claims.authenticationContext == "urn:example:gold")
    #expect(token.claims.authorizedParty == nil)
  }

  // rule 27
  @Test(arguments: [SignatureAlgorithm.rs256, .rs512, .ps256])
  func `an RSA key without an algorithm serves the first that it verifies`(first: SignatureAlgorithm) throws {
    let name = first.rawValue
    let token = try Self.interop.good(name)
    var members = try #require(Self.interop.sets[token.keys]?.keys.first { $0["kty"] == "RSA" })
    members["alg"] = nil
    let set = JOSEFixture.KeySet(keys: [members])
    let keys = try JSONWebKeySet(json: JSONEncoder().encode(set))
    let others = SignatureAlgorithm.all.filter { $0.isRSA && $0 != first }
    let fits = { (algorithm: SignatureAlgorithm) in
      !keys.keys(for: algorithm, id: members["kid"], permitting: SignatureAlgorithm.all).isEmpty
    }
    #expect(fits(first) && others.allSatisfy(fits), "\(members["kid"] ?? "no kid")")
    let forged = token.token.dropLast(4) + "AAAA"
    #expect(try Refusal.check(of: String(forged), by: keys, expecting: Self.interop.expectations) == .signature)
    #expect(others.allSatisfy(fits), "A signature that is wrong decides nothing.")
    #expect(try Refusal.check(of: token.token, by: keys, expecting: Self.interop.expectations) == nil)
    #expect(fits(first) && !others.contains(where: fits))
    #expect(try Refusal.check(of: token.token, by: keys, expecting: Self.interop.expectations) == nil)
  }

  @Test(arguments: SignatureAlgorithm.all.sorted { $0.rawValue < $1.rawValue })
  func `a permitted algorithm is the only one that is believed`(algorithm: SignatureAlgorithm) throws {  // rule 27
    let token = try Self.interop.good(algorithm.rawValue)
    var expectations = Self.interop.expectations
    expectations.algorithms = SignatureAlgorithm.all.subtracting([algorithm])
    #expect(
      try Refusal.check(of: token.token, by: Self.interop.keys(token.keys), expecting: expectations) == .signature)
    expectations.algorithms = [algorithm]
    #expect(try Refusal.check(of: token.token, by: Self.interop.keys(token.keys), expecting: expectations) == nil)
  }
}
