import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Changes that an attacker without a key can make to a token. // rules 21, 22
@Suite struct HostileTokenTests {
  static let interop = JOSEFixture.interop
  static let algorithms = SignatureAlgorithm.all.sorted { $0.rawValue < $1.rawValue }
  let forge = TokenForge()

  func refusal(of token: String, as good: JOSEFixture.Token) throws -> FailureReason? {
    try Refusal.check(of: token, by: Self.interop.keys(good.keys), expecting: Self.interop.expectations)
  }

  @Test(arguments: algorithms)
  func `a token with any segment cut short is refused`(algorithm: SignatureAlgorithm) throws {
    let good = try Self.interop.good(algorithm.rawValue)
    let segments = good.token.split(separator: ".").map(String.init)
    for index in segments.indices {
      for length in stride(from: 0, to: segments[index].count, by: 3) {
        var cut = segments
        cut[index] = String(segments[index].prefix(length))
        #expect(try refusal(of: cut.joined(separator: "."), as: good) != nil, "segment \(index) cut to \(length)")
      }
    }
    #expect(try refusal(of: segments.dropLast().joined(separator: "."), as: good) == .idToken)
    #expect(try refusal(of: (segments + ["A"]).joined(separator: "."), as: good) == .idToken)
    #expect(try refusal(of: good.token + "=", as: good) == .idToken)
    #expect(try refusal(of: good.token + "\n", as: good) == .idToken)
  }

  @Test(arguments: algorithms)
  func `a signature with any byte changed is refused`(algorithm: SignatureAlgorithm) throws {
    let good = try Self.interop.good(algorithm.rawValue)
    let segments = good.token.split(separator: ".").map(String.init)
    let signature = try #require(Base64URL.decode(segments[2]))
    for index in signature.indices {
      var flipped = signature
      flipped[index] ^= UInt8(1 << (index % 8))
      let token = "\(segments[0]).\(segments[1]).\(Base64URL.encode(flipped))"
      #expect(try refusal(of: token, as: good) == .signature)
    }
    for signature in [Data(), signature + [0], [0] + signature, signature.dropLast(), signature.dropFirst()] {
      let token = "\(segments[0]).\(segments[1]).\(Base64URL.encode(signature))"
      #expect(try refusal(of: token, as: good) == .signature)
    }
  }

