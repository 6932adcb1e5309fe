import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// What a passkey signed, well-formed but not yet believed: the server verifies it (WebAuthn Level 3 §7.2).
public struct PasskeyAssertion: Sendable {
  /// The id of the credential that signed.
  public let credentialID: Data
  /// `platform` or `cross-platform`; nil if that is not known.
  public let attachment: String?

  let clientDataJSON: Data
  let clientData: CollectedClientData
  let rawAuthenticatorData: Data
  let authenticatorData: AuthenticatorData
  let signature: Data
  let userHandle: Data?

  /// What an authenticator returned, as it returned it: a byte more or less, and the server refuses it.
  ///
  /// - Parameters:
  ///   - credentialID: which passkey signed.
  ///   - clientDataJSON: what was signed for: the challenge and the origin (WebAuthn §5.8.1).
  ///   - authenticatorData: what the authenticator says of itself and of the user (WebAuthn §6.1).
  ///   - signature: over the authenticator data and the SHA-256 of the client data; in DER if it is ECDSA.
  ///   - userHandle: the server's opaque id of the user; nil if the authenticator does not keep it.
  ///   - attachment: `platform` or `cross-platform`; nil if it is not known.
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if it is not well-formed; nothing of it is quoted.
  public init(
    credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data, userHandle: Data? = nil,
    attachment: String? = nil
  ) throws(AuthenticationError) {
    guard let clientData = CollectedClientData(clientDataJSON), !credentialID.isEmpty, !signature.isEmpty,
      let data = try? AuthenticatorData(Array(authenticatorData))
    else { throw .malformedPasskeyResponse }
    self.credentialID = credentialID
    self.clientDataJSON = clientDataJSON
    self.clientData = clientData
    rawAuthenticatorData = authenticatorData
    self.authenticatorData = data
    self.signature = signature
    self.userHandle = userHandle.flatMap { $0.isEmpty ? nil : $0 }
    self.attachment = attachment
  }

  /// The response to send: `AuthenticationResponseJSON` (WebAuthn Level 3 §5.1.6), UTF-8.
  public var json: Data { PasskeyResponseWire(self).json }
}

extension PasskeyAssertion: Encodable {
  public func encode(to encoder: any Encoder) throws { try PasskeyResponseWire(self).encode(to: encoder) }
}

extension PasskeyAssertion: CustomStringConvertible, CustomReflectable {
  public var description: String { "<PasskeyAssertion>" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

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
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if it is not well-formed; nothing of it is quoted.
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

/// `RegistrationResponseJSON` and `AuthenticationResponseJSON` (WebAuthn Level 3 §5.1.6).
struct PasskeyResponseWire: Encodable {
  struct Results: Encodable {
    struct Properties: Encodable {
      let rk: Bool
    }

    let credProps: Properties?
  }

  struct Response: Encodable {
    let clientDataJSON: String
    var attestationObject: String?
    var authenticatorData: String?
    var transports: [String]?
    var publicKeyAlgorithm: Int?
    var publicKey: String?
    var signature: String?
    var userHandle: String?
  }

  let id: String
  let rawId: String
  let type = publicKeyCredentialType
  let authenticatorAttachment: String?
  let clientExtensionResults: Results
  let response: Response

  init(_ registration: PasskeyRegistration) {
    let attestation = registration.attestation
    let key = attestation.credential.publicKey
    self.init(
      registration.credentialID, registration.attachment,
      Results(credProps: registration.isDiscoverable.map(Results.Properties.init)),
      Response(
        clientDataJSON: registration.clientDataJSON.base64URL,
        attestationObject: registration.attestationObject.base64URL,
        authenticatorData: Data(attestation.rawAuthenticatorData).base64URL, transports: registration.transports,
        publicKeyAlgorithm: key.algorithm, publicKey: key.subjectPublicKeyInfo.map { Data($0).base64URL }))
  }

  init(_ assertion: PasskeyAssertion) {
    self.init(
      assertion.credentialID, assertion.attachment, Results(credProps: nil),
      Response(
        clientDataJSON: assertion.clientDataJSON.base64URL,
        authenticatorData: assertion.rawAuthenticatorData.base64URL, signature: assertion.signature.base64URL,
        userHandle: assertion.userHandle?.base64URL))
  }

  private init(_ credentialID: Data, _ attachment: String?, _ results: Results, _ response: Response) {
    id = credentialID.base64URL
    rawId = id
    authenticatorAttachment = attachment
    clientExtensionResults = results
    self.response = response
  }

  var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings, numbers and Booleans alone: there is nothing that the encoder could refuse.
    return (try? encoder.encode(self)) ?? Data()
  }
}
