import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Private keys as other programs write them.
@Suite struct SigningKeyTests {
  private static let keys = JOSEFixture.keys

  private func publicKey(_ members: [String: String]) throws -> JSONWebKey {
    try #require(JSONWebKey(json: Array(JSONEncoder().encode(members))))
  }

  private func key(_ members: [String: String]) throws(AuthenticationError) -> SigningKey {
    let json = (try? JSONEncoder().encode(members)) ?? Data()
    return try SigningKey(jwk: Secret(String(decoding: json, as: UTF8.self)))
  }

  private func fault(_ make: () throws(AuthenticationError) -> SigningKey) -> String? {
    do throws(AuthenticationError) {
      _ = try make()
      return nil
    } catch {
      return error == .invalidConfiguration ? error.message : nil
    }
  }

  /// Whether the public half verifies the key's signature.
  private func isPair(_ key: SigningKey, _ members: [String: String]) throws -> Bool {
    let token = try CompactJWS(try key.signed(["sub": "x"], type: "JWT").reveal())
    let algorithm = try #require(token.header.algorithm)
    return try publicKey(members).isValid(token.signature, of: token.signed, by: key.algorithm)
      && algorithm == key.algorithm
  }

  @Test(arguments: keys.pem.keys.sorted()) func `a key that OpenSSL has written signs`(name: String) throws {
    let key = try SigningKey(pem: Secret(try #require(Self.keys.pem[name])))
    let algorithm = try #require(name.split(separator: " ").first)
    #expect(key.algorithm.rawValue == algorithm && key.keyID == nil)
    #expect(try isPair(key, try #require(Self.keys.jwk[String(algorithm)])))
  }

  @Test(arguments: keys.jwk.keys.sorted()) func `a JSON Web Key signs, and has its own name`(name: String) throws {
    var members = try #require(Self.keys.jwk[name])
    let key = try key(members)
    #expect(key.algorithm.rawValue == name && key.keyID == nil)
    #expect(try isPair(key, members))
    members.merge(["kid": "2026", "use": "sig", "alg": name]) { $1 }
    let named = try self.key(members)
    #expect(named.keyID == "2026" && named != key)
    let header = { (keyID: String?) in try CompactJWS(try named.signed([:], type: "x", keyID: keyID).reveal()).header }
    #expect(try header(nil).keyID == "2026" && header("other").keyID == "other" && header(nil).type == "x")
  }

  @Test func `the same key in another form is equal`() throws {
    let keys = try ["ES256 PKCS#8", "ES256 SEC 1", "EdDSA PKCS#8"].map {
      try SigningKey(pem: Secret(try #require(Self.keys.pem[$0])))
    }
    #expect(keys[0] == keys[1] && keys[0].hashValue == keys[1].hashValue && keys[0] != keys[2])
  }

  @Test(arguments: [
    ("P-384", "neither P-256"), ("RSA of 1,024 bits", "at least 2,048 bits"), ("encrypted PKCS#8", "encrypted"),
    ("encrypted PKCS#1", "encrypted"), ("public", "public"),
  ])
  func `a key that cannot be used is refused with the reason`(name: String, reason: String) throws {
    let pem = Secret(try #require(Self.keys.refused[name]))
    #expect(fault { () throws(AuthenticationError) in try SigningKey(pem: pem) }?.contains(reason) == true)
  }

  @Test(arguments: ["", "secret", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])
  func `text that is no key is refused, and not shown`(text: String) {
    let message = fault { () throws(AuthenticationError) in try SigningKey(pem: Secret(text)) }
    #expect(message?.hasPrefix("The signing key is") == true && message?.contains("AAAA") == false)
  }

  @Test(arguments: keys.jwk.keys.sorted()) func `each member that is missing or wrong is named`(name: String) throws {
    let whole = try #require(Self.keys.jwk[name])
    for member in whole.keys {
      for value in [nil, "", "!", "AAAA"] {
        var members = whole
        members[member] = value
        let message = fault { () throws(AuthenticationError) in try key(members) }
        // A number of RSA that does not fit the others is found by the library alone.
        let isNamed = message?.contains("'\(member)'") == true
        #expect(isNamed || name == "RS256" && value == "AAAA" && message != nil, "\(member): \(message ?? "taken")")
        #expect(message?.contains(whole["d"] ?? "") != true)
      }
    }
  }

  @Test(arguments: [
    ("use", "enc"), ("alg", "RS384"), ("alg", "none"), ("crv", "P-384"), ("kty", "oct"), ("kty", "RSA"),
  ])
  func `a key for something else is refused`(member: String, value: String) throws {
    var members = try #require(Self.keys.jwk["ES256"])
    members[member] = value
    // As RSA it lacks the modulus.
    let named = value == "RSA" ? "n" : member
    #expect(fault { () throws(AuthenticationError) in try key(members) }?.contains("'\(named)'") == true)
  }

  @Test func `operations without signing are refused`() throws {
    var members = (try #require(Self.keys.jwk["ES256"])).mapValues { JSONValue.string($0) }
    for (operations, isFine) in [(["sign"], true), (["verify"], false)] as [([JSONValue], Bool)] {
      members["key_ops"] = .array(operations)
      let json = String(decoding: try #require(JSONMembers(members).json), as: UTF8.self)
      let message = fault { () throws(AuthenticationError) in try SigningKey(jwk: Secret(json)) }
      #expect((message == nil) == isFine)
    }
  }

  @Test func `a private point that is not that of the public one is refused`() throws {
    var members = try #require(Self.keys.jwk["ES256"])
    (members["x"], members["y"]) = (members["y"], members["x"])
    #expect(fault { () throws(AuthenticationError) in try key(members) }?.contains("'x'") == true)
  }

  @Test func `no text shows the key`() throws {
    let key = try key(try #require(Self.keys.jwk["EdDSA"]))
    var text = "\(key) \(String(reflecting: key)) \(ClientAuthentication.privateKeyJWT(key))"
    dump(ClientAuthentication.privateKeyJWT(key), to: &text)
    #expect(!text.contains(try #require(Self.keys.jwk["EdDSA"]?["d"])) && !text.contains("bytes"))
  }
}
