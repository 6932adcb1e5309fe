#if Tools
import AuthenticationPasskeys
import Foundation

extension RelyingParty {
  /// Takes a new passkey (WebAuthn Level 3 §7.1). It is not attested, so that the members next to the attestation
  /// count.
  package mutating func verifyRegistration(
    _ response: Response, of username: String, to request: String
  ) throws(IdentityRefusal) {
    guard let asked = takeAsked(request), asked.type == Self.registration, asked.username == username else {
      throw .unknownChallenge
    }
    let data = try authenticatorData(of: response, to: asked)
    guard let new = AttestedKey(data), response.id == URLSafe.encode(new.id), passkeys[response.id] == nil else {
      throw .invalidCredentials
    }
    passkeys[response.id] = Passkey(
      username: username, userHandle: asked.userHandle, key: new.key, signatureCount: Self.signatureCount(data))
  }

  /// Whose passkey signed (WebAuthn Level 3 §7.2).
  package mutating func verifyAssertion(_ response: Response, to request: String) throws(IdentityRefusal) -> String {
    guard let asked = takeAsked(request), asked.type == Self.assertion else { throw .unknownChallenge }
    let data = try authenticatorData(of: response, to: asked)
    let count = Self.signatureCount(data)
    guard let passkey = passkeys[response.id] else { throw .unknownPasskey }
    guard response.response.userHandle == passkey.userHandle,
      let client = URLSafe.decode(response.response.clientDataJSON),
      let signature = response.response.signature.flatMap({ URLSafe.decode($0) }),
      ES256.isValid(signature, over: Data(data) + ES256.sha256(client), by: passkey.key),
      count > passkey.signatureCount || (count == 0 && passkey.signatureCount == 0)
    else { throw .invalidCredentials }
    passkeys[response.id]?.signatureCount = count
    return passkey.username
  }

  /// The checks of both ceremonies: type, challenge, origin, domain, and, unless the server asked for less, that the
  /// user was there and verified.
  private func authenticatorData(of response: Response, to asked: Asked) throws(IdentityRefusal) -> [UInt8] {
    let flags: UInt8 = asked.isConditional ? 0 : 0x05
    guard let json = URLSafe.decode(response.response.clientDataJSON),
      let client = try? JSONDecoder().decode(ClientData.self, from: json),
      client.type == asked.type, client.challenge == asked.challenge, client.origin == origin,
      let data = URLSafe.decode(response.response.authenticatorData).map({ [UInt8]($0) }), data.count >= 37,
      Data(data[..<32]) == ES256.sha256(Data(Self.id.utf8)), data[32] & flags == flags
    else { throw .invalidCredentials }
    return data
  }

  private static func signatureCount(_ data: [UInt8]) -> UInt32 { data[33..<37].reduce(0) { $0 << 8 | UInt32($1) } }
}

private struct ClientData: Decodable {
  let type: String
  let challenge: String
  let origin: String
}

/// The new credential in an authenticator's data (WebAuthn Level 3 §6.5.1), whose key is in the one form that CBOR has
/// for ES256 (RFC 9053 §7.1.1).
private struct AttestedKey {
  let id: Data
  let key: Data

  init?(_ data: [UInt8]) {
    let (head, middle): ([UInt8], [UInt8]) = (
      [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20], [0x22, 0x58, 0x20]
    )
    guard data.count > 55, data[32] & 0x40 != 0 else { return nil }
    let length = Int(data[53]) << 8 | Int(data[54])
    let start = 55 + length
    guard length > 0, data.count == start + head.count + 32 + middle.count + 32 else { return nil }
    let key = Array(data[start...])
    guard Array(key[..<10]) == head, Array(key[42..<45]) == middle else { return nil }
    id = Data(data[55..<start])
    self.key = Data(key[10..<42] + key[45...])
  }
}
#endif
