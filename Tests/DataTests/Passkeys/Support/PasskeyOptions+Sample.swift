import Foundation

@testable import AuthenticationData
@testable import AuthenticationPasskeys

extension PasskeyRequestOptions {
  static func sample(
    challenge: Data = .challenge(1), relyingPartyID: String? = "example.org", timeout: Int? = nil,
    allowing allowed: [Data] = [], verification: PasskeyRequirement = .preferred
  ) throws -> Self {
    try Self(
      json: JSONEncoder().encode(
        Wire(
          challenge: challenge.base64URL, rpId: relyingPartyID, timeout: timeout,
          allowCredentials: allowed.map { Descriptor(id: $0.base64URL) }, userVerification: verification.rawValue)))
  }

  private struct Wire: Encodable {
    let challenge: String
    let rpId: String?
    let timeout: Int?
    let allowCredentials: [Descriptor]
    let userVerification: String
  }

  private struct Descriptor: Encodable {
    let type = "public-key"
    let id: String
  }
}

extension PasskeyCreationOptions {
  static func sample(
    challenge: Data = .challenge(1), relyingPartyID: String? = "example.org", timeout: Int? = nil,
    verification: PasskeyRequirement = .preferred
  ) throws -> Self {
    try Self(
      json: JSONEncoder().encode(
        Wire(
          rp: RelyingParty(id: relyingPartyID), user: User(), challenge: challenge.base64URL, timeout: timeout,
          authenticatorSelection: Selection(userVerification: verification.rawValue))))
  }

  private struct RelyingParty: Encodable {
    let id: String?
    let name = "Example"
  }

  private struct User: Encodable {
    let id = "dXNlcg"
    let name = "ada@example.org"
    let displayName = "Ada"
  }

  private struct Selection: Encodable {
    let userVerification: String
  }

  private struct Wire: Encodable {
    let rp: RelyingParty
    let user: User
    let challenge: String
    let timeout: Int?
    let authenticatorSelection: Selection
  }
}

extension Data {
  /// 32 bytes, others for each number.
  static func challenge(_ number: UInt8) -> Data { Data(repeating: number, count: 32) }
}
