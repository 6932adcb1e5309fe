import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// RFC 9449. // rule 34
@Suite struct ProofOfPossessionKeyTests {
  let key = ProofOfPossessionKey()
  let url = URL(string: "https://api.example.com/me")!
  let now = Date(timeIntervalSince1970: 1_562_262_616.9)

  func claims(_ proof: String) throws -> [String: String] {
    let payload = try #require(Base64URL.decode(proof.split(separator: ".")[1]))
    let object = try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
    return object.mapValues { "\($0)" }
  }

  func target(_ url: String) throws -> String? {
    let url = try #require(URL(string: url))
    return try claims(key.proof(method: "GET", url: url, id: "1", at: now))["htu"]
  }

  @Test func `a proof is signed by the key in its own header, which holds nothing private`() throws {
    let proof = try key.proof(method: "POST", url: url, id: "1", at: now)
    let jws = try CompactJWS(proof)
    let header = try #require(Base64URL.decode(proof.prefix { $0 != "." }))
    let members = try #require(try JSONSerialization.jsonObject(with: header) as? [String: Any])
    #expect(Set(members.keys) == ["typ", "alg", "jwk"])
    #expect(members["typ"] as? String == "dpop+jwt" && members["alg"] as? String == "ES256")
    let jwk = try #require(members["jwk"] as? [String: String])
    #expect(Set(jwk.keys) == ["kty", "crv", "x", "y"])
    #expect(Base64URL.thumbprint(of: jwk) == key.thumbprint)
    let verifier = try #require(JSONWebKey(json: Array(JSONEncoder().encode(jwk)))).key
    #expect(verifier.isValid(jws.signature, of: jws.signed, by: .es256))
  }

  @Test func `a proof says which request it is for, and when`() throws {
    let bare = try claims(key.proof(method: "POST", url: url, id: "unique", at: now))
    #expect(bare == ["jti": "unique", "htm": "POST", "htu": "https://api.example.com/me", "iat": "1562262616"])
    let nonce = "a\"\\/é\n"
    let full = try claims(
      key.proof(
        method: "GET", url: url, accessToken: Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"), nonce: nonce,
        id: "1", at: now))
    #expect(full["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")  // RFC 9449 §7.1
    #expect(full["nonce"] == nonce && full["htm"] == "GET")
  }

  @Test func `the target is the URL as servers compare it`() throws {
    #expect(try target("HTTPS://API.Example.com:443/Me?q=1&r#top") == "https://api.example.com/Me")
    #expect(try target("http://127.0.0.1:80/") == "http://127.0.0.1/")
    #expect(try target("http://[::1]:8080/a%20b/") == "http://[::1]:8080/a%20b/")
    #expect(try target("https://api.example.com") == "https://api.example.com/")
    #expect(try target("https://api.example.com?x") == "https://api.example.com/")
    #expect(try target("https://user:secret@api.example.com:8443/%7Ea") == "https://api.example.com:8443/%7Ea")
    #expect(try target("http://api.example.com:443/") == "http://api.example.com:443/")
  }

  @Test(arguments: ["/me", "mailto:ada@example.com", "file:///etc/passwd"])
  func `a URL without a host cannot be proved for`(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: AuthenticationError(.invalidRequest, "")) {
      try key.proof(method: "GET", url: url, id: "1", at: now)
    }
  }

  @Test func `a stored key is the same key`() throws {
    let again = try ProofOfPossessionKey(key.stored)
    #expect(again.thumbprint == key.thumbprint && again.stored == key.stored)
    #expect(ProofOfPossessionKey().thumbprint != key.thumbprint)
  }

  @Test(arguments: ["", "AAAA", "not base64url", String(repeating: "A", count: 43)])
  func `text that is no key is a storage failure`(text: String) {
    #expect(throws: AuthenticationError(.storageCorrupt, "")) { try ProofOfPossessionKey(Secret(text)) }
  }

  @Test func `the private key is in no description`() {
    var dumped = ""
    dump(key, to: &dumped)
    for text in [dumped, "\(key)", String(reflecting: key)] { #expect(!text.contains(key.stored.reveal())) }
    #expect(dumped.split(separator: "\n").count == 1)
  }

  @Test func `the thumbprint printed in RFC 9449 6 1 is the key's`() throws {
    let printed = try #require(JOSEFixture.published.signatures["RFC 9449 4.1"]).key
    #expect(Base64URL.thumbprint(of: printed) == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
  }
}
