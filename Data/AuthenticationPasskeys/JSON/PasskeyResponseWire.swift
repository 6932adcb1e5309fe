import AuthenticationData
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
