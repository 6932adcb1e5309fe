#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A public key of an issuer that may verify signatures (RFC 7517 §4).
struct JSONWebKey: Sendable {
  /// `kid`.
  let id: String?
  /// `alg`: the only algorithm for which the key is valid; nil if it names none.
  let algorithm: SignatureAlgorithm?
  let key: VerificationKey
  /// For an RSA key that names no algorithm; nil if ``algorithm`` or the curve determines it.
  private let use: AlgorithmOfUse?

  /// Nil for a key that cannot be used here: of another type or use, not well-formed, weak, or with a point off its
  /// curve.
  ///
  /// Members of a private key are ignored, and so is every certificate (`x5c`, `x5u`): trust comes from the set itself.
  init?(json: [UInt8]) {
    guard let object = try? JSONObject(json) else { return nil }
    do throws(JSONObject.WrongKind) {
      if let use = try object.string("use"), use != "sig" { return nil }
      if let operations = try object.strings("key_ops"), !operations.contains("verify") { return nil }
      id = try object.string("kid")
      if let name = try object.string("alg") {
        guard let known = SignatureAlgorithm.named(name) else { return nil }
        algorithm = known
      } else {
        algorithm = nil
      }
      guard let key = try VerificationKey(object) else { return nil }
      self.key = key
    } catch {
      return nil
    }
    if let algorithm, !key.isFor(algorithm) { return nil }
    use = algorithm == nil && key.isRSA ? AlgorithmOfUse() : nil
  }

  /// Whether the key may be used with this algorithm: its type fits, and it neither names nor has verified with another
  /// one (RFC 8725 §3.1).
  func isFor(_ algorithm: SignatureAlgorithm) -> Bool {
    guard key.isFor(algorithm) else { return false }
    if let own = self.algorithm { return own == algorithm }
    return use?.allows(algorithm) ?? true
  }

  /// Whether this is the key's signature of the message; this algorithm then becomes that of a key that names none.
  func isValid(_ signature: [UInt8], of message: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) -> Bool {
    key.isValid(signature, of: message, by: algorithm) && (use?.settle(on: algorithm) ?? true)
  }
}

extension VerificationKey {
  /// Created from `kty` and the members that it requires (RFC 7518 §6, RFC 8037 §2).
  fileprivate init?(_ object: JSONObject) throws(JSONObject.WrongKind) {
    switch try (object.string("kty"), object.string("crv")) {
    case ("RSA", _):
      guard let modulus = try object.base64URL("n"), let exponent = try object.base64URL("e"),
        let numbers = RSAPublicNumbers(modulus: modulus, exponent: exponent), let key = RSAPublicKey(numbers)
      else { return nil }
      self = .rsa(key)
    case ("EC", "P-256"):
      guard let point = try object.point(of: 32), let key = try? P256.Signing.PublicKey(rawRepresentation: point) else {
        return nil
      }
      self = .p256(key)
    case ("EC", "P-384"):
      guard let point = try object.point(of: 48), let key = try? P384.Signing.PublicKey(rawRepresentation: point) else {
        return nil
      }
      self = .p384(key)
    case ("EC", "P-521"):
      guard let point = try object.point(of: 66), let key = try? P521.Signing.PublicKey(rawRepresentation: point) else {
        return nil
      }
      self = .p521(key)
    case ("OKP", "Ed25519"):
      guard let bytes = try object.base64URL("x"), bytes.count == 32,
        !Ed25519SmallOrder.contains(bytes), let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
      else { return nil }
      self = .ed25519(key)
    default: return nil
    }
  }
}

extension JSONObject {
  fileprivate func base64URL(_ name: String) throws(WrongKind) -> [UInt8]? {
    try string(name).flatMap { Base64URL.decode(Array($0.utf8)[...]) }
  }

  /// Both coordinates, each of exactly the field's length (RFC 7518 §6.2.1.2).
  fileprivate func point(of length: Int) throws(WrongKind) -> [UInt8]? {
    guard let x = try base64URL("x"), let y = try base64URL("y"), x.count == length, y.count == length else {
      return nil
    }
    return x + y
  }
}
