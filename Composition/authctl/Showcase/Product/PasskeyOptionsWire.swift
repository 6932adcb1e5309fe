import AuthenticationData
import AuthenticationPasskeys
import Foundation

/// Options as a page gives them to `PublicKeyCredential.parse…OptionsFromJSON` (WebAuthn Level 3 §5.1.8, §5.1.9).
struct PasskeyOptionsWire: Encodable {
  struct Party: Encodable {
    let id: String?
    let name: String
  }

  struct Person: Encodable {
    let id: String
    let name: String
    let displayName: String
  }

  struct Algorithm: Encodable {
    let type = "public-key"
    let alg: Int
  }

  struct Descriptor: Encodable {
    let type = "public-key"
    let id: String
    let transports: [String]
  }

  struct Selection: Encodable {
    let residentKey: String
    let userVerification: String
    let authenticatorAttachment: String?
  }

  let challenge: String
  var rp: Party?
  var user: Person?
  var pubKeyCredParams: [Algorithm]?
  var excludeCredentials: [Descriptor]?
  var authenticatorSelection: Selection?
  var rpId: String?
  var allowCredentials: [Descriptor]?
  var userVerification: String?

  init(_ options: PasskeyCreationOptions) {
    challenge = options.challenge.base64URL
    rp = Party(id: options.relyingPartyID, name: "Showcase")
    user = Person(
      id: options.userID.base64URL, name: options.userName, displayName: options.userDisplayName)
    pubKeyCredParams = options.algorithms.map(Algorithm.init)
    excludeCredentials = options.excludedCredentials.map(Self.descriptor)
    authenticatorSelection = Selection(
      residentKey: options.residentKey.rawValue, userVerification: options.userVerification.rawValue,
      authenticatorAttachment: options.attachment)
  }

  init(_ options: PasskeyRequestOptions) {
    challenge = options.challenge.base64URL
    rpId = options.relyingPartyID
    allowCredentials = options.allowedCredentials.map(Self.descriptor)
    userVerification = options.userVerification.rawValue
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and numbers alone: there is nothing that the encoder could refuse.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  private static func descriptor(_ passkey: PasskeyDescriptor) -> Descriptor {
    Descriptor(id: passkey.id.base64URL, transports: passkey.transports)
  }
}
