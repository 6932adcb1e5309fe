/// What an authenticator returns for a new credential (WebAuthn Level 3 §6.5.4). The attestation statement is left to the
/// server.
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
