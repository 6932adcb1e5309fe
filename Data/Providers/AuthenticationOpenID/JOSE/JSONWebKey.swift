import AuthenticationData
package import AuthenticationDomain
package import Foundation
#if canImport(CryptoKit)
import CryptoKit
import Security
#else
import Crypto
import CryptoExtras
#endif

/// A public key of an issuer that may verify signatures (RFC 7517 §4).
package struct JSONWebKey: Sendable {
  /// `kid`.
  let id: String?
  /// `issuer`, of Microsoft Entra ID: for whom it signs, perhaps with `{tenantid}` in it.
  let issuer: String?
  /// `alg`: the only algorithm for which the key is valid; nil if it names none.
  let algorithm: SignatureAlgorithm?
  let key: VerificationKey
  /// For an RSA key that names no algorithm; nil if ``algorithm`` or the curve determines it.
  private let use: AlgorithmOfUse?

  /// Nil for a key that cannot be used here: of another type or use, not well-formed, weak, or with a point off its
  /// curve.
  ///
  /// Members of a private key are ignored, and so is every certificate (`x5c`, `x5u`): trust comes from the set itself.
  package init?(json: [UInt8]) {
    do throws(MalformedJSON) {
      let object = try JSONObject(json)
      if let use = try object.string("use"), use != "sig" { return nil }
      if let operations = try object.strings("key_ops"), !operations.contains("verify") { return nil }
      id = try object.string("kid")
      issuer = (try? object.string("issuer")) ?? nil
      if let name = try object.string("alg") {
        guard let known = SignatureAlgorithm(rawValue: name) else { return nil }
        algorithm = known
      } else {
        algorithm = nil
      }
      guard let key = try VerificationKey(object) else { return nil }
      self.key = key
    } catch {
      return nil
    }
    if let algorithm, !key.algorithms.contains(algorithm) { return nil }
    use = algorithm == nil && key.isRSA ? AlgorithmOfUse() : nil
  }

  /// Whether the key may be used with this algorithm: its type fits, and it neither names nor has verified with another
  /// one (RFC 8725 §3.1).
  package func isFor(_ algorithm: SignatureAlgorithm) -> Bool {
    guard key.algorithms.contains(algorithm) else { return false }
    if let own = self.algorithm { return own == algorithm }
    return use?.allows(algorithm) ?? true
  }

  /// Whether this is the key's signature of the message; this algorithm then becomes that of a key that names none.
  package func isValid(_ signature: [UInt8], of message: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) -> Bool {
    key.isValid(signature, of: message, by: algorithm) && (use?.take(algorithm) ?? true)
  }
}

extension JSONObject {
  fileprivate func base64URL(_ name: String) throws(MalformedJSON) -> [UInt8]? {
    try string(name).flatMap { Base64URL.decode(Array($0.utf8)[...]) }
  }

  /// Both coordinates, each of exactly the field's length (RFC 7518 §6.2.1.2).
  fileprivate func point(of length: Int) throws(MalformedJSON) -> [UInt8]? {
    guard let x = try base64URL("x"), let y = try base64URL("y"), x.count == length, y.count == length else {
      return nil
    }
    return x + y
  }
}

/// An issuer's public keys (RFC 7517 §5), each prepared once.
package struct JSONWebKeySet: Sendable {
  static let maximumSize = 512 * 1_024
  static let maximumKeys = 64

  package let keys: [JSONWebKey]

  /// Throws ``AuthenticationError/unexpectedResponse`` unless the data is a key set of at most 512 KiB; keys that
  /// cannot be used here are skipped (RFC 7517 §5), as are those after the 64th.
  package init(json: Data) throws(AuthenticationError) {
    guard json.count <= Self.maximumSize, let object = try? JSONObject(Array(json)),
      let members = try? object.objects("keys", atMost: Self.maximumKeys)
    else {
      throw AuthenticationError(
        .unexpectedResponse, "The issuer's response is no JSON Web Key Set.",
        suggestion: "Check the jwks_uri of the issuer's metadata.")
    }
    keys = members.compactMap { $0.flatMap { JSONWebKey(json: $0) } }
  }

  /// Returns the keys that may have signed a token with this header.
  ///
  /// If the header names a key, only that key is used; if it names none, or several keys share the name, each matching
  /// one is tried. A key is used with one algorithm (RFC 8725 §3.1): the one it names, or that of its curve. An RSA key
  /// that names none keeps the algorithm of the first signature that it verifies: any permitted one if the header names
  /// this key and no other; else the only permitted one of its type, or RS256, the default for ID tokens (OpenID
  /// Connect Registration §2).
  func keys(
    for algorithm: SignatureAlgorithm, id: String?, permitting permitted: Set<SignatureAlgorithm>
  ) -> [JSONWebKey] {
    keys.filter { key in
      guard id == nil || key.id.isSame(as: id), key.isFor(algorithm) else { return false }
      guard algorithm.isRSA, key.algorithm == nil, algorithm != .rs256 else { return true }
      return permitted.count(where: \.isRSA) == 1 || isOnlyRSAKey(id)
    }
  }

  private func isOnlyRSAKey(_ id: String?) -> Bool {
    id != nil && keys.count { $0.key.isRSA && $0.id.isSame(as: id) } == 1
  }
}

