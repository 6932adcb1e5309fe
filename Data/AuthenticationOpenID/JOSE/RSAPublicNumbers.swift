/// The modulus and exponent of an RSA public key, big-endian (RFC 7518 §6.3.1): valid, and of sufficient strength.
struct RSAPublicNumbers: Sendable, Hashable {
  /// Without leading zeros.
  let modulus: [UInt8]
  /// Without leading zeros.
  let exponent: [UInt8]

  /// Nil unless the modulus has 2,048 to 8,192 bits (RFC 7518 §3.3; a longer one takes too long to verify with), and
  /// both are odd, with an exponent of 3 to 2^32.
  init?(modulus: [UInt8], exponent: [UInt8]) {
    self.modulus = Array(modulus.drop { $0 == 0 })
    self.exponent = Array(exponent.drop { $0 == 0 })
    guard let first = self.modulus.first, let last = self.modulus.last, let lastOfExponent = self.exponent.last else {
      return nil
    }
    let bits = self.modulus.count * 8 - first.leadingZeroBitCount
    guard (2_048...8_192).contains(bits), last & 1 == 1 else { return nil }
    guard self.exponent.count <= 4, lastOfExponent & 1 == 1, self.exponent != [1] else { return nil }
  }

  /// `RSAPublicKey` of PKCS #1 in DER (RFC 8017 A.1.1).
  var der: [UInt8] { Self.element(0x30, Self.integer(modulus) + Self.integer(exponent)) }

  private static func integer(_ magnitude: [UInt8]) -> [UInt8] {
    element(0x02, (magnitude[0] & 0x80 == 0 ? [] : [0]) + magnitude)
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
      length.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }
}
