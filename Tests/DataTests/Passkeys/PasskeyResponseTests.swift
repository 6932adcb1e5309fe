import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData
@testable import AuthenticationPasskeys

@Suite struct PasskeyResponseTests {
  @Test func `a registration is written with every member of the standard`() throws {
    let made = try MadeUpPasskey().registration(for: .sample())
    let registration = try PasskeyRegistration(
      credentialID: made.credentialID, clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject,
      attachment: "platform", transports: ["hybrid", "internal"], isDiscoverable: true)
    let key = Data(
      hexadecimal: "3059301306072a8648ce3d020106082a8648ce3d03010703420004"
        + String(repeating: "01", count: 32) + String(repeating: "02", count: 32))
    let data = Data(made.attestation.rawAuthenticatorData)
    #expect(
      String(decoding: registration.json, as: UTF8.self)
        == #"{"authenticatorAttachment":"platform","clientExtensionResults":{"credProps":{"rk":true}},"#
        + #""id":"cGFzc2tleQ","rawId":"cGFzc2tleQ","response":{"attestationObject":"\#(made.attestationObject.base64URL)","#
        + #""authenticatorData":"\#(data.base64URL)","clientDataJSON":"\#(made.clientDataJSON.base64URL)","#
        + #""publicKey":"\#(key.base64URL)","publicKeyAlgorithm":-7,"transports":["hybrid","internal"]},"#
        + #""type":"public-key"}"#)
  }

  @Test func `members without a value are left out, but for the extensions and the transports`() throws {
    let json = String(decoding: try MadeUpPasskey().registration(for: .sample()).json, as: UTF8.self)
    #expect(json.hasPrefix(#"{"clientExtensionResults":{},"id":"#))
    #expect(json.contains(#""transports":[]"#))
  }

  @Test func `the signed data is a part of the attestation`() throws {
    let vector = try #require(WebAuthnVector.all.first { $0.name == "packed-es256" })
    let data = Data(try PasskeyRegistration(vector).attestation.rawAuthenticatorData)
    #expect(vector.registration.attestationObject.hasSuffix(data))
  }

  @Test func `a key of an unknown algorithm is named, and left for the server to read`() throws {
    var object = try MadeUpPasskey().registration(for: .sample()).attestationObject
    object[object.count - 77 + 4] = 0x20
    let made = try MadeUpPasskey().registration(for: .sample())
    let json = try PasskeyRegistration(
      credentialID: made.credentialID, clientDataJSON: made.clientDataJSON, attestationObject: object
    ).json
    let text = String(decoding: json, as: UTF8.self)
    #expect(text.contains(#""publicKeyAlgorithm":-1,"#) && !text.contains(#""publicKey":"#))
  }

  @Test func `an assertion is written with every member of the standard`() throws {
    let vector = try #require(WebAuthnVector.all.first)
    let used = vector.authentication
    let assertion = try PasskeyAssertion(
      credentialID: vector.registration.credentialID, clientDataJSON: used.clientDataJSON,
      authenticatorData: used.authenticatorData, signature: used.signature, userHandle: Data("user".utf8),
      attachment: "cross-platform")
    let id = vector.registration.credentialID.base64URL
    #expect(
      String(decoding: assertion.json, as: UTF8.self)
        == #"{"authenticatorAttachment":"cross-platform","clientExtensionResults":{},"id":"\#(id)","rawId":"\#(id)","#
        + #""response":{"authenticatorData":"\#(used.authenticatorData.base64URL)","#
        + #""clientDataJSON":"\#(used.clientDataJSON.base64URL)","signature":"\#(used.signature.base64URL)","#
        + #""userHandle":"dXNlcg"},"type":"public-key"}"#)
  }

  @Test func `an empty user handle is none`() throws {
    let vector = try #require(WebAuthnVector.all.first)
    let used = vector.authentication
    let assertion = try PasskeyAssertion(
      credentialID: vector.registration.credentialID, clientDataJSON: used.clientDataJSON,
      authenticatorData: used.authenticatorData, signature: used.signature, userHandle: Data())
    #expect(!String(decoding: assertion.json, as: UTF8.self).contains("userHandle"))
  }

  @Test func `a provider encodes a response inside its own request`() throws {
    struct Request: Encodable { let credential: PasskeyAssertion }
    let assertion = try PasskeyAssertion(try #require(WebAuthnVector.all.first))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(
      try encoder.encode(Request(credential: assertion))
        == Data(#"{"credential":"#.utf8) + assertion.json + Data("}".utf8))
  }

  @Test func `a response that says another id than the one signed is refused`() throws {
    let made = try MadeUpPasskey().registration(for: .sample())
    #expect(throws: AuthenticationError.malformedPasskeyResponse) {
      try PasskeyRegistration(
        credentialID: Data("another".utf8), clientDataJSON: made.clientDataJSON,
        attestationObject: made.attestationObject)
    }
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"type":"webauthn.get","challenge":"AQEB"}"#, #"{"type":1,"challenge":"","origin":""}"#,
  ])
  func `client data without a type, a challenge and an origin is refused`(json: String) throws {
    let vector = try #require(WebAuthnVector.all.first)
    #expect(throws: AuthenticationError.malformedPasskeyResponse) {
      try PasskeyAssertion(vector, clientDataJSON: Data(json.utf8))
    }
  }

  @Test func `a response prints nothing of itself`() throws {
    let registration = try MadeUpPasskey().registration(for: .sample())
    let assertion = try MadeUpPasskey().assertion(for: .sample())
    for value in [registration, assertion] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      #expect(Mirror(reflecting: value).children.isEmpty)
      #expect(!(dumped + "\(value)" + String(reflecting: value)).contains("bytes"))
    }
  }
}

extension Data {
  fileprivate func hasSuffix(_ end: Data) -> Bool { suffix(end.count) == end }
}
