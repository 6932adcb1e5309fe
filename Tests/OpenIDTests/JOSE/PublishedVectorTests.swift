import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The examples of the standards themselves.
@Suite struct PublishedVectorTests {
  @Test(arguments: JOSEFixture.published.signatures.keys.sorted())
  func `a signature printed in a standard verifies, and one bit of it does not`(name: String) throws {
    let vector = try #require(JOSEFixture.published.signatures[name])
    let key = try #require(JSONWebKey(json: Array(try JSONEncoder().encode(vector.key)))).key
    let algorithm = try #require(SignatureAlgorithm(rawValue: vector.algorithm))
    let jws = try CompactJWS(vector.token)
    #expect(jws.header.algorithm == algorithm)
    #expect(key.isValid(jws.signature, of: jws.signed, by: algorithm))
    var flipped = jws.signature
    flipped[flipped.count / 2] ^= 1
    #expect(!key.isValid(flipped, of: jws.signed, by: algorithm))
    #expect(!key.isValid(jws.signature, of: jws.signed.dropLast(), by: algorithm))
    for other in SignatureAlgorithm.all.subtracting([algorithm]) {
      #expect(!key.isValid(jws.signature, of: jws.signed, by: other), "\(other)")
    }
  }

  @Test func `the key set printed in RFC 7517 A 1 has one key for signatures`() throws {
    let keys = try JSONWebKeySet(json: JSONEncoder().encode(JOSEFixture.published.keySet)).keys
    #expect(keys.map(\.id) == ["2011-04-29"] && keys.first?.algorithm == .rs256)
  }

  @Test func `the Ed25519 key printed in RFC 8037 A 1 makes the signature printed in A 4`() throws {
    let vector = try #require(JOSEFixture.published.signatures["RFC 8037 A.4"])
    let secret = try #require(Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
    let key = try Curve25519.Signing.PrivateKey(rawRepresentation: secret)
    #expect(Base64URL.encode(key.publicKey.rawRepresentation) == vector.key["x"])
  }

  @Test func `the thumbprint printed in RFC 7638 3 1 is the key's`() throws {
    let key = try #require(JOSEFixture.published.keySet.keys.last)
    let required = key.filter { ["e", "kty", "n"].contains($0.key) }
    #expect(Base64URL.thumbprint(of: required) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  @Test func `the thumbprint printed in RFC 8037 A 3 is the key's`() throws {
    let key = try #require(JOSEFixture.published.signatures["RFC 8037 A.4"]).key
    #expect(Base64URL.thumbprint(of: key) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  }

  @Test func `the code challenge printed in RFC 7636 B is the verifier's`() {  // rule 1
    #expect(
      CodeVerifier(Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).challenge
        == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `the hashes printed in OpenID Connect Core A 3 and A 4 are the token's and the code's`() {  // rule 24
    #expect(
      SignatureAlgorithm.Hash.sha256.leftHalf(of: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
        == "77QmUPtjPfzWtF2AnpK9RQ")
    #expect(
      SignatureAlgorithm.Hash.sha256.leftHalf(of: "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")
        == "LDktKdoQak3Pk0cnXxCltA")
  }
}
