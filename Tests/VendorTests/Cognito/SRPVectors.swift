@testable import AuthenticationCognito
import Foundation
import Testing

/// Published numbers: of AWS's own client (scramblers, secrets), of both sides computed elsewhere (exchanges), and of
/// RFC 5054 Appendix B.
struct SRPVectors: Decodable {
  struct Scrambler: Decodable, Sendable {
    let client, server, scrambler: String
  }
  struct Premaster: Decodable, Sendable {
    let identity, password, salt, secret, client, server, premaster: String
  }
  struct Exchange: Decodable, Sendable, CustomTestStringConvertible {
    let name, pool, user, password, salt, secret, client, server, passwordKey, scrambler, premaster, sessionKey: String
    let secretBlock, timestamp, signature: String
    var testDescription: String { name }
  }
  struct Appendix: Decodable, Sendable {
    let modulus, generator, multiplier, passwordKey, scrambler, secret, client, server, verifier, premaster: String
  }

  let multiplier: String
  let scramblers: [Scrambler]
  let secrets: [Premaster]
  let exchanges: [Exchange]
  let rfc5054: Appendix

  static let published: SRPVectors = {
    do {
      return try JSONDecoder().decode(SRPVectors.self, from: fixture("srp.json"))
    } catch {
      preconditionFailure("Fixtures/srp.json: \(error)")
    }
  }()
}

func fixture(_ name: String) throws -> Data {
  try Data(contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)"))
}

func bytes(_ hexadecimal: String) -> [UInt8] { SRPNumber.bytes(hexadecimal: hexadecimal) ?? [] }
