#if canImport(CryptoKit)
package import CryptoKit
#else
package import Crypto
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The client's half of one exchange of SRP-6a as Cognito does it: the password never leaves the device.
package struct SRPExchange: Sendable {
  /// Who proves a password, by the server's words: the name of a pool and the id of a user, or the group and the key of
  /// a device.
  package struct Identity: Sendable {
    let realm: String
    let name: String

    package init(realm: String, name: String) {
      self.realm = realm
      self.name = name
    }

    /// x: what salt and password become.
    ///
    /// - Parameter salt: as a number.
    func key(_ password: String, salt: [UInt8]) -> Limbs {
      let inner = SHA256.hash(data: Array("\(realm)\(name):\(password)".utf8))
      return Limbs(bytes: Array(SHA256.hash(data: SRPNumber.padded(salt) + inner)))
    }
  }

  private let secret: Limbs
  private let publicBytes: [UInt8]

  /// SRP_A: what the exchange begins with.
  package var publicValue: String { SRPNumber.hexadecimal(publicBytes) }

  /// - Parameter random: 32 bytes or more that nobody can predict.
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
  package func sessionKey(
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
  package static func signature(
    of identity: Identity, secretBlock: [UInt8], timestamp: String, key: SymmetricKey
  ) -> String {
    let message = Array("\(identity.realm)\(identity.name)".utf8) + secretBlock + Array(timestamp.utf8)
    return Data(HMAC<SHA256>.authenticationCode(for: message, using: key)).base64EncodedString()
  }

  /// What a server keeps in place of a password: gˣ.
  package static func verifier(of identity: Identity, password: String, salt: [UInt8]) -> [UInt8] {
    SRPGroup.cognito.generated(identity.key(password, salt: salt)).bytes
  }
}