/// A public key that is ready to verify signatures.
struct VerificationKey: Sendable {
  /// Those that the key's type and curve fit (RFC 8725 §3.1).
  let algorithms: Set<SignatureAlgorithm>
  private let verifies: @Sendable ([UInt8], ArraySlice<UInt8>, SignatureAlgorithm) -> Bool

  var isRSA: Bool { algorithms.contains(.rs256) }

  /// Whether this is the key's signature of the message by the algorithm.
  func isValid(_ signature: [UInt8], of message: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) -> Bool {
    algorithms.contains(algorithm) && verifies(signature, message, algorithm)
  }
}

extension VerificationKey {
  /// Created from `kty` and the members that it requires (RFC 7518 §6, RFC 8037 §2).
  init?(_ object: JSONObject) throws(MalformedJSON) {
    switch try (object.string("kty"), object.string("crv")) {
    case ("RSA", _):
      guard let modulus = try object.base64URL("n"), let exponent = try object.base64URL("e"),
        let key = RSAPublicNumbers(modulus: modulus, exponent: exponent).flatMap(RSAPublicKey.init)
      else { return nil }
      self.init(algorithms: SignatureAlgorithm.all.filter(\.isRSA)) { key.isValid($0, of: $1, by: $2) }
    case ("EC", "P-256"):
      self.init(.es256, try object.point(of: 32)) { bytes in
        let key = try P256.Signing.PublicKey(rawRepresentation: bytes)
        return { try key.isValidSignature(P256.Signing.ECDSASignature(rawRepresentation: $0), for: $1) }
      }
    case ("EC", "P-384"):
      self.init(.es384, try object.point(of: 48)) { bytes in
        let key = try P384.Signing.PublicKey(rawRepresentation: bytes)
        return { try key.isValidSignature(P384.Signing.ECDSASignature(rawRepresentation: $0), for: $1) }
      }
    case ("EC", "P-521"):
      self.init(.es512, try object.point(of: 66)) { bytes in
        let key = try P521.Signing.PublicKey(rawRepresentation: bytes)
        return { try key.isValidSignature(P521.Signing.ECDSASignature(rawRepresentation: $0), for: $1) }
      }
    case ("OKP", "Ed25519"):
      guard let bytes = try object.base64URL("x"), bytes.count == 32, !Ed25519SmallOrder.contains(bytes) else {
        return nil
      }
      self.init(.edDSA, bytes, signatureLength: 64) { bytes in
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        return { key.isValidSignature($0, for: $1) }
      }
    default: return nil
    }
  }

  /// A key of a curve, whose signature is two numbers of exactly the curve's length (RFC 7518 §3.4, RFC 8037 §3.1).
  ///
  /// - Parameter signatureLength: by default that of the point.
  private init?(
    _ algorithm: SignatureAlgorithm, _ point: [UInt8]?, signatureLength: Int? = nil,
    _ verifier: ([UInt8]) throws -> @Sendable ([UInt8], ArraySlice<UInt8>) throws -> Bool
  ) {
    guard let point, let isValid = try? verifier(point) else { return nil }
    let length = signatureLength ?? point.count
    self.init(algorithms: [algorithm]) { signature, message, _ in
      signature.count == length && (try? isValid(signature, message)) == true
    }
  }
}

#if canImport(CryptoKit)
/// An RSA public key of the Security framework.
///
/// Unchecked: a `SecKey` is an immutable object, and Security's functions on keys may be called from any thread.
struct RSAPublicKey: @unchecked Sendable {
  private let key: SecKey

