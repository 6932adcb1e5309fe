import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// RFC 7517 §5, RFC 8725 §3.
@Suite struct JSONWebKeySetTests {
  let forge = TokenForge()

  func count(_ changes: [String: String?], of key: [String: String]? = nil) throws -> Int {
    var members = key ?? forge.jwk
    for (name, value) in changes { members[name] = value }
    return try TokenForge.keySet([members]).keys.count
  }

  /// The RSA key of RFC 7638, with this modulus.
  func rsa(_ modulus: [UInt8]? = nil, exponent: [UInt8] = [1, 0, 1]) throws -> [String: String] {
    var key = try #require(JOSEFixture.published.keySet.keys.last).mapValues { "\"\($0)\"" }
    if let modulus { key["n"] = "\"\(Base64URL.encode(modulus))\"" }
    key["e"] = "\"\(Base64URL.encode(exponent))\""
    return key
  }

  @Test(arguments: [
    "", "[]", "null", "{}", "{\"keys\":null}", "{\"keys\":{}}", "{\"keys\":\"x\"}", "{\"keys\":[}", "<html>",
  ])
  func `text that is no key set is an unexpected response`(text: String) {
    #expect(throws: AuthenticationError(.unexpectedResponse, "")) { try JSONWebKeySet(json: Data(text.utf8)) }
  }