  @Test(arguments: algorithms)
  func `a token whose header names another algorithm is refused`(algorithm: SignatureAlgorithm) throws {  // rule 27
    let good = try Self.interop.good(algorithm.rawValue)
    let rest = good.token.drop { $0 != "." }
    let others = Self.algorithms.map(\.rawValue).filter { $0 != algorithm.rawValue }
    let names = others + ["none", "None", "NONE", "HS256", "HS384", "HS512", "ES256K", "Ed25519", "", "rs256"]
    for name in names {
      let header = Base64URL.encode(#"{"alg":"\#(name)","kid":"\#(good.keys)"}"#.utf8)
      #expect(try refusal(of: header + rest, as: good) == .signature, "\(name)")
    }
    for header in ["{}", #"{"alg":null}"#] {
      #expect(try refusal(of: Base64URL.encode(header.utf8) + rest, as: good) == .signature)
    }
    #expect(try refusal(of: Base64URL.encode(#"{"alg":["RS256"]}"#.utf8) + rest, as: good) == .idToken)
  }

  // failure row 38
  @Test(arguments: ["none", "None", "nOnE"])
  func `an unsigned token is refused`(name: String) throws {
    let header = Base64URL.encode(#"{"alg":"\#(name)"}"#.utf8)
    let claims = Base64URL.encode(TokenForge.json(TokenForge.claims).utf8)
    #expect(try forge.refusal(of: "\(header).\(claims).") == .signature)
    #expect(try forge.refusal(of: "\(header).\(claims)") == .idToken)
  }

  @Test func `a token that demands an extension is refused, whichever`() throws {  // rule 29
    for crit in [#"["exp"]"#, #"["b64"]"#, "[]", "null", #""exp""#] {
      #expect(try forge.refusal(of: forge.token(header: ["crit": crit, "b64": "true"])) == .signature)
    }
  }

  @Test func `a key that the token brings along is not looked at`() throws {
    let otherKey = TokenForge()
    let jwk = TokenForge.json(otherKey.jwk)
    for header in [
      ["jwk": jwk], ["jku": #""https://evil.example/keys""#], ["x5u": #""https://evil.example/cert""#],
      ["x5c": #"["AAAA"]"#], ["jwk": jwk, "kid": nil],
    ] {
      #expect(try forge.refusal(of: otherKey.token(header: header)) == .signature)
      #expect(try forge.refusal(of: forge.token(header: header)) == nil)
    }
  }

  @Test func `a token that names another key, or one that is not there, is refused`() throws {  // rule 28
    let other = P256.Signing.PrivateKey()
    var second = TokenForge.jwk(other)
    second["kid"] = #""second""#
    let keys = try TokenForge.keySet([forge.jwk, second])
    #expect(try forge.refusal(of: forge.token(), keys: keys) == nil)
    #expect(try forge.refusal(of: forge.token(header: ["kid": #""second""#]), keys: keys) == .signature)
    #expect(try forge.refusal(of: forge.token(header: ["kid": #""third""#]), keys: keys) == .signature)
    #expect(try forge.refusal(of: forge.token(header: ["kid": #""../k""#]), keys: keys) == .signature)
    var nameless = forge.jwk
    nameless["kid"] = nil
    #expect(try forge.refusal(of: forge.token(), keys: TokenForge.keySet([nameless])) == .signature)
    #expect(try forge.refusal(of: forge.token(header: ["kid": nil]), keys: TokenForge.keySet([nameless])) == nil)
    let token = try UnverifiedIDToken(Secret(forge.token(header: ["kid": #""third""#])))
    #expect(token.jws.header.keyID == "third")
    #expect(keys.keys(for: .es256, id: "third", permitting: SignatureAlgorithm.all).isEmpty)
    #expect(keys.keys(for: .es256, id: "k", permitting: SignatureAlgorithm.all).count == 1)
    var kelvin = forge.jwk
    kelvin["kid"] = "\"\u{212A}\""
    let spelled = try TokenForge.keySet([kelvin])
    #expect(try forge.refusal(of: forge.token(header: ["kid": #""\u212A""#]), keys: spelled) == nil)
    #expect(try forge.refusal(of: forge.token(header: ["kid": #""K""#]), keys: spelled) == .signature)
  }

  @Test func `a token without a key's name is believed by any key of the issuer, and no other`() throws {
    let keys = try TokenForge.keySet([TokenForge.jwk(P256.Signing.PrivateKey()), forge.jwk])
    #expect(try forge.refusal(of: forge.token(header: ["kid": nil]), keys: keys) == nil)
    #expect(try forge.refusal(of: TokenForge().token(header: ["kid": nil]), keys: keys) == .signature)
  }

  @Test func `two keys of the same name are both tried`() throws {
    let keys = try TokenForge.keySet([TokenForge.jwk(P256.Signing.PrivateKey()), forge.jwk])
    #expect(keys.keys.map(\.id) == ["k", "k"])
    #expect(try forge.refusal(of: forge.token(), keys: keys) == nil)
  }

  @Test func `a token of another type is refused`() throws {
    for type in ["at+jwt", "logout+jwt", "dpop+jwt", "JWS", "", "jwt "] {
      #expect(try forge.refusal(of: forge.token(header: ["typ": "\"\(type)\""])) == .idToken)
    }
    for type in ["JWT", "jwt", "application/jwt", "application/JWT"] {
      #expect(try forge.refusal(of: forge.token(header: ["typ": "\"\(type)\""])) == nil)
    }
    #expect(try forge.refusal(of: forge.token(header: ["typ": "1"])) == .idToken)
  }

  @Test func `a token beyond the limits is refused before anything is done with it`() throws {
    func padded(_ size: Int) -> String {
      let bare = forge.token(["pad": "\"\""]).utf8.count
      return forge.token(["pad": "\"\(String(repeating: "x", count: (size - bare) / 4 * 3))\""])
    }
    #expect(padded(65_536).utf8.count <= 65_536 && padded(65_536).utf8.count > 65_500)
    #expect(try forge.refusal(of: padded(65_536)) == nil)
    #expect(try forge.refusal(of: padded(65_560)) == .idToken)
    #expect(try forge.refusal(of: padded(5_000_000)) == .idToken)
    #expect(try forge.refusal(of: String(repeating: ".", count: 5_000_000)) == .idToken)
    let pad = String(repeating: "x", count: 3_000)
    #expect(try forge.refusal(of: forge.token(header: ["pad": "\"\(pad)\""])) == nil)
    #expect(
      try forge.refusal(of: forge.token(header: ["pad": "\"\(pad)xxxxxxxxxxxxxxxx\(pad.prefix(100))\""])) == .idToken)
  }

  @Test func `the limit that a token is beyond is named`() throws {
    let members = (0..<4_097).map { "\"\($0)\":0" }.joined(separator: ",")
    let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    for (token, limit) in [
      (String(repeating: "x", count: 65_537), "64 KiB"), (forge.token(["x": deep]), "32 levels"),
      (forge.token(payload: "{\(members)}"), "4,096 members"),
    ] {
      let error = #expect(throws: AuthenticationError.self) { try UnverifiedIDToken(Secret(token)) }
      #expect(error?.message.contains(limit) == true, "\(error?.message ?? "")")
    }
    let many = (0..<3_000).map { "\"\($0)\":0" }.joined(separator: ",")
    #expect(throws: Never.self) { try UnverifiedIDToken(Secret(forge.token(payload: "{\(many)}"))) }
  }

  @Test func `a token nested ten thousand deep is refused, in the header as in the claims`() throws {
    let deep = String(repeating: "[", count: 10_000)
    let closed = deep + String(repeating: "]", count: 10_000)
    for nested in [deep, closed] {
      #expect(try forge.refusal(of: forge.token(["x": nested])) == .idToken)
      #expect(try forge.refusal(of: forge.token(payload: nested)) == .idToken)
    }
    let header = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
    #expect(try forge.refusal(of: forge.token(header: ["x": header])) == .idToken)
  }

  @Test func `a name that stands twice is refused, in the header as in the claims`() throws {
    let claims = TokenForge.json(TokenForge.claims).dropLast()
    #expect(try forge.refusal(of: forge.token(payload: claims + #","sub":"eve"}"#)) == .idToken)
    #expect(try forge.refusal(of: forge.token(payload: claims + #","\u0073ub":"eve"}"#)) == .idToken)
    #expect(
      try forge.refusal(of: forge.token(payload: claims + "}", headerText: #"{"alg":"none","alg":"ES256"}"#))
        == .idToken)
  }

  @Test func `nothing is concluded from a token with a wrong signature`() throws {  // rule 21
    let otherKey = TokenForge()
    for changes in [["exp": "1"], ["iss": #""x""#], ["nonce": nil], ["aud": "1"]] as [[String: String?]] {
      #expect(try forge.refusal(of: otherKey.token(changes)) == .signature)
    }
  }

  @Test func `no word of a token is in an error or a description`() throws {
    let canary = "canary-7f3a"
    let tokens = [
      forge.token(["iss": "\"\(canary)\""]), forge.token(["aud": "\"\(canary)\""]),
      forge.token(["sub": "[\"\(canary)\"]"]),
      forge.token(header: ["kid": "\"\(canary)\""]), forge.token(header: ["alg": "\"\(canary)\""]),
      "\(canary).\(canary)",
    ]
    let keys = try forge.keys
    for token in tokens {
      do throws(AuthenticationError) {
        let unverified = try UnverifiedIDToken(Secret(token))
        var dumped = ""
        dump(unverified, to: &dumped)
        for text in [dumped, "\(unverified)", String(reflecting: unverified)] {
          #expect(!text.contains(canary) && !text.contains("["))
        }
        _ = try unverified.validated(by: keys, expecting: forge.expectations)
        Issue.record("believed")
      } catch {
        #expect(!"\(error)".contains(canary))
      }
    }
  }
}
