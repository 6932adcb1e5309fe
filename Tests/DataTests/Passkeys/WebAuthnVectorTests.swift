import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData
@testable import AuthenticationPasskeys

@Suite struct WebAuthnVectorTests {
  @Test func `every vector of the standard with both ceremonies is here`() {
    #expect(WebAuthnVector.all.count == 15)
  }

  @Test(arguments: WebAuthnVector.all)
  func `a registration of the standard is for its domain, its challenge and its credential`(
    vector: WebAuthnVector
  ) throws {
    let registration = try PasskeyRegistration(vector)
    let attestation = registration.attestation
    #expect(attestation.authenticatorData.relyingPartyIDHash == PublicSHA256.hash(WebAuthnVector.relyingPartyID.utf8))
    #expect(attestation.credential.id.elementsEqual(vector.registration.credentialID))
    #expect(attestation.credential.model.elementsEqual(vector.registration.model))
    #expect(attestation.authenticatorData.signatureCount == 0)
    #expect(vector.name.hasPrefix(attestation.format))
    #expect(registration.clientData.ceremony == .registration)
    #expect(registration.clientData.challenge == vector.registration.challenge.base64URL)
  }

  @Test(arguments: WebAuthnVector.all)
  func `its public key is the one that another implementation writes`(vector: WebAuthnVector) throws {
    let key = try PasskeyRegistration(vector).attestation.credential.publicKey
    #expect(key.algorithm == vector.algorithm)
    #expect(key.subjectPublicKeyInfo.map { Data($0) } == vector.publicKey)
  }

  @Test(arguments: WebAuthnVector.all)
  func `an assertion of the standard passes the checks of its own attempt`(vector: WebAuthnVector) throws {
    let assertion = try PasskeyAssertion(vector)
    let expectations = try PasskeyExpectations(
      PasskeyRequestOptions.sample(challenge: vector.authentication.challenge), of: WebAuthnVector.relyingPartyID)
    if vector.isCrossOrigin {
      let error = #expect(throws: AuthenticationError.self) { try expectations.check(assertion) }
      #expect(error?.reason == .passkeyOrigin)
    } else {
      try expectations.check(assertion)
    }
    #expect(assertion.authenticatorData.credential == nil)
  }

  @Test func `flags are read as the standard gives them`() throws {
    let flags = try WebAuthnVector.all.map { vector in
      try PasskeyAssertion(vector).authenticatorData.flags.rawValue
    }
    #expect(flags == WebAuthnVector.all.map { $0.authentication.authenticatorData[32] })
    let eligible = try WebAuthnVector.all.filter { vector in
      try PasskeyAssertion(vector).authenticatorData.flags.contains(.backupEligible)
    }
    #expect(eligible.count == 11)
  }

  @Test(arguments: WebAuthnVector.all.filter { !$0.isCrossOrigin })
  func `a flipped bit of the authenticator data is refused, except in the bits that only the server can check`(
    vector: WebAuthnVector
  ) throws {
    let original = vector.authentication.authenticatorData
    let flags = try PasskeyAssertion(vector).authenticatorData.flags
    let expectations = try PasskeyExpectations(
      PasskeyRequestOptions.sample(
        challenge: vector.authentication.challenge,
        verification: flags.contains(.userVerified) ? .required : .preferred), of: WebAuthnVector.relyingPartyID)
    let accepted = original.flips { flipped in
      guard let assertion = try? PasskeyAssertion(vector, authenticatorData: flipped) else { return false }
      return (try? expectations.check(assertion)) != nil
    }
    // Two reserved bits, consistent flags about backups, and the counter.
    var invisible = Set([1, 5].map { 32 * 8 + $0 } + Array(33 * 8..<37 * 8))
    if !flags.contains(.userVerified) { invisible.insert(32 * 8 + 2) }
    if !flags.contains(.backedUp) { invisible.insert(32 * 8 + 3) }
    if flags.contains(.backupEligible) { invisible.insert(32 * 8 + 4) }
    #expect(accepted == invisible)
  }

  @Test(arguments: WebAuthnVector.all)
  func `a flipped bit of the type, the challenge or the origin is refused`(vector: WebAuthnVector) throws {
    let original = vector.authentication.clientDataJSON
    let end = try #require(original.firstRange(of: Data(#","crossOrigin""#.utf8))).lowerBound
    let expectations = try PasskeyExpectations(
      PasskeyRequestOptions.sample(challenge: vector.authentication.challenge), of: WebAuthnVector.relyingPartyID)
    let accepted = original.flips { flipped in
      guard let assertion = try? PasskeyAssertion(vector, clientDataJSON: flipped) else { return false }
      return (try? expectations.check(assertion)) != nil
    }
    #expect(accepted.allSatisfy { $0 / 8 >= end })
  }

  @Test func `a flipped bit of an attestation is refused, except in the bits that only the server can check`() throws {
    let vector = try #require(WebAuthnVector.all.first { $0.name == "none-es256" })
    let original = vector.registration.attestationObject
    let accepted = original.flips { flipped in
      guard let registration = try? PasskeyRegistration(vector, attestationObject: flipped) else { return false }
      let expectations = try? PasskeyExpectations(
        PasskeyCreationOptions.sample(challenge: vector.registration.challenge), of: WebAuthnVector.relyingPartyID)
      return (try? expectations?.check(registration)) != nil
    }
    let data = try #require(original.firstRange(of: Data([0x58, 0xA4]))).upperBound
    let format = try #require(original.firstRange(of: Data("none".utf8)))
    let key = original.count - 77
    let bytes = Set(accepted.map { $0 / 8 })
    let invisible = Set(format).union(Set(data + 32..<data + 53)).union(key + 10..<key + 42).union(key + 45..<key + 77)
    #expect(bytes.subtracting(invisible).isEmpty)
    #expect(bytes.isSuperset(of: key + 45..<key + 77))
  }

  @Test(arguments: WebAuthnVector.all)
  func `an attestation that was cut anywhere is refused`(vector: WebAuthnVector) {
    let original = vector.registration.attestationObject
    for length in 0..<original.count {
      #expect(throws: AuthenticationError.malformedPasskeyResponse) {
        try PasskeyRegistration(vector, attestationObject: original.prefix(length))
      }
    }
    #expect(throws: AuthenticationError.malformedPasskeyResponse) {
      try PasskeyRegistration(vector, attestationObject: original + [0])
    }
  }
}

extension Data {
  /// The bits whose flipped value is accepted.
  fileprivate func flips(acceptedBy accepts: (Data) -> Bool) -> Set<Int> {
    Set(
      (0..<count * 8).filter { bit in
        var flipped = self
        flipped[startIndex + bit / 8] ^= 1 << UInt8(bit % 8)
        return accepts(flipped)
      })
  }
}

extension WebAuthnVector {
  /// Two of the standard's are from within a page of another origin.
  fileprivate var isCrossOrigin: Bool {
    authentication.clientDataJSON.firstRange(of: Data(#""crossOrigin":true"#.utf8)) != nil
  }
}
