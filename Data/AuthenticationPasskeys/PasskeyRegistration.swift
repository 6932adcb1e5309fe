public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A new passkey as an authenticator returns it, well-formed but not yet believed: the server verifies it (WebAuthn
/// Level 3 §7.1).
public struct PasskeyRegistration: Sendable {
  /// The new credential's id.
  public let credentialID: Data
  /// `platform` or `cross-platform`; nil if that is not known.
  public let attachment: String?
  /// How the authenticator can be reached, such as `internal`.
  public let transports: [String]
  /// Whether the passkey can be found without its id (`credProps`, WebAuthn Level 3 §10.1.3); nil if the server did not
  /// ask, or the authenticator did not say.
  public let isDiscoverable: Bool?

  let clientDataJSON: Data
  let clientData: CollectedClientData
  let attestationObject: Data
  let attestation: AttestationObject

  /// What an authenticator returned, as it returned it: a byte more or less, and the server refuses it.
  ///
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` if it is not well-formed; nothing of it is quoted.
  public init(
    credentialID: Data, clientDataJSON: Data, attestationObject: Data, attachment: String? = nil,
    transports: [String] = [], isDiscoverable: Bool? = nil
  ) throws(AuthenticationError) {
    guard let clientData = CollectedClientData(clientDataJSON),
      let attestation = try? AttestationObject(Array(attestationObject)),
      attestation.credential.id.elementsEqual(credentialID)
    else { throw .malformedPasskeyResponse }
    self.credentialID = credentialID
    self.clientDataJSON = clientDataJSON
    self.clientData = clientData
    self.attestationObject = attestationObject
    self.attestation = attestation
    self.attachment = attachment
    self.transports = transports
    self.isDiscoverable = isDiscoverable
  }

  /// The response to send: `RegistrationResponseJSON` (WebAuthn Level 3 §5.1.6), UTF-8.
  public var json: Data { PasskeyResponseWire(self).json }
}

extension PasskeyRegistration: Encodable {
  public func encode(to encoder: any Encoder) throws { try PasskeyResponseWire(self).encode(to: encoder) }
}

extension PasskeyRegistration: CustomStringConvertible, CustomReflectable {
  public var description: String { "<PasskeyRegistration>" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
