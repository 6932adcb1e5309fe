import AuthenticationData
import Foundation

/// The signed data of an authenticator about itself and the user (WebAuthn Level 3 §6.1).
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

  /// Throws unless the bytes are one authenticator's data and nothing else, or claim a backup of a passkey that cannot
  /// have one.
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

/// The attestation of a new credential (WebAuthn Level 3 §6.5.4). The attestation statement is left to
/// the server.
struct AttestationObject: Sendable {
  let format: String
  /// As signed.
  let rawAuthenticatorData: [UInt8]
  let authenticatorData: AuthenticatorData
  let credential: AuthenticatorData.AttestedCredential

  init(_ bytes: [UInt8]) throws(MalformedCBOR) {
    guard bytes.count <= maximumPasskeySize else { throw MalformedCBOR() }
    var reader = CBORReader(bytes)
    let object = try reader.readValue()
    guard reader.isAtEnd, let format = object["fmt"]?.text, let data = object["authData"]?.bytes,
      object["attStmt"]?.isMap == true
    else { throw MalformedCBOR() }
    self.format = format
    rawAuthenticatorData = data
    authenticatorData = try AuthenticatorData(data)
    guard let credential = authenticatorData.credential else { throw MalformedCBOR() }
    self.credential = credential
  }
}

/// The client's data that the authenticator signs (WebAuthn Level 3 §5.8.1). Members that are unknown are ignored; the
/// bytes that were read are those that are sent and hashed.
struct CollectedClientData: Sendable {
  enum Ceremony: String, Sendable {
    case registration = "webauthn.create"
    case assertion = "webauthn.get"
  }

  private struct Wire: Decodable {
    let type: String
    let challenge: String
    let origin: String
    let crossOrigin: Bool?
    let topOrigin: String?
  }

  /// Nil if it is another type than the two of WebAuthn.
  let ceremony: Ceremony?
  /// In base64url without padding, as every client writes it.
  let challenge: String
  /// Where the page or the app is that asked.
  let origin: String
  /// Whether it asked from within a page of another origin.
  let isCrossOrigin: Bool

  /// Nil unless this is JSON with a type, a challenge and an origin.
  init?(_ json: Data) {
    guard json.count <= maximumPasskeySize, let wire = try? BoundedJSON.decode(Wire.self, from: json) else {
      return nil
    }
    ceremony = Ceremony(rawValue: wire.type)
    challenge = wire.challenge
    origin = wire.origin
    isCrossOrigin = wire.crossOrigin == true || wire.topOrigin != nil
  }
}
