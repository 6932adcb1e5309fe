import AuthenticationDomain
import Foundation

@testable import AuthenticationData
@testable import AuthenticationPasskeys

/// Responses without a valid signature, right or wrong in one thing: a client cannot tell that of a signature.
struct MadeUpPasskey: Sendable {
  var id = Data("passkey".utf8)
  var relyingPartyID = "example.org"
  var flags: AuthenticatorData.Flags = [.userPresent, .userVerified]
  var type: String?
  var challenge: Data?
  var origin = "https://example.org"
  /// Further members of the client data.
  var members = ""

  func registration(for options: PasskeyCreationOptions) throws(AuthenticationError) -> PasskeyRegistration {
    let key: [UInt8] =
      [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32] + [UInt8](repeating: 1, count: 32) + [0x22, 0x58, 32]
      + [UInt8](repeating: 2, count: 32)
    let data =
      authenticatorData(flags.union(.attestedCredential)) + [UInt8](repeating: 0, count: 16)
      + [0, UInt8(id.count)] + id + key
    let object =
      [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8) + [0xA0, 0x68]
      + Array("authData".utf8) + [0x58, UInt8(data.count)] + data
    return try PasskeyRegistration(
      credentialID: id, clientDataJSON: clientData("webauthn.create", options.challenge),
      attestationObject: Data(object))
  }

  func assertion(for options: PasskeyRequestOptions) throws(AuthenticationError) -> PasskeyAssertion {
    try PasskeyAssertion(
      credentialID: id, clientDataJSON: clientData("webauthn.get", options.challenge),
      authenticatorData: Data(authenticatorData(flags)), signature: Data("signature".utf8))
  }

  private func authenticatorData(_ flags: AuthenticatorData.Flags) -> [UInt8] {
    PublicSHA256.hash(relyingPartyID.utf8) + [flags.rawValue, 0, 0, 0, 0]
  }

  private func clientData(_ type: String, _ challenge: Data) -> Data {
    Data(
      #"{"type":"\#(self.type ?? type)","challenge":"\#((self.challenge ?? challenge).base64URL)","origin":"\#(origin)"\#(members)}"#
        .utf8)
  }
}
