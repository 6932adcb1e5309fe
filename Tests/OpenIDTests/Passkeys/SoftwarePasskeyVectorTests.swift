import AuthenticationData
import AuthenticationPasskeys
import Crypto
import Foundation
import Testing

@testable import AuthenticationTestingServers

/// The vectors of WebAuthn Level 3 §16 that attest nothing and were made with ES256.
@Suite struct SoftwarePasskeyVectorTests {
  private struct File: Decodable {
    struct Vector: Decodable {
      let name: String
      let registration: [String: String]?
      let authentication: [String: String]?
    }

    let vectors: [Vector]
  }

  struct Vector: Sendable, CustomStringConvertible {
    let name: String
    let registration: [String: Data]
    let authentication: [String: Data]

    var description: String { name }
  }

  static let vectors = read()

  @Test(arguments: vectors) func `the key of a vector makes its attestation, byte for byte`(vector: Vector) throws {
    let object = try #require(vector.registration["attestationObject"])
    let start = try #require(object.firstRange(of: Data("authData".utf8))).upperBound
    let head = object[start] == 0x58 ? 2 : 3
    let flags = object[start + head + 32]
    #expect(try passkey(vector).attestationObject(flags) == object)
  }

  @Test(arguments: vectors) func `it makes the authenticator data of the assertion, and its signature is of that key`(
    vector: Vector
  ) throws {
    let data = try #require(vector.authentication["authenticatorData"])
    let passkey = try passkey(vector)
    #expect(passkey.authenticatorData(data[32]) == data)
    let clientData = try #require(vector.authentication["clientDataJSON"])
    let key = try P256.Signing.PrivateKey(
      rawRepresentation: try #require(vector.registration["credential_private_key"]))
    let signed = data + SHA256.hash(data: clientData)
    for signature in [try #require(vector.authentication["signature"]), try passkey.signature(over: data, clientData)] {
      let signature = try P256.Signing.ECDSASignature(derRepresentation: signature)
      #expect(key.publicKey.isValidSignature(signature, for: signed))
    }
  }

  @Test func `the client data is that of the vector without more members`() async throws {
    let vector = try #require(Self.vectors.first { $0.name == "none-es256-long-credential-id" })
    let (created, used) = (
      try #require(vector.registration["challenge"]), try #require(vector.authentication["challenge"])
    )
    let authenticator = SoftwareAuthenticator(origin: "https://example.org")
    let registered = try WrittenPasskey(try await authenticator.register(.creation(challenge: created)).json)
    let signed = try WrittenPasskey(try await authenticator.sign(.request(challenge: used), presentation: .modal).json)
    #expect(registered.response.clientDataJSON == vector.registration["clientDataJSON"])
    #expect(signed.response.clientDataJSON == vector.authentication["clientDataJSON"])
  }

  private func passkey(_ vector: Vector) throws -> SoftwarePasskey {
    try SoftwarePasskey(
      relyingPartyID: "example.org", userID: Data(), id: Array(try #require(vector.registration["credential_id"])),
      key: Array(try #require(vector.registration["credential_private_key"])),
      model: try #require(vector.registration["aaguid"]))
  }

  private static func read() -> [Vector] {
    do {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../DataTests/Fixtures/webauthn-l3.json").standardized
      let vectors = try JSONDecoder().decode(File.self, from: try Data(contentsOf: file)).vectors
      return vectors.filter { $0.name.hasPrefix("none-es256") }.map { vector in
        Vector(
          name: vector.name, registration: (vector.registration ?? [:]).mapValues(bytes),
          authentication: (vector.authentication ?? [:]).mapValues(bytes))
      }
    } catch {
      preconditionFailure("The vectors cannot be read: \(error)")
    }
  }

  private static func bytes(_ hexadecimal: String) -> Data {
    let values = hexadecimal.compactMap { $0.hexDigitValue.map(UInt8.init) }
    return Data(stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] })
  }
}
