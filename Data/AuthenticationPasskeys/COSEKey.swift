/// A credential's public key (RFC 9052 §7, RFC 9053 §7, RFC 8230 §4), as far as its form can be checked without
/// computing with it.
struct COSEKey: Hashable, Sendable {
  enum Form: Hashable, Sendable {
    case point(Curve, x: [UInt8], y: [UInt8])
    case edwards(Curve, x: [UInt8])
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// Of an algorithm that this client does not know: passed on to the server, which may.
    case unknown
  }

  enum Curve: Int64, Sendable {
    case p256 = 1
    case p384 = 2
    case p521 = 3
    case ed25519 = 6
    case ed448 = 7

    /// Of one coordinate, in bytes.
    var size: Int {
      switch self {
      case .p256, .ed25519: 32
      case .p384: 48
      case .p521: 66
      case .ed448: 57
      }
    }
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
  let form: Form

  init(_ value: CBORValue) throws(MalformedCBOR) {
    guard let number = value[Parameter.algorithm]?.integer, let algorithm = Int(exactly: number),
      let kind = value[Parameter.kind]?.integer
    else { throw MalformedCBOR() }
    self.algorithm = algorithm
    guard let expected = Self.expected(for: algorithm) else {
      form = .unknown
      return
    }
    guard kind == expected.kind else { throw MalformedCBOR() }
    form = if let curve = expected.curve { try Self.key(on: curve, kind, value) } else { try Self.rsa(value) }
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

  private static func key(on curve: Curve, _ kind: Int64, _ value: CBORValue) throws(MalformedCBOR) -> Form {
    guard value[Parameter.curve]?.integer == curve.rawValue, let x = value[Parameter.x]?.bytes, x.count == curve.size
    else { throw MalformedCBOR() }
    guard kind == Kind.point else { return .edwards(curve, x: x) }
    guard let y = value[Parameter.y]?.bytes, y.count == curve.size else { throw MalformedCBOR() }
    return .point(curve, x: x, y: y)
  }

  /// Between 2,048 and 16,384 bits.
  private static func rsa(_ value: CBORValue) throws(MalformedCBOR) -> Form {
    guard let modulus = value[Parameter.modulus]?.bytes, (256...2048).contains(modulus.count), modulus[0] != 0,
      let exponent = value[Parameter.exponent]?.bytes, (1...8).contains(exponent.count), exponent[0] != 0
    else { throw MalformedCBOR() }
    return .rsa(modulus: modulus, exponent: exponent)
  }
}

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
