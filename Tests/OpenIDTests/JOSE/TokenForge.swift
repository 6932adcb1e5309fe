import AuthenticationDomain
import Foundation

@testable import AuthenticationOpenID

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// An issuer with one ES256 key that signs any claims.
struct TokenForge {
  static let now = Date(timeIntervalSince1970: 1_790_000_000)
  let key = P256.Signing.PrivateKey()

  /// Members of the key, as JSON text.
  var jwk: [String: String] { Self.jwk(key) }
  var keys: JSONWebKeySet { get throws { try Self.keySet([jwk]) } }
  var expectations = IDTokenExpectations(issuer: "https://id.example.com", clientID: "app", now: TokenForge.now)

  static func jwk(_ key: P256.Signing.PrivateKey) -> [String: String] {
    let point = key.publicKey.rawRepresentation
    return [
      "kty": #""EC""#, "crv": #""P-256""#, "kid": #""k""#, "x": "\"\(Base64URL.encode(point.prefix(32)))\"",
      "y": "\"\(Base64URL.encode(point.suffix(32)))\"",
    ]
  }

  static func keySet(_ keys: [[String: String]]) throws -> JSONWebKeySet {
    try JSONWebKeySet(json: Data("{\"keys\":[\(keys.map(json).joined(separator: ","))]}".utf8))
  }

  /// Claims that are good, as JSON text.
  static let claims = [
    "iss": #""https://id.example.com""#, "sub": #""ada""#, "aud": #""app""#, "iat": "1789999990", "exp": "1790000300",
  ]

  static func json(_ members: [String: String]) -> String {
    "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
  }

  /// A token with the good claims but for these changes; nil takes one away.
  func token(_ changes: [String: String?] = [:], header: [String: String?] = [:]) -> String {
    var claims = Self.claims
    for (name, value) in changes { claims[name] = value }
    return token(payload: Self.json(claims), header: header)
  }

  func token(payload: String, header: [String: String?] = [:]) -> String {
    var members = ["alg": #""ES256""#, "kid": #""k""#]
    for (name, value) in header { members[name] = value }
    return token(payload: payload, headerText: Self.json(members))
  }

  func token(payload: String, headerText: String) -> String {
    let signed = "\(Base64URL.encode(headerText.utf8)).\(Base64URL.encode(payload.utf8))"
    return "\(signed).\(signature(of: signed))"
  }

  func signature(of signed: String) -> String {
    (try? key.signature(for: Data(signed.utf8))).map { Base64URL.encode($0.rawRepresentation) } ?? ""
  }

  /// The check that a token fails; nil for a token that is believed.
  func refusal(
    of token: String, keys: JSONWebKeySet? = nil, _ change: (inout IDTokenExpectations) -> Void = { _ in }
  ) throws -> FailureReason? {
    var expectations = expectations
    change(&expectations)
    return try Refusal.check(of: token, by: keys ?? self.keys, expecting: expectations)
  }
}

enum Refusal {
  /// The check that a token fails; nil for a token that is believed. Any other error is thrown on.
  static func check(
    of token: String, by keys: JSONWebKeySet, expecting expectations: IDTokenExpectations
  ) throws -> FailureReason? {
    do throws(AuthenticationError) {
      _ = try UnverifiedIDToken(Secret(token)).validated(by: keys, expecting: expectations)
      return nil
    } catch {
      guard error == .security, let check = error.reason else { throw error }
      return check
    }
  }
}
