import AuthenticationPasskeys
import Foundation

/// The test vectors of WebAuthn Level 3 §16, and their public keys as another implementation writes them.
struct WebAuthnVector: Sendable, CustomStringConvertible {
  static let relyingPartyID = "example.org"
  static let all = load()

  let name: String
  let registration: Registration
  let authentication: Authentication
  let algorithm: Int
  let publicKey: Data

  var description: String { name }

  struct Registration: Sendable {
    let challenge: Data
    let credentialID: Data
    let model: Data
    let clientDataJSON: Data
    let attestationObject: Data
  }

  struct Authentication: Sendable {
    let challenge: Data
    let authenticatorData: Data
    let clientDataJSON: Data
    let signature: Data
  }

  private struct Vectors: Decodable {
    struct Vector: Decodable {
      let name: String
      let registration: [String: String]?
      let authentication: [String: String]?
    }

    let vectors: [Vector]
  }

  private struct Keys: Decodable {
    struct Key: Decodable {
      let alg: Int
      let spki: String
    }

    let keys: [String: Key]
  }

  private static func load() -> [Self] {
    do {
      let keys: Keys = try read("webauthn-l3-keys")
      let vectors: Vectors = try read("webauthn-l3")
      return vectors.vectors.compactMap { vector in
        guard let made = vector.registration, let used = vector.authentication, let key = keys.keys[vector.name] else {
          return nil
        }
        return Self(
          name: vector.name,
          registration: Registration(
            challenge: made["challenge", in: vector.name], credentialID: made["credential_id", in: vector.name],
            model: made["aaguid", in: vector.name], clientDataJSON: made["clientDataJSON", in: vector.name],
            attestationObject: made["attestationObject", in: vector.name]),
          authentication: Authentication(
            challenge: used["challenge", in: vector.name],
            authenticatorData: used["authenticatorData", in: vector.name],
            clientDataJSON: used["clientDataJSON", in: vector.name], signature: used["signature", in: vector.name]),
          algorithm: key.alg, publicKey: Data(hexadecimal: key.spki))
      }
    } catch {
      preconditionFailure("The vectors cannot be read: \(error)")
    }
  }

  private static func read<Value: Decodable>(_ name: String) throws -> Value {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/\(name).json").standardized
    return try JSONDecoder().decode(Value.self, from: try Data(contentsOf: file))
  }
}

extension [String: String] {
  fileprivate subscript(_ member: String, in vector: String) -> Data {
    guard let digits = self[member] else { preconditionFailure("\(vector) has no \(member)") }
    return Data(hexadecimal: digits)
  }
}

extension Data {
  init(hexadecimal digits: String) {
    let values = digits.compactMap { $0.hexDigitValue.map(UInt8.init) }
    self.init(stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] })
  }
}
