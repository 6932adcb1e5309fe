#if canImport(CryptoExtras)
import CryptoExtras
import Foundation
import Testing

@testable import AuthenticationOpenID

/// What the Security framework is given as a key, against what swift-crypto writes.
@Suite struct RSAPublicNumbersTests {
  @Test(arguments: JOSEFixture.published.signatures.filter { $0.value.key["kty"] == "RSA" }.keys.sorted())
  func `the DER of a key is what another implementation makes of it`(name: String) throws {
    let key = try #require(JOSEFixture.published.signatures[name]).key
    let modulus = try #require(key["n"].flatMap { Base64URL.decode($0) })
    let exponent = try #require(key["e"].flatMap { Base64URL.decode($0) })
    let numbers = try #require(RSAPublicNumbers(modulus: Array(modulus), exponent: Array(exponent)))
    #expect(Data(numbers.der) == (try _RSA.Signing.PublicKey(n: modulus, e: exponent)).pkcs1DERRepresentation)
  }

  @Test func `a modulus whose first bit is not set gets no sign byte`() throws {
    var modulus = [UInt8](repeating: 0x11, count: 512)
    modulus[0] = 0x7F
    let numbers = try #require(RSAPublicNumbers(modulus: modulus, exponent: [3]))
    #expect(numbers.der.starts(with: [0x30, 0x82, 0x02, 0x07, 0x02, 0x82, 0x02, 0x00, 0x7F]))
    #expect(numbers.der.suffix(3) == [0x02, 0x01, 0x03])
  }
}
#endif
