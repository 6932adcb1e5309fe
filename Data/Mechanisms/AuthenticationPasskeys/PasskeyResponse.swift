import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// A passkey's signature, well-formed but not yet verified: the server verifies it (WebAuthn Level 3 §7.2).
public struct PasskeyAssertion: PasskeyResponse {
  let credentialID: Data
  let clientData: CollectedClientData
  let authenticatorData: AuthenticatorData
  package let wire: PasskeyResponseWire

  /// Creates the response from an authenticator's result, byte for byte: the server refuses anything else.
  ///
  /// - Parameters:
  ///   - credentialID: which passkey signed.
  ///   - clientDataJSON: the challenge and the origin that were signed (WebAuthn §5.8.1).
  ///   - authenticatorData: the authenticator's data about itself and the user (WebAuthn §6.1).
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
    self.clientData = clientData
    self.authenticatorData = data
    wire = PasskeyResponseWire(
      credentialID, attachment,
      response: .init(
        clientDataJSON: clientDataJSON.base64URL, authenticatorData: authenticatorData.base64URL,
        signature: signature.base64URL, userHandle: userHandle.flatMap { $0.isEmpty ? nil : $0.base64URL }))
  }

  /// The response to send: `AuthenticationResponseJSON` (WebAuthn Level 3 §5.1.6), UTF-8.
  public var json: Data { wire.json }
}

/// A new passkey as an authenticator returns it, well-formed but not yet verified: the server verifies it (WebAuthn
/// Level 3 §7.1).
public struct PasskeyRegistration: PasskeyResponse {
  let credentialID: Data
  let clientDataJSON: Data
  let clientData: CollectedClientData
  let attestationObject: Data
  let attestation: AttestationObject
  package let wire: PasskeyResponseWire

  /// Creates the response from an authenticator's result, byte for byte: the server refuses anything else.
  ///
  /// - Parameters:
  ///   - credentialID: the new credential's id.
  ///   - clientDataJSON: the challenge and the origin that were signed (WebAuthn §5.8.1).
  ///   - attestationObject: the key, and the authenticator's data about itself (WebAuthn §6.5.4).
  ///   - attachment: `platform` or `cross-platform`; nil if it is not known.
  ///   - transports: how the authenticator can be reached, such as `internal`.
  ///   - isDiscoverable: whether the passkey can be found without its id (`credProps`, WebAuthn Level 3 §10.1.3); nil
  ///     if the server did not ask, or the authenticator did not say.
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
    let key = attestation.credential.publicKey
    wire = PasskeyResponseWire(
      credentialID, attachment, properties: isDiscoverable.map { ["rk": $0] },
      response: .init(
        clientDataJSON: clientDataJSON.base64URL, attestationObject: attestationObject.base64URL,
        authenticatorData: Data(attestation.rawAuthenticatorData).base64URL, transports: transports,
        publicKeyAlgorithm: key.algorithm, publicKey: key.subjectPublicKeyInfo.map { Data($0).base64URL }))
  }

  /// The response to send: `RegistrationResponseJSON` (WebAuthn Level 3 §5.1.6), UTF-8.
  public var json: Data { wire.json }
}

/// An authenticator's result, in the form in which it is sent.
package protocol PasskeyResponse: Sendable, Encodable, Redacted {
  var wire: PasskeyResponseWire { get }
}

extension PasskeyResponse {
  public func encode(to encoder: any Encoder) throws { try wire.encode(to: encoder) }
}

/// `RegistrationResponseJSON` and `AuthenticationResponseJSON` (WebAuthn Level 3 §5.1.6).
package struct PasskeyResponseWire: Encodable, Sendable {
  struct Results: Encodable {
    let credProps: [String: Bool]?
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

  init(_ credentialID: Data, _ attachment: String?, properties: [String: Bool]? = nil, response: Response) {
    id = credentialID.base64URL
    rawId = id
    authenticatorAttachment = attachment
    clientExtensionResults = Results(credProps: properties)
    self.response = response
  }

  var json: Data {
    // Strings, numbers and Booleans alone: there is nothing that the encoder could refuse.
    (try? JSONEncoder.stable.encode(self)) ?? Data()
  }
}
