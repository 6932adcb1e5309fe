/// A credential's public key (RFC 9052 §7, RFC 9053 §7, RFC 8230 §4), as far as its form can be checked without
/// computing with it.
struct COSEKey: Sendable {
  private struct Curve {
    let number: Int64
    /// Of one coordinate, in bytes.
    let size: Int
    /// The object identifier, in DER.
    let identifier: [UInt8]

    static let p256 = Curve(
      number: 1, size: 32, identifier: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    static let p384 = Curve(number: 2, size: 48, identifier: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22])
    static let p521 = Curve(number: 3, size: 66, identifier: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23])
    static let ed25519 = Curve(number: 6, size: 32, identifier: [0x06, 0x03, 0x2B, 0x65, 0x70])
    static let ed448 = Curve(number: 7, size: 57, identifier: [0x06, 0x03, 0x2B, 0x65, 0x71])
  }

  private enum Parameter {
    static let kind: Int64 = 1
    static let algorithm: Int64 = 3
    static let curve: Int64 = -1
    static let x: Int64 = -2
    static let y: Int64 = -3
    static let modulus: Int64 = -1
    static let exponent: Int64 = -2
  }

  private enum Kind {
    static let edwards: Int64 = 1
    static let point: Int64 = 2
    static let rsa: Int64 = 3
  }

  /// The number of the algorithm in IANA's registry of COSE algorithms.
  let algorithm: Int
  /// The key as SubjectPublicKeyInfo (RFC 5280 §4.1.2.7, RFC 5480 §2, RFC 8410 §4), in DER; nil for an algorithm that
  /// this client does not know: the key is passed on to the server, which may.
  let subjectPublicKeyInfo: [UInt8]?

  init(_ value: CBORValue) throws(MalformedCBOR) {
    guard let number = value[Parameter.algorithm]?.integer, let algorithm = Int(exactly: number),
      let kind = value[Parameter.kind]?.integer
    else { throw MalformedCBOR() }
    self.algorithm = algorithm
    guard let expected = Self.expected(for: algorithm) else {
      subjectPublicKeyInfo = nil
      return
    }
    guard kind == expected.kind else { throw MalformedCBOR() }
    subjectPublicKeyInfo =
      if let curve = expected.curve { try Self.key(on: curve, kind, value) } else { try Self.rsa(value) }
  }

  private static func expected(for algorithm: Int) -> (kind: Int64, curve: Curve?)? {
    switch algorithm {
    case -7, -9: (Kind.point, .p256)
    case -35, -51: (Kind.point, .p384)
    case -36, -52: (Kind.point, .p521)
    case -8, -19: (Kind.edwards, .ed25519)
    case -53: (Kind.edwards, .ed448)
    case -259 ... -257, -39 ... -37: (Kind.rsa, nil)
    default: nil
    }
  }

  private static func key(on curve: Curve, _ kind: Int64, _ value: CBORValue) throws(MalformedCBOR) -> [UInt8] {
    guard value[Parameter.curve]?.integer == curve.number, let x = value[Parameter.x]?.bytes, x.count == curve.size
    else { throw MalformedCBOR() }
    guard kind == Kind.point else { return info([curve.identifier], key: x) }
    guard let y = value[Parameter.y]?.bytes, y.count == curve.size else { throw MalformedCBOR() }
    return info([ellipticCurveKey, curve.identifier], key: [4] + x + y)
  }

  /// Between 2,048 and 16,384 bits.
  private static func rsa(_ value: CBORValue) throws(MalformedCBOR) -> [UInt8] {
    guard let modulus = value[Parameter.modulus]?.bytes, (256...2048).contains(modulus.count), modulus[0] != 0,
      let exponent = value[Parameter.exponent]?.bytes, (1...8).contains(exponent.count), exponent[0] != 0
    else { throw MalformedCBOR() }
    return info([rsaEncryption, [0x05, 0x00]], key: element(0x30, unsigned(modulus) + unsigned(exponent)))
  }

  /// 1.2.840.10045.2.1
  private static let ellipticCurveKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  /// 1.2.840.113549.1.1.1
  private static let rsaEncryption: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

  private static func info(_ algorithm: [[UInt8]], key: [UInt8]) -> [UInt8] {
    element(0x30, element(0x30, Array(algorithm.joined())) + element(0x03, [0] + key))
  }

  private static func unsigned(_ magnitude: [UInt8]) -> [UInt8] {
    element(0x02, magnitude[0] < 0x80 ? magnitude : [0] + magnitude)
  }

  private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let count = contents.count
    let length: [UInt8] =
      switch count {
      case ..<0x80: [UInt8(count)]
      case ..<0x100: [0x81, UInt8(count)]
      default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
      }
    return [tag] + length + contents
  }
}
