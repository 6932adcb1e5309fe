/// What an authenticator signed about itself and the person (WebAuthn Level 3 §6.1).
struct AuthenticatorData: Sendable {
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8

    static let userPresent = Self(rawValue: 0x01)
    static let userVerified = Self(rawValue: 0x04)
    static let backupEligible = Self(rawValue: 0x08)
    static let backedUp = Self(rawValue: 0x10)
    static let attestedCredential = Self(rawValue: 0x40)
    static let extensions = Self(rawValue: 0x80)
  }

  /// A new credential (WebAuthn Level 3 §6.5.2).
  struct AttestedCredential: Sendable {
    /// 16 bytes that name the model of the authenticator; zeros say nothing.
    let model: [UInt8]
    let id: [UInt8]
    let publicKey: COSEKey
  }

  static let longestID = 1023

  /// The SHA-256 of the relying party's id.
  let relyingPartyIDHash: [UInt8]
  let flags: Flags
  let signatureCount: UInt32
  let credential: AttestedCredential?

  /// Throws unless the bytes are one authenticator's data and nothing else, or say "backed up" of what cannot be.
  init(_ bytes: [UInt8]) throws(MalformedCBOR) {
    guard bytes.count >= 37, bytes.count <= maximumPasskeySize else { throw MalformedCBOR() }
    relyingPartyIDHash = Array(bytes[..<32])
    flags = Flags(rawValue: bytes[32])
    signatureCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else { throw MalformedCBOR() }

    var end = 37
    credential = flags.contains(.attestedCredential) ? try AttestedCredential(bytes, &end) : nil
    if flags.contains(.extensions) {
      var reader = CBORReader(bytes, at: end)
      guard try reader.readValue().isMap else { throw MalformedCBOR() }
      end = reader.position
    }
    guard end == bytes.count else { throw MalformedCBOR() }
  }
}

extension AuthenticatorData.AttestedCredential {
  fileprivate init(_ bytes: [UInt8], _ position: inout Int) throws(MalformedCBOR) {
    guard bytes.count >= position + 18 else { throw MalformedCBOR() }
    model = Array(bytes[position..<position + 16])
    let length = Int(bytes[position + 16]) << 8 | Int(bytes[position + 17])
    let start = position + 18
    guard length > 0, length <= AuthenticatorData.longestID, bytes.count >= start + length else {
      throw MalformedCBOR()
    }
    id = Array(bytes[start..<start + length])
    var reader = CBORReader(bytes, at: start + length)
    publicKey = try COSEKey(try reader.readValue())
    position = reader.position
  }
}
