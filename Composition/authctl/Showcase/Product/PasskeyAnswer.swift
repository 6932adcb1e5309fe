import AuthenticationKit
import AuthenticationPasskeys
import Foundation

/// What `PublicKeyCredential.toJSON()` of a browser returns (WebAuthn Level 3 §5.1.6).
struct PasskeyAnswer: Decodable {
  struct Response: Decodable {
    let clientDataJSON: String
    let attestationObject: String?
    let authenticatorData: String?
    let signature: String?
    let userHandle: String?
    let transports: [String]?
  }

  let id: String
  let authenticatorAttachment: String?
  let response: Response

  init(json: Data) throws(AuthenticationError) {
    do { self = try BoundedJSON.decode(Self.self, from: json) } catch { throw .malformedAnswer }
  }

  func registration() throws(AuthenticationError) -> PasskeyRegistration {
    try PasskeyRegistration(
      credentialID: Self.bytes(id), clientDataJSON: Self.bytes(response.clientDataJSON),
      attestationObject: Self.bytes(response.attestationObject), attachment: authenticatorAttachment,
      transports: response.transports ?? [])
  }

  func assertion() throws(AuthenticationError) -> PasskeyAssertion {
    try PasskeyAssertion(
      credentialID: Self.bytes(id), clientDataJSON: Self.bytes(response.clientDataJSON),
      authenticatorData: Self.bytes(response.authenticatorData), signature: Self.bytes(response.signature),
      userHandle: response.userHandle.map { text throws(AuthenticationError) in try Self.bytes(text) },
      attachment: authenticatorAttachment)
  }

  /// Base64url without padding (RFC 4648 §5).
  private static func bytes(_ text: String?) throws(AuthenticationError) -> Data {
    let plain = (text ?? "").replacing("-", with: "+").replacing("_", with: "/")
    let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    guard text != nil, let data = Data(base64Encoded: padded) else { throw .malformedAnswer }
    return data
  }
}

extension AuthenticationError {
  fileprivate static let malformedAnswer = Self(
    .unexpectedAnswer, "The browser's answer is no WebAuthn response.", suggestion: "Try another passkey.")
}
