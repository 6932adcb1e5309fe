import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// The fixtures next to these tests, read once.
enum JOSEFixture {
  struct Signature: Decodable, Sendable {
    let algorithm: String
    let key: [String: String]
    let token: String
  }

  struct Published: Decodable, Sendable {
    let signatures: [String: Signature]
    let keySet: KeySet
    enum CodingKeys: String, CodingKey {
      case signatures
      case keySet = "RFC 7517 A.1"
    }
  }

  struct KeySet: Codable, Sendable {
    let keys: [[String: String]]
  }

  struct Token: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let maker: String
    let keys: String
    let token: String
    let check: String?
    var testDescription: String { "\(name), by \(maker)" }
  }

  struct Interop: Decodable, Sendable {
    let now: Double
    let issuer: String
    let clientID: String
    let nonce: String
    let accessToken: String
    let code: String
    let sets: [String: KeySet]
    let tokens: [Token]

    var expectations: IDTokenExpectations {
      var expectations = IDTokenExpectations(
        issuer: issuer, clientID: clientID, now: Date(timeIntervalSince1970: now))
      expectations.nonce = nonce
      expectations.trustedAudiences = ["api"]
      expectations.accessToken = Secret(accessToken)
      expectations.code = Secret(code)
      expectations.requirements = .init(acrValues: ["urn:example:gold"], maxAge: .seconds(3_600))
      return expectations
    }

    func keys(_ name: String) throws -> JSONWebKeySet {
      try JSONWebKeySet(json: JSONEncoder().encode(sets[name]))
    }

    func good(_ name: String) throws -> Token {
      try #require(tokens.first { $0.name == name })
    }
  }

  struct Keys: Decodable, Sendable {
    /// By algorithm and form.
    let pem: [String: String]
    /// The same keys, by algorithm.
    let jwk: [String: [String: String]]
    let refused: [String: String]
  }

  struct Wycheproof: Decodable, Sendable {
    struct Token: Decodable, Sendable, Identifiable {
      let id: String
      let comment: String
      let jws: String
      let isValid: Bool
    }

    struct Group: Decodable, Sendable, CustomTestStringConvertible {
      let name: String
      let keys: [[String: JSONValue]]
      let tokens: [Token]
      var testDescription: String { "\(name), \(tokens[0].id)" }
    }

    let groups: [Group]
  }

  static let published: Published = read("rfc")
  static let keys: Keys = read("keys")
  static let interop: Interop = read("interop")
  static let wycheproof: Wycheproof = read("wycheproof")

  private static func read<Value: Decodable>(_ name: String) -> Value {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    do {
      let data = try Data(contentsOf: folder.appending(path: "Fixtures/JOSE/\(name).json"))
      return try JSONDecoder().decode(Value.self, from: data)
    } catch {
      fatalError("The fixture \(name) cannot be read: \(error)")
    }
  }
}
