import AuthenticationData
import AuthenticationDomain
@testable import AuthenticationPasskeys
import Crypto
import Foundation
import Testing

@testable import AuthenticationTestingServers

@Suite struct SoftwareAuthenticatorTests {
  private let authenticator = SoftwareAuthenticator(origin: "https://example.org")

  @Test func `the authenticator signs with the key that it registered`() async throws {
    let registered = try WrittenPasskey(try await authenticator.register(.creation()).json)
    let signed = try WrittenPasskey(try await authenticator.sign(.request(), presentation: .modal).json)
    let key = try P256.Signing.PublicKey(derRepresentation: try #require(registered.response.publicKey))
    let data = try #require(signed.response.authenticatorData)
    let signature = try P256.Signing.ECDSASignature(derRepresentation: try #require(signed.response.signature))
    #expect(key.isValidSignature(signature, for: data + SHA256.hash(data: signed.response.clientDataJSON)))
    #expect(signed.id == registered.id && signed.response.userHandle == Data("user".utf8))
    #expect(registered.response.publicKeyAlgorithm == -7)
  }

  @Test func `the counter goes up, and the flags tell whether the user was verified or only present`() async throws {
    _ = try await authenticator.register(.creation())
    let first = try WrittenPasskey(try await authenticator.sign(.request(), presentation: .modal).json)
    authenticator.user = .touches
    let second = try WrittenPasskey(try await authenticator.sign(.request(), presentation: .autofill).json)
    #expect(first.response.authenticatorData?.suffix(5) == Data([0x05, 0, 0, 0, 1]))
    #expect(second.response.authenticatorData?.suffix(5) == Data([0x01, 0, 0, 0, 2]))
  }

  @Test func `a user who only touches it does not pass where verification is required`() async throws {
    _ = try await authenticator.register(.creation())
    for action in [SoftwareAuthenticator.UserAction.touches, .declines] {
      authenticator.user = action
      await #expect(throws: AuthenticationError.cancelled) {
        try await authenticator.sign(.request(verification: "required"), presentation: .modal)
      }
    }
  }

  @Test func `a passkey signs for its own domain only, and only if it is allowed`() async throws {
    let id = try await authenticator.register(.creation()).credentialID
    #expect(try await authenticator.sign(.request(allowing: [id]), presentation: .modal).credentialID == id)
    for options in try [
      PasskeyRequestOptions.request(domain: "example.com"), .request(allowing: [Data("another".utf8)]),
    ] {
      await #expect(throws: AuthenticationError.cancelled) {
        try await authenticator.sign(options, presentation: .modal)
      }
    }
    authenticator.removeAll()
    await #expect(throws: AuthenticationError.cancelled) {
      try await authenticator.sign(.request(), presentation: .modal)
    }
  }

  @Test func `a user has one passkey at a domain, and none beside an excluded one`() async throws {
    let first = try await authenticator.register(.creation()).credentialID
    await #expect(throws: AuthenticationError.passkeyExists) {
      try await authenticator.register(.creation(excluding: [first]))
    }
    let second = try await authenticator.register(.creation()).credentialID
    #expect(authenticator.credentialIDs == [second] && first != second)
  }

  @Test func `a server that does not accept ES256 gets no passkey`() async throws {
    await #expect(throws: AuthenticationError(.unsupportedMethod, "")) {
      try await authenticator.register(.creation(algorithm: -8))
    }
    #expect(authenticator.credentialIDs.isEmpty)
  }

  @Test func `the same random bytes make the same passkey`() async throws {
    func made() async throws -> Data {
      let authenticator = SoftwareAuthenticator(
        origin: "https://example.org", randomBytes: { [UInt8](repeating: 7, count: $0) })
      return try await authenticator.register(.creation()).json
    }
    #expect(try await made() == made())
    #expect(try await made() != authenticator.register(.creation()).json)
  }

  @Test func `it passes the client's checks`() async throws {
    let checking = authenticator.checking(relyingPartyID: "example.org")
    func challenge() -> Data { Data(AuthProviderConfiguration.Environment.systemRandomBytes(32)) }
    _ = try await checking.register(.creation(challenge: challenge(), verification: "required"))
    _ = try await checking.sign(.request(challenge: challenge(), verification: "required"), presentation: .modal)
  }
}
