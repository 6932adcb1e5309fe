extension COSEKey {
  /// The key as SubjectPublicKeyInfo (RFC 5280 §4.1.2.7, RFC 5480 §2, RFC 8410 §4), in DER; nil for an algorithm that
  /// this client does not know.
  var subjectPublicKeyInfo: [UInt8]? {
    switch form {
    case .point(let curve, let x, let y):
      Self.info([Self.ellipticCurveKey, curve.identifier], key: [4] + x + y)
    case .edwards(let curve, let x): Self.info([curve.identifier], key: x)
    case .rsa(let modulus, let exponent):
      Self.info(
        [Self.rsaEncryption, [0x05, 0x00]],
        key: Self.element(0x30, Self.unsigned(modulus) + Self.unsigned(exponent)))
    case .unknown: nil
    }
  }

  /// 1.2.840.10045.2.1
  private static let ellipticCurveKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  /// 1.2.840.113549.1.1.1
  private static let rsaEncryption: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01,
  ]

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

extension COSEKey.Curve {
  fileprivate var identifier: [UInt8] {
    switch self {
    case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
    case .ed25519: [0x06, 0x03, 0x2B, 0x65, 0x70]
    case .ed448: [0x06, 0x03, 0x2B, 0x65, 0x71]
    }
  }
}
