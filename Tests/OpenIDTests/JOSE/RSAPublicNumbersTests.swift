import Foundation
import Testing

@testable import AuthenticationOpenID

#if canImport(CryptoExtras)
import CryptoExtras
#endif

/// The key for the Security framework.
@Suite struct RSAPublicNumbersTests {
  #if canImport(CryptoExtras)
  @Test(arguments: JOSEFixture.published.signatures.filter { $0.value.key["kty"] == "RSA" }.keys.sorted())
  func `the DER of a key equals the DER of another implementation`(name: String) throws {
    let key = try #require(JOSEFixture.published.signatures[name]).key
    let modulus = try #require(key["n"].flatMap { Base64URL.decode($0) })
    let exponent = try #require(key["e"].flatMap { Base64URL.decode($0) })
    let numbers = try #require(RSAPublicNumbers(modulus: Array(modulus), exponent: Array(exponent)))
    #expect(Data(numbers.der) == (try _RSA.Signing.PublicKey(n: modulus, e: exponent)).pkcs1DERRepresentation)
  }
  #endif

  /// Odd, and of exactly so many bits.
  static func modulus(_ bits: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xA5, count: (bits + 7) / 8)
    bytes[0] = bits % 8 == 0 ? 0xA5 : UInt8(1 << (bits % 8 - 1))
    return bytes
  }

  @Test func `numbers that no platform should get as a key are refused before one does`() {  // rule 28
    func isUsable(_ modulus: [UInt8], _ exponent: [UInt8] = [1, 0, 1]) -> Bool {
      RSAPublicNumbers(modulus: modulus, exponent: exponent) != nil
    }
    for bits in [512, 1_024, 2_040, 2_047, 8_193, 16_384] { #expect(!isUsable(Self.modulus(bits)), "\(bits) bits") }
    for bits in [2_048, 2_049, 4_096, 8_192] { #expect(isUsable(Self.modulus(bits)), "\(bits) bits") }
    #expect(!isUsable([]) && !isUsable([0]) && !isUsable([0] + Self.modulus(2_040)))
    #expect(isUsable([0, 0] + Self.modulus(2_048)) && !isUsable(Self.modulus(2_048).dropLast() + [2]))
    for exponent in [[], [0], [1], [0, 1], [2], [1, 0, 0], [1, 0, 0, 0, 1]] as [[UInt8]] {
      #expect(!isUsable(Self.modulus(2_048), exponent), "\(exponent)")
    }
    #expect(isUsable(Self.modulus(2_048), [3]) && isUsable(Self.modulus(2_048), [0, 3]))
  }

  @Test func `a modulus whose first bit is not set gets no sign byte`() throws {
    var modulus = [UInt8](repeating: 0x11, count: 512)
    modulus[0] = 0x7F
    let numbers = try #require(RSAPublicNumbers(modulus: modulus, exponent: [3]))
    #expect(numbers.der.starts(with: [0x30, 0x82, 0x02, 0x07, 0x02, 0x82, 0x02, 0x00, 0x7F]))
    #expect(numbers.der.suffix(3) == [0x02, 0x01, 0x03])
  }
}