  @Test func `a set beyond the limits is refused, or read as far as they go`() throws {
    let large = "{\"keys\":[],\"pad\":\"\(String(repeating: "x", count: JSONWebKeySet.maximumSize))\"}"
    #expect(throws: AuthenticationError(.unexpectedResponse, "")) { try JSONWebKeySet(json: Data(large.utf8)) }
    #expect(try TokenForge.keySet(Array(repeating: forge.jwk, count: 100)).keys.count == 64)
    let deep = "{\"keys\":\(String(repeating: "[", count: 10_000))"
    #expect(throws: AuthenticationError(.unexpectedResponse, "")) { try JSONWebKeySet(json: Data(deep.utf8)) }
  }

  @Test func `keys that cannot be used are passed over, and the others serve`() throws {
    let odd = #"{"kty":"future"},7,null,{"kty":"oct","k":"AAAA"},{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"},{}"#
    let json = "{\"keys\":[\(odd),\(TokenForge.json(forge.jwk))]}"
    let keys = try JSONWebKeySet(json: Data(json.utf8))
    #expect(keys.keys.count == 1)
    #expect(try forge.refusal(of: forge.token(), keys: keys) == nil)
  }

  @Test func `a set without a usable key is a set, and fits no token`() throws {
    let keys = try JSONWebKeySet(json: Data(#"{"keys":[{"kty":"oct","k":"AAAA"}]}"#.utf8))
    #expect(keys.keys.isEmpty)
    do throws(AuthenticationError) {
      _ = try UnverifiedIDToken(Secret(forge.token()))
        .validated(by: keys, expecting: forge.expectations)
      Issue.record("believed")
    } catch {
      #expect(error.reason == .signature && error.message.hasPrefix("No key of the issuer fits"))
    }
  }

  @Test func `members that are unknown, private or certificates do not matter`() throws {
    #expect(try count(["d": #""AAAA""#, "x5c": #"["AAAA"]"#, "x5t": #""AA""#, "foo": "{}", "ext": "true"]) == 1)
  }

  @Test func `a key is for signatures, or does not say`() throws {
    #expect(try count(["use": #""sig""#, "key_ops": #"["verify"]"#, "alg": #""ES256""#]) == 1)
    #expect(try count(["use": #""enc""#]) == 0)
    #expect(try count(["use": "1"]) == 0)
    #expect(try count(["key_ops": #"["sign","verify"]"#]) == 1)
    #expect(try count(["key_ops": #"["sign"]"#]) == 0)
    #expect(try count(["key_ops": "[]"]) == 0)
    #expect(try count(["alg": #""ES384""#]) == 0)
    #expect(try count(["alg": #""HS256""#]) == 0)
    #expect(try count(["alg": #""ECDH-ES""#]) == 0)
    #expect(try count(["kid": "1"]) == 0)
  }

  @Test func `a point that is not on the curve, or of another length, is refused`() throws {
    let point = forge.key.publicKey.rawRepresentation
    func text(_ bytes: Data) -> String { "\"\(Base64URL.encode(bytes))\"" }
    #expect(try count([:]) == 1)
    #expect(try count(["y": text(point.prefix(32))]) == 0)
    #expect(try count(["y": text(Data(repeating: 0, count: 32))]) == 0)
    #expect(try count(["x": text(Data(repeating: 0, count: 32)), "y": text(Data(repeating: 0, count: 32))]) == 0)
    #expect(try count(["x": text([0] + point.prefix(32))]) == 0)
    #expect(try count(["x": text(point.prefix(31)), "y": text(point.suffix(33))]) == 0)
    #expect(try count(["x": text(Data(repeating: 0xFF, count: 32))]) == 0)
    #expect(try count(["crv": #""P-384""#]) == 0)
    #expect(try count(["x": nil]) == 0)
    #expect(try count(["y": nil]) == 0)
  }

  @Test func `an Ed25519 key has 32 bytes`() throws {
    for (length, usable) in [(31, 0), (32, 1), (33, 0), (0, 0)] {
      let bytes = (Curve25519.Signing.PrivateKey().publicKey.rawRepresentation + Data([0])).prefix(length)
      let key = ["kty": #""OKP""#, "crv": #""Ed25519""#, "x": "\"\(Base64URL.encode(bytes))\""]
      #expect(try TokenForge.keySet([key]).keys.count == usable)
    }
    #expect(
      try TokenForge.keySet([["kty": #""OKP""#, "crv": #""X25519""#, "x": "\"\(String(repeating: "A", count: 43))\""]])
        .keys.isEmpty)
  }

  // RFC 8032 §5.1: the points of order 1, 2, 4 and 8, with the numbers that were not reduced among them.
  @Test(arguments: [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ])
  func `an Ed25519 key of small order is no key, whatever its sign`(point: String) throws {
    let digits = Array(point)
    for sign: UInt8 in [0, 0x80] {
      var bytes = try stride(from: 0, to: 64, by: 2).map { try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16)) }
      bytes[31] |= sign
      let key = ["kty": #""OKP""#, "crv": #""Ed25519""#, "x": "\"\(Base64URL.encode(bytes))\""]
      #expect(try TokenForge.keySet([key]).keys.isEmpty)
    }
  }

  @Test func `an RSA key is neither weak nor so large that it takes all day`() throws {
    func odd(_ bits: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0xA5, count: (bits + 7) / 8)
      bytes[0] = bits % 8 == 0 ? 0xA5 : UInt8(1 << (bits % 8 - 1))
      bytes[bytes.count - 1] |= 1
      return bytes
    }
    #expect(try count([:], of: rsa()) == 1)
    for bits in [0, 8, 512, 1_024, 2_040, 2_047, 8_193, 16_384] {
      #expect(try count([:], of: rsa(bits == 0 ? [] : odd(bits))) == 0, "\(bits) bits")
    }
    for bits in [2_048, 3_072, 4_096, 8_192] { #expect(try count([:], of: rsa(odd(bits))) == 1, "\(bits) bits") }
    #expect(try count([:], of: rsa([0] + odd(2_048))) == 1)
    #expect(try count([:], of: rsa([0] + odd(2_040))) == 0)
    #expect(try count([:], of: rsa(odd(2_048).dropLast() + [2])) == 0)
    for exponent in [[], [0], [1], [2], [0, 1], [1, 0, 0], [1, 0, 0, 0, 1]] as [[UInt8]] {
      #expect(try count([:], of: rsa(exponent: exponent)) == 0, "\(exponent)")
    }
    #expect(try count([:], of: rsa(exponent: [3])) == 1)
  }

  @Test func `a key serves one algorithm`() throws {  // rule 27
    var key = try rsa()
    key["alg"] = #""PS256""#
    let named = try TokenForge.keySet([key])
    key["alg"] = nil
    let unnamed = try TokenForge.keySet([key])
    let every = SignatureAlgorithm.all
    let fitting = { (keys: JSONWebKeySet, permitted: Set<SignatureAlgorithm>) in
      every.filter { !keys.keys(for: $0, id: nil, permitting: permitted).isEmpty }
    }
    #expect(fitting(named, every) == [.ps256])
    #expect(fitting(unnamed, every) == [.rs256])
    #expect(fitting(unnamed, [.ps384, .es256]).contains(.ps384))
    #expect(fitting(try forge.keys, every) == [.es256])
  }

  @Test func `an RSA key without an algorithm, named by the header, serves any that is permitted`() throws {  // rule 27
    var key = try rsa()
    key["kid"] = #""one""#
    key["alg"] = nil
    let keys = try TokenForge.keySet([key, forge.jwk])
    let fitting = { (keys: JSONWebKeySet, id: String?) in
      SignatureAlgorithm.all.filter { !keys.keys(for: $0, id: id, permitting: [.rs256, .rs512, .es256]).isEmpty }
    }
    #expect(keys.keys(for: .rs512, id: "one", permitting: [.rs256, .rs512]).count == 1)
    #expect(keys.keys(for: .rs512, id: nil, permitting: [.rs256, .rs512]).isEmpty)
    #expect(keys.keys(for: .rs512, id: "other", permitting: [.rs256, .rs512]).isEmpty)
    #expect(fitting(keys, nil).contains(.rs256))
    let twins = try TokenForge.keySet([key, key])
    #expect(twins.keys(for: .rs512, id: "one", permitting: [.rs256, .rs512]).isEmpty)
    #expect(twins.keys(for: .rs256, id: "one", permitting: [.rs256, .rs512]).count == 2)
  }
}