  /// Nil if the platform refuses the key.
  init?(_ numbers: RSAPublicNumbers) {
    let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic]
    guard let key = SecKeyCreateWithData(Data(numbers.der) as CFData, attributes as CFDictionary, nil) else {
      return nil
    }
    self.key = key
  }

  /// RSASSA-PKCS1-v1_5 or RSASSA-PSS (RFC 7518 §3.3, §3.5).
  func isValid(_ signature: [UInt8], of message: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) -> Bool {
    let platform: SecKeyAlgorithm =
      switch (algorithm.isPSS, algorithm.hash) {
      case (true, .sha256): .rsaSignatureMessagePSSSHA256
      case (true, .sha384): .rsaSignatureMessagePSSSHA384
      case (true, .sha512): .rsaSignatureMessagePSSSHA512
      case (_, .sha256): .rsaSignatureMessagePKCS1v15SHA256
      case (_, .sha384): .rsaSignatureMessagePKCS1v15SHA384
      case (_, .sha512): .rsaSignatureMessagePKCS1v15SHA512
      }
    return SecKeyVerifySignature(key, platform, Data(message) as CFData, Data(signature) as CFData, nil)
  }
}
#else
/// An RSA public key of swift-crypto.
struct RSAPublicKey: Sendable {
  private let key: _RSA.Signing.PublicKey

  /// Nil if the library refuses the key.
  init?(_ numbers: RSAPublicNumbers) {
    guard let key = try? _RSA.Signing.PublicKey(n: numbers.modulus, e: numbers.exponent) else { return nil }
    self.key = key
  }

  /// RSASSA-PKCS1-v1_5 or RSASSA-PSS (RFC 7518 §3.3, §3.5).
  func isValid(_ signature: [UInt8], of message: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) -> Bool {
    let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
    let padding: _RSA.Signing.Padding = algorithm.isPSS ? .PSS : .insecurePKCS1v1_5
    return switch algorithm.hash {
    case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: message), padding: padding)
    case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: message), padding: padding)
    case .sha512: key.isValidSignature(signature, for: SHA512.hash(data: message), padding: padding)
    }
  }
}
#endif

/// The modulus and exponent of an RSA public key, big-endian (RFC 7518 §6.3.1): valid, and of sufficient strength.
struct RSAPublicNumbers: Sendable, Hashable {
  /// Without leading zeros.
  let modulus: [UInt8]
  /// Without leading zeros.
  let exponent: [UInt8]

  /// Nil unless the modulus has 2,048 to 8,192 bits (RFC 7518 §3.3; a longer one takes too long to verify with), both are
  /// odd, with an exponent of 3 to 2^32, and the modulus cannot be factored for CVE-2017-15361.
  init?(modulus: [UInt8], exponent: [UInt8]) {
    self.modulus = Array(modulus.drop { $0 == 0 })
    self.exponent = Array(exponent.drop { $0 == 0 })
    guard let first = self.modulus.first, let last = self.modulus.last, let lastOfExponent = self.exponent.last else {
      return nil
    }
    let bits = self.modulus.count * 8 - first.leadingZeroBitCount
    guard (2_048...8_192).contains(bits), last & 1 == 1 else { return nil }
    guard self.exponent.count <= 4, lastOfExponent & 1 == 1, self.exponent != [1], !Self.isFactorable(self.modulus)
    else { return nil }
  }

  /// Whether the modulus was made by a chip with the fault CVE-2017-15361 (ROCA): both of its primes, and so their product,
  /// are powers of 65,537 modulo each small prime. Of others, one in 200 million is.
  private static func isFactorable(_ modulus: [UInt8]) -> Bool {
    [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157].allSatisfy { prime in
      let remainder = modulus.reduce(0) { ($0 << 8 | Int($1)) % prime }
      return Swift.sequence(first: 65_537 % prime) { $0 == 1 ? nil : $0 * 65_537 % prime }.contains(remainder)
    }
  }

  /// `RSAPublicKey` of PKCS #1 in DER (RFC 8017 A.1.1).
  var der: [UInt8] { Self.sequence([modulus, exponent]) }

  /// Numbers in DER, each without leading zeros (RFC 8017 A.1).
  static func sequence(_ numbers: [[UInt8]]) -> [UInt8] { element(0x30, numbers.flatMap(integer)) }

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

/// The points of Ed25519 whose order divides 8 (RFC 8032 §5.1): as a public key such a point has no private key, and
/// some verifiers take a signature under it for one of any message (RFC 8725 §3.4).
enum Ed25519SmallOrder {
  /// The y coordinates, little-endian and without the sign of x: 0, 1, the two of order 8, -1, and 0 and 1 as a number
  /// that was not reduced.
  private static let coordinates: [[UInt8]] = [
    [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
    [
      0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
      0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
    ],
    [
      0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
      0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
    ],
    unreduced(0xEC), unreduced(0xED), unreduced(0xEE),
  ]

  /// - Parameter key: 32 bytes, as RFC 8032 §5.1.2 encodes a point.
  static func contains(_ key: [UInt8]) -> Bool {
    guard let last = key.last else { return false }
    return coordinates.contains(key.dropLast() + [last & 0x7F])
  }

  private static func unreduced(_ first: UInt8) -> [UInt8] { [first] + [UInt8](repeating: 0xFF, count: 30) + [0x7F] }
}
