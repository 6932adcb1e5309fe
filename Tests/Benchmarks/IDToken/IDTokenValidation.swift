import AuthenticationDomain
import AuthenticationOpenID
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
#if canImport(CryptoExtras)
import CryptoExtras
#endif

/// Validating an ID token, from its text to its claims, with a key set that is there; against the crypto library's bare
/// verification of the same signature by the same key.
enum IDTokenValidation {
  static func figures() async throws -> [Figure] {
    var figures = try await es256() + edDSA()
    #if canImport(CryptoExtras)
    figures += try await rs256()
    #endif
    return figures
  }

  private static func es256() async throws -> [Figure] {
    let key = P256.Signing.PrivateKey()
    let point = key.publicKey.rawRepresentation
    let jwk = #"{"kty":"EC","crv":"P-256","x":"\#(base64URL(point.prefix(32)))","y":"\#(base64URL(point.suffix(32)))""#
    let signed = SignedText(algorithm: "ES256")
    let signature = try key.signature(for: signed.bytes)
    let (publicKey, bytes) = (key.publicKey, signed.bytes)
    return try await figures(
      "ES256", signed.token(signature.rawRepresentation), jwk, ratio: 1 / 0.9,
      bare: Subject(6) { count in
        for _ in 0..<count { blackHole(publicKey.isValidSignature(signature, for: bytes)) }
      })
  }

  private static func edDSA() async throws -> [Figure] {
    let key = Curve25519.Signing.PrivateKey()
    let jwk = #"{"kty":"OKP","crv":"Ed25519","x":"\#(base64URL(key.publicKey.rawRepresentation))""#
    let signed = SignedText(algorithm: "EdDSA")
    let signature = try key.signature(for: signed.bytes)
    let (publicKey, bytes) = (key.publicKey, signed.bytes)
    return try await figures(
      "EdDSA", signed.token(signature), jwk, ratio: 1 / 0.9,
      bare: Subject(6) { count in
        for _ in 0..<count { blackHole(publicKey.isValidSignature(signature, for: bytes)) }
      })
  }

  #if canImport(CryptoExtras)
  private static func rs256() async throws -> [Figure] {
    let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let numbers = try key.publicKey.getKeyPrimitives()
    let jwk = #"{"kty":"RSA","n":"\#(base64URL(numbers.modulus))","e":"\#(base64URL(numbers.publicExponent))""#
    let signed = SignedText(algorithm: "RS256")
    let signature = try key.signature(for: signed.bytes, padding: .insecurePKCS1v1_5)
    let (publicKey, bytes) = (key.publicKey, signed.bytes)
    return try await figures(
      "RS256", signed.token(signature.rawRepresentation), jwk, ratio: 1 / 0.6,
      bare: Subject(12) { count in
        for _ in 0..<count {
          blackHole(publicKey.isValidSignature(signature, for: bytes, padding: .insecurePKCS1v1_5))
        }
      })
  }
  #endif

  private static func figures(
    _ algorithm: String, _ token: String, _ jwk: String, ratio: Double, bare: Subject
  ) async throws -> [Figure] {
    let keys = try JSONWebKeySet(json: Data("{\"keys\":[\(jwk),\"kid\":\"2026-11\",\"use\":\"sig\"}]}".utf8))
    let expectations = SignedText.expectations
    let raw = Secret(token)
    let ours = Subject(bare.operations) { count in
      for _ in 0..<count { blackHole(try UnverifiedIDToken(raw).validated(by: keys, expecting: expectations)) }
    }
    // Rounds short enough to fit between two other processes' turns on a busy machine.
    let times = try await Timing.compare(rounds: 1_501, ours, bare)
    let allocations = try await Allocations.perOperation(200, ours.body)
    let bareAllocations = try await Allocations.perOperation(200, bare.body)
    return [
      Figure(
        "validate an ID token, \(algorithm), \(token.utf8.count) bytes", times.ours / 1_000, .microseconds,
        allocations: allocations),
      Figure(
        "  against the bare verification (\((times.other / 1_000).short) µs; rate \((1 / times.ratio).short))",
        times.ratio, .times, atMost: ratio, allocations: bareAllocations),
    ]
  }

  private static func base64URL(_ bytes: some Sequence<UInt8>) -> String { SignedText.base64URL(bytes) }
}
