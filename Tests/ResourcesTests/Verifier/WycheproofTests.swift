import Foundation
import Testing

@testable import AuthenticationOpenID

/// The signature vectors of Project Wycheproof that swift-crypto, on which the tests depend, ships with its own tests:
/// each runs against the check that the verifier makes.
@Suite struct WycheproofTests {
  struct Suite: Sendable, CustomTestStringConvertible {
    let file: String
    let algorithm: SignatureAlgorithm
    let count: Int
    var testDescription: String { file }
  }

  private struct Vectors: Decodable {
    struct Group: Decodable {
      let publicKeyJwk: [String: String]?
      let n: String?
      let e: String?
      let tests: [Case]
    }

    struct Case: Decodable {
      let tcId: Int
      let msg: String
      let sig: String
      let result: String
    }

    let testGroups: [Group]
  }

  static let suites = [
    Suite(file: "Test Vectors/ecdsa_secp256r1_sha256_p1363_test", algorithm: .es256, count: 252),
    Suite(file: "Test Vectors/ecdsa_secp384r1_sha384_p1363_test", algorithm: .es384, count: 270),
    Suite(file: "Test Vectors/ecdsa_secp521r1_sha512_p1363_test", algorithm: .es512, count: 308),
    Suite(file: "Test Vectors/ed25519_test", algorithm: .edDSA, count: 150),
    Suite(file: "CryptoExtrasVectors/rsa_signature_2048_sha256_test", algorithm: .rs256, count: 240),
    Suite(file: "CryptoExtrasVectors/rsa_signature_3072_sha256_test", algorithm: .rs256, count: 239),
    Suite(file: "CryptoExtrasVectors/rsa_signature_2048_sha512_test", algorithm: .rs512, count: 240),
    Suite(file: "CryptoExtrasVectors/rsa_pss_2048_sha256_mgf1_32_test", algorithm: .ps256, count: 103),
    Suite(file: "CryptoExtrasVectors/rsa_pss_3072_sha256_mgf1_32_test", algorithm: .ps256, count: 103),
  ]

  @Test(arguments: suites)
  func `a signature is accepted or refused as Wycheproof has it`(suite: Suite) throws {
    let folder = try #require(Self.checkout, "The package manager keeps swift-crypto's sources beside the build.")
    let data = try Data(contentsOf: folder.appending(path: "Tests/\(suite.file).json"))
    let groups = try JSONDecoder().decode(Vectors.self, from: data).testGroups
    #expect(groups.reduce(0) { $0 + $1.tests.count } >= suite.count)
    for group in groups {
      // A key that is not accepted verifies nothing; each of these must be, for it has valid signatures.
      let key = JSONWebKey(json: Array(try JSONEncoder().encode(try members(of: group, for: suite.algorithm))))
      for vector in group.tests {
        let isValid =
          key?.isValid(try bytes(vector.sig), of: try bytes(vector.msg)[...], by: suite.algorithm) ?? false
        // "acceptable" is an encoding that a verifier may take or not: a legacy one of RSA.
        #expect(isValid == (vector.result == "valid") || vector.result == "acceptable", "test \(vector.tcId)")
      }
    }
  }

  private func members(of group: Vectors.Group, for algorithm: SignatureAlgorithm) throws -> [String: String] {
    if let jwk = group.publicKeyJwk { return jwk.filter { ["kty", "crv", "x", "y"].contains($0.key) } }
    let (modulus, exponent) = (try bytes(try #require(group.n)), try bytes(try #require(group.e)))
    return [
      "kty": "RSA", "alg": algorithm.rawValue, "n": Base64URL.encode(modulus), "e": Base64URL.encode(exponent),
    ]
  }

  private func bytes(_ hexadecimal: String) throws -> [UInt8] {
    let digits = Array(hexadecimal)
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      try #require(UInt8(String(digits[index...(index + 1)]), radix: 16))
    }
  }

  /// The sources of swift-crypto: among the checkouts of the build that the tests are part of.
  private static let checkout: URL? = {
    let starts = [CommandLine.arguments[0], Bundle.main.bundlePath, #filePath].map { URL(filePath: $0) }
    for start in starts {
      var folder = start
      while folder.pathComponents.count > 1 {
        folder.deleteLastPathComponent()
        for path in ["checkouts", "SourcePackages/checkouts", ".build/checkouts"] {
          let found = folder.appending(path: "\(path)/swift-crypto")
          if FileManager.default.fileExists(atPath: found.appending(path: "Tests").path) { return found }
        }
      }
    }
    return nil
  }()
}
