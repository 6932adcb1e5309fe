import AuthenticationDomain
import Foundation

@testable import AuthenticationData
@testable import AuthenticationPasskeys

/// Passkey options of a server, client data, and attestations: one corpus, since JSON is no CBOR of theirs.
enum PasskeyTarget {
  static func check(_ input: [UInt8]) throws {
    let json = Data(input)
    try checkCreation(Result { () throws(AuthenticationError) in try PasskeyCreationOptions(json: json) })
    try checkRequest(Result { () throws(AuthenticationError) in try PasskeyRequestOptions(json: json) })
    _ = CollectedClientData(json)
    if let attestation = try? AttestationObject(input) { try checkRegistration(attestation, json) }
  }

  private static func checkCreation(_ result: Result<PasskeyCreationOptions, AuthenticationError>) throws {
    guard let options = try read(result) else { return }
    try Finding.unless((1...64).contains(options.userID.count), "a user id has 1 to 64 bytes")
    try checkTimeout(options.timeout)
  }

  private static func checkRequest(_ result: Result<PasskeyRequestOptions, AuthenticationError>) throws {
    guard let options = try read(result) else { return }
    try checkTimeout(options.timeout)
    let descriptors = options.allowedCredentials.map { #"{"type":"public-key","id":"\#($0.id.base64URL)"}"# }
    let written = Data(
      #"{"challenge":"\#(options.challenge.base64URL)","allowCredentials":[\#(descriptors.joined(separator: ","))]}"#
        .utf8)
    guard written.count <= maximumPasskeySize else { return }
    let again = try PasskeyRequestOptions(json: written)
    try Finding.unless(again.challenge == options.challenge, "a challenge is read as it was written")
    try Finding.unless(
      again.allowedCredentials.map(\.id) == options.allowedCredentials.map(\.id), "an id is read as it was written")
  }

  private static func checkTimeout(_ timeout: Duration?) throws {
    guard let timeout else { return }
    try Finding.unless(
      timeout >= .zero && timeout <= .milliseconds(Int(UInt32.max)), "a timeout is an unsigned 32-bit number")
  }

  private static func checkRegistration(_ attestation: AttestationObject, _ input: Data) throws {
    let clientData = Data(#"{"type":"webauthn.create","challenge":"AQEB","origin":"https://example.org"}"#.utf8)
    let id = Data(attestation.credential.id)
    let registration = try PasskeyRegistration(
      credentialID: id, clientDataJSON: clientData, attestationObject: input)
    let flags = attestation.authenticatorData.flags
    try Finding.unless((1...1023).contains(id.count), "an id has 1 to 1,023 bytes")
    try Finding.unless(!flags.contains(.backedUp) || flags.contains(.backupEligible), "what is backed up can be")
    try Finding.unless(
      input.firstRange(of: Data(attestation.rawAuthenticatorData)) != nil, "the signed data is a part of what came")
    let key = attestation.credential.publicKey.subjectPublicKeyInfo
    try Finding.unless(key?.first ?? 0x30 == 0x30, "a public key is a sequence")
    try Finding.unless(!registration.json.isEmpty, "what is well-formed can be written")
  }

  private static func read<Options>(_ result: Result<Options, AuthenticationError>) throws -> Options? {
    if case .failure(let error) = result {
      try error.checkSilence()
      try Finding.unless(error == .unexpectedResponse, "options that are none are refused with one code")
    }
    return try? result.get()
  }
}
