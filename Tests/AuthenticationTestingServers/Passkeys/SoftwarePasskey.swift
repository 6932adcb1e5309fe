#if OpenID
import AuthenticationDomain
import AuthenticationPasskeys
import Crypto
import Foundation

/// A key that one user has at one domain, and how it writes (WebAuthn Level 3 §6.1, §6.5).
struct SoftwarePasskey: Sendable {
  let relyingPartyID: String
  let userID: Data
  let id: Data
  /// 16 bytes; zeros say nothing of the authenticator.
  let model: Data
  var signatureCount: UInt32 = 0
  /// The shown names of the account.
  var userName = ""
  var displayName = ""
  private let key: P256.Signing.PrivateKey

  /// - Throws: ``AuthenticationError/invalidRequest`` if these 32 bytes are no private key of P-256.
  init(
    relyingPartyID: String, userID: Data, id: [UInt8], key: [UInt8], model: Data = Data(count: 16)
  ) throws(AuthenticationError) {
    self.relyingPartyID = relyingPartyID
    self.userID = userID
    self.id = Data(id)
    self.model = model
    do {
      self.key = try P256.Signing.PrivateKey(rawRepresentation: key)
    } catch {
      throw AuthenticationError(.invalidRequest, "The random bytes are no private key of P-256.")
    }
  }

  func authenticatorData(_ flags: UInt8, attested: Data = Data()) -> Data {
    var data = Data(SHA256.hash(data: Data(relyingPartyID.utf8)))
    data.append(flags)
    data.append(bigEndian(signatureCount))
    data.append(attested)
    return data
  }

  /// In CBOR (RFC 8949), with the format "none".
  func attestationObject(_ flags: UInt8) -> Data {
    var attested = model
    attested.append(bigEndian(UInt16(id.count)))
    attested.append(id)
    attested.append(publicKey)
    let data = authenticatorData(flags | 0x40, attested: attested)
    var object = Data([0xA3])
    for (head, text) in [(0x63, "fmt"), (0x64, "none"), (0x67, "attStmt")] as [(UInt8, String)] {
      object.append(head)
      object.append(Data(text.utf8))
    }
    object.append(contentsOf: [0xA0, 0x68])
    object.append(Data("authData".utf8))
    object.append(data.count < 256 ? Data([0x58, UInt8(data.count)]) : Data([0x59]) + bigEndian(UInt16(data.count)))
    object.append(data)
    return object
  }

  /// In DER.
  func signature(over data: Data, _ clientData: Data) throws(AuthenticationError) -> Data {
    do {
      return try key.signature(for: data + SHA256.hash(data: clientData)).derRepresentation
    } catch {
      throw AuthenticationError(.unexpectedResponse, "The software authenticator could not sign.")
    }
  }

  /// As a COSE key (RFC 9053 §7.1.1): EC2, ES256, P-256, x, y.
  private var publicKey: Data {
    let point = key.publicKey.rawRepresentation
    var map = Data([0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20])
    map.append(point.prefix(32))
    map.append(contentsOf: [0x22, 0x58, 0x20])
    map.append(point.suffix(32))
    return map
  }
}

private func bigEndian(_ number: some FixedWidthInteger) -> Data {
  Data(
    stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) })
}
#endif
