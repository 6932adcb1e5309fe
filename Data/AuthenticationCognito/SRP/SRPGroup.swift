#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The numbers that both sides of SRP-6a agree on (RFC 5054 §2.5).
package struct SRPGroup: Sendable {
  package let modulus: MontgomeryModulus
  package let generator: Limbs
  /// The multiplier k.
  package let multiplier: Limbs

  /// Numbers in big-endian bytes; the width is that of the modulus.
  package init(modulus: [UInt8], generator: [UInt8], multiplier: [UInt8]) {
    let limbs = Limbs(bytes: modulus)
    self.modulus = MontgomeryModulus(limbs)
    self.generator = Limbs(bytes: generator, count: limbs.count)
    self.multiplier = Limbs(bytes: multiplier, count: limbs.count)
  }

  /// gᵉ mod N.
  package func generated(_ exponent: Limbs) -> Limbs { modulus.power(generator, exponent) }

  /// The number, if it is one of 1..<N; a server's B must be (RFC 5054 §2.5.4).
  package func element(_ bytes: [UInt8]) -> Limbs? {
    let significant = bytes.drop { $0 == 0 }
    guard !significant.isEmpty, significant.count <= modulus.limbs.count * 8 else { return nil }
    let element = Limbs(bytes: significant, count: modulus.limbs.count)
    return element.subtracting(modulus.limbs).borrow == 1 ? element : nil
  }

  /// (B − k · gˣ)^(a + u · x) mod N: the premaster secret of a client (RFC 5054 §2.6).
  package func premasterSecret(server: Limbs, scrambler: Limbs, password: Limbs, secret: Limbs) -> Limbs {
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
