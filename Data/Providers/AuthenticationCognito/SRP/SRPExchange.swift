import Foundation
#if canImport(CryptoKit)
package import CryptoKit
#else
package import Crypto
#endif

/// The client's half of one exchange of SRP-6a as Cognito does it: the password never leaves the device.
package struct SRPExchange: Sendable {
  /// The identity that proves a password, by the server's names: the name of a pool and the id of a user, or the group
  /// and the key of a device.
  package struct Identity: Sendable {
    let realm: String
    let name: String

    package init(realm: String, name: String) {
      self.realm = realm
      self.name = name
    }

    /// x: the number made of salt and password.
    ///
    /// - Parameter salt: as a number.
    func key(_ password: String, salt: [UInt8]) -> Limbs {
      let inner = SHA256.hash(data: Array("\(realm)\(name):\(password)".utf8))
      return Limbs(bytes: Array(SHA256.hash(data: SRPNumber.padded(salt) + inner)))
    }
  }

  private let secret: Limbs
  private let publicBytes: [UInt8]

  /// SRP_A: the beginning of the exchange.
  var publicValue: String { SRPNumber.hexadecimal(publicBytes) }

  /// - Parameter random: 32 unpredictable bytes or more.
  package init(random: [UInt8]) {
    secret = Limbs(bytes: random)
    publicBytes = SRPGroup.cognito.generated(secret).bytes
  }

  /// The key that both sides have if the password is right: HKDF-SHA-256 (RFC 5869) of the premaster secret.
  ///
  /// - Returns: nil if the server's value or the scrambler makes the exchange worthless (RFC 5054 §2.5.4).
  package func sessionKey(
    of identity: Identity, password: String, salt: [UInt8], server bytes: [UInt8]
  ) -> SymmetricKey? {
    let scrambler = SHA256.hash(data: SRPNumber.padded(publicBytes) + SRPNumber.padded(bytes))
    return sessionKey(of: identity, password: password, salt: salt, server: bytes, scrambler: Array(scrambler))
  }

  /// - Parameter scrambler: u, in big-endian bytes.
  func sessionKey(
    of identity: Identity, password: String, salt: [UInt8], server bytes: [UInt8], scrambler: [UInt8]
  ) -> SymmetricKey? {
    let group = SRPGroup.cognito
    guard let server = group.element(bytes), scrambler.contains(where: { $0 != 0 }) else { return nil }
    var key = identity.key(password, salt: salt)
    var premaster = group.premasterSecret(
      server: server, scrambler: Limbs(bytes: scrambler), password: key, secret: secret)
    defer {
      key.erase()
      premaster.erase()
    }
    return HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: SRPNumber.padded(premaster.bytes)),
      salt: SRPNumber.padded(scrambler), info: Array("Caldera Derived Key".utf8), outputByteCount: 16)
  }

  /// PASSWORD_CLAIM_SIGNATURE: proves the key to the server.
  static func signature(
    of identity: Identity, secretBlock: [UInt8], timestamp: String, key: SymmetricKey
  ) -> String {
    let message = Array("\(identity.realm)\(identity.name)".utf8) + secretBlock + Array(timestamp.utf8)
    return Data(HMAC<SHA256>.authenticationCode(for: message, using: key)).base64EncodedString()
  }

  /// The verifier that a server keeps in place of a password: gˣ.
  package static func verifier(of identity: Identity, password: String, salt: [UInt8]) -> [UInt8] {
    SRPGroup.cognito.generated(identity.key(password, salt: salt)).bytes
  }
}

/// The numbers that both sides of SRP-6a agree on (RFC 5054 §2.5).
package struct SRPGroup: Sendable {
  package let modulus: MontgomeryModulus
  let generator: Limbs
  /// The multiplier k.
  let multiplier: Limbs

  /// Numbers in big-endian bytes; the width is that of the modulus.
  init(modulus: [UInt8], generator: [UInt8], multiplier: [UInt8]) {
    let limbs = Limbs(bytes: modulus)
    self.modulus = MontgomeryModulus(limbs)
    self.generator = Limbs(bytes: generator, count: limbs.count)
    self.multiplier = Limbs(bytes: multiplier, count: limbs.count)
  }

  /// gᵉ mod N.
  func generated(_ exponent: Limbs) -> Limbs { modulus.power(generator, exponent) }

  /// The number, if it is one of 1..<N; a server's B must be (RFC 5054 §2.5.4).
  func element(_ bytes: [UInt8]) -> Limbs? {
    let significant = bytes.drop { $0 == 0 }
    guard !significant.isEmpty, significant.count <= modulus.limbs.count * 8 else { return nil }
    let element = Limbs(bytes: significant, count: modulus.limbs.count)
    return element.subtracting(modulus.limbs).borrow == 1 ? element : nil
  }

  /// (B − k · gˣ)^(a + u · x) mod N: the premaster secret of a client (RFC 5054 §2.6).
  func premasterSecret(server: Limbs, scrambler: Limbs, password: Limbs, secret: Limbs) -> Limbs {
    var verifier = generated(password)
    var exponent = scrambler.multiplied(by: password, adding: secret)
    defer {
      verifier.erase()
      exponent.erase()
    }
    return modulus.power(modulus.difference(server, modulus.product(multiplier, verifier)), exponent)
  }

  /// The 3072-bit prime of RFC 5054 Appendix A, with the generator 2 in place of its 5, and k = SHA-256(N ‖ g).
  package static let cognito: SRPGroup = {
    let prime = SRPNumber.bytes(hexadecimal: primeDigits) ?? []
    let multiplier = SHA256.hash(data: SRPNumber.padded(prime) + SRPNumber.padded([2]))
    return SRPGroup(modulus: prime, generator: [2], multiplier: Array(multiplier))
  }()

  private static let primeDigits = """
    FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74\
    020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437\
    4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
    EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05\
    98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB\
    9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B\
    E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718\
    3995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33\
    A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7\
    ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864\
    D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E2\
    08E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF
    """
}

/// How Cognito writes the numbers of SRP: unlike RFC 5054 §2.4, not padded to the width of N.
enum SRPNumber {
  /// Big-endian and as short as possible, with a zero byte in front if the highest bit is set (two's complement).
  ///
  /// The length tells how many leading zeros a number has, of the premaster secret, too: the protocol hashes it so.
  static func padded(_ bytes: [UInt8]) -> [UInt8] {
    let significant = Array(bytes.drop { $0 == 0 })
    return (significant.first ?? 0x80) & 0x80 == 0 ? significant : [0] + significant
  }

  /// Reads hexadecimal digits, of which zeros in front may have been dropped.
  ///
  /// - Returns: nil for anything else, and for more than 1024 digits.
  static func bytes(hexadecimal text: String) -> [UInt8]? {
    guard (1...1024).contains(text.utf8.count) else { return nil }
    let digits = text.utf8.compactMap { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
      default: nil
      }
    }
    guard digits.count == text.utf8.count else { return nil }
    let even = digits.count.isMultiple(of: 2) ? digits : [0] + digits
    return stride(from: 0, to: even.count, by: 2).map { even[$0] << 4 | even[$0 + 1] }
  }

  /// Lower-case digits without zeros in front.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }.drop { $0 == UInt8(ascii: "0") }
    return String(decoding: text, as: UTF8.self)
  }
}
