import AuthenticationData
import AuthenticationDomain
import AuthenticationTestingServers
import Crypto
import Foundation
import Testing

@testable import AuthenticationOpenID
@testable import AuthenticationVerifier

/// Changes that an attacker without the issuer's key can make to an access token.
@Suite struct HostileAccessTokenTests {
  @Test(arguments: ["none", "None", "nOnE", "HS256", "HS384", "HS512", "ES256K", "Ed25519", "", "es256"])
  func `an algorithm that is no signature of the issuer's is refused`(name: String) async throws {
    let bench = try await VerifierBench()
    let token = bench.token(header: ["alg": "\"\(name)\""])
    #expect(try await bench.refusal(of: token)?.reason == .invalidToken)
    let unsigned = token.split(separator: ".").prefix(2).joined(separator: ".") + "."
    #expect(try await bench.refusal(of: unsigned)?.reason == .invalidToken)
  }

  @Test func `a MAC with the public key as its secret is refused`() async throws {
    let bench = try await VerifierBench()
    let body = bench.token(header: ["alg": #""HS256""#]).split(separator: ".").prefix(2).joined(separator: ".")
    let published = try await SystemHTTPBody.get(bench.loopback.url(.keys))
    let der = bench.forge.key.publicKey.derRepresentation
    let pem = Data(bench.forge.key.publicKey.pemRepresentation.utf8)
    for secret in [published, der, pem, bench.forge.key.publicKey.rawRepresentation] {
      let mac = HMAC<SHA256>.authenticationCode(for: Data(body.utf8), using: SymmetricKey(data: secret))
      #expect(try await bench.refusal(of: "\(body).\(Base64URL.encode(mac))")?.reason == .invalidToken)
    }
  }

  @Test func `a token that demands an extension is refused, whichever`() async throws {
    let bench = try await VerifierBench()
    for crit in [#"["exp"]"#, #"["b64"]"#, "[]", "null", #""exp""#] {
      let token = bench.token(header: ["crit": crit, "b64": "true"])
      #expect(try await bench.refusal(of: token)?.reason == .invalidToken, "\(crit)")
    }
  }

  @Test func `a key that the token brings along is not looked at`() async throws {
    let bench = try await VerifierBench()
    let other = AccessTokenForge()
    let jwk = AccessTokenForge.quoted(other.jwk)
    for header in [
      ["jwk": jwk], ["jku": #""https://evil.example/keys""#], ["x5u": #""https://evil.example/cert""#],
      ["x5c": #"["AAAA"]"#], ["jwk": jwk, "kid": nil],
    ] as [[String: String?]] {
      #expect(try await bench.refusal(of: bench.token(header: header, by: other))?.reason == .invalidToken)
      #expect(try await bench.refusal(of: bench.token(header: header)) == nil)
    }
  }

  @Test func `a token that names another key of the issuer, or none that it has, is refused`() async throws {
    let bench = try await VerifierBench()
    var second = AccessTokenForge().jwk
    second["kid"] = "second"
    bench.publish([bench.forge.jwk, second])
    let verifier = try bench.verifier()
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
    #expect(try await bench.refusal(of: bench.token(header: ["kid": nil]), by: verifier) == nil)
    for name in ["second", "third", "../k", ""] {
      let token = bench.token(header: ["kid": "\"\(name)\""])
      #expect(try await bench.refusal(of: token, by: verifier)?.reason == .invalidToken)
    }
    #expect(try await bench.refusal(of: bench.token(header: ["kid": "1"]), by: verifier)?.reason == .invalidToken)
  }

  @Test func `an algorithm that the server did not permit is refused`() async throws {
    let bench = try await VerifierBench()
    let verifier = try bench.verifier(algorithms: [.rs256])
    #expect(try await bench.refusal(of: bench.token(), by: verifier)?.reason == .invalidToken)
  }

  @Test func `a signature or a segment that was changed is refused`() async throws {
    let bench = try await VerifierBench()
    let verifier = try bench.verifier()
    let segments = bench.token().split(separator: ".").map(String.init)
    let signature = try #require(Base64URL.decode(segments[2]))
    for index in signature.indices {
      var flipped = signature
      flipped[index] ^= 1
      let token = "\(segments[0]).\(segments[1]).\(Base64URL.encode(flipped))"
      #expect(try await bench.refusal(of: token, by: verifier)?.reason == .invalidToken)
    }
    for index in segments.indices {
      for length in stride(from: 0, to: segments[index].count, by: 7) {
        var cut = segments
        cut[index] = String(segments[index].prefix(length))
        let reason = try await bench.refusal(of: cut.joined(separator: "."), by: verifier)?.reason
        #expect(reason == .invalidToken, "segment \(index) cut to \(length)")
      }
    }
    for token in [segments.dropLast().joined(separator: "."), (segments + ["A"]).joined(separator: ".")] {
      #expect(try await bench.refusal(of: token, by: verifier)?.reason == .invalidToken)
    }
    #expect(bench.keyFetches <= 2)
  }

  @Test func `a name that stands twice is refused, in the header as in the claims`() async throws {
    let bench = try await VerifierBench()
    let claims = try #require(Base64URL.decode(bench.token().split(separator: ".")[1]))
    let payload = String(decoding: claims, as: UTF8.self)
    for more in [#","sub":"eve"}"#, #","\u0073ub":"eve"}"#, #","scope":"admin"}"#] {
      let token = bench.forge.token(payload: payload.dropLast() + more)
      #expect(try await bench.refusal(of: token)?.reason == .invalidToken)
    }
    let header = #"{"alg":"none","alg":"ES256","kid":"k","typ":"at+jwt"}"#
    let twice = bench.forge.token(payload: payload, headerText: header)
    #expect(try await bench.refusal(of: twice)?.reason == .invalidToken)
    for payload in ["", "[]", "null", "\"x\"", "{", payload + "x"] {
      #expect(try await bench.refusal(of: bench.forge.token(payload: payload))?.reason == .invalidToken)
    }
  }

  @Test func `a token beyond the limits is refused before anything is fetched for it`() async throws {
    let bench = try await VerifierBench()
    let pad = "\"\(String(repeating: "x", count: 60_000))\""
    let introspection = AccessTokenIntrospection(clientID: "api", authentication: .none)
    let verifier = try bench.verifier(introspection: introspection)
    for token in [bench.token(["pad": pad]), String(repeating: "x", count: 5_000_000)] {
      #expect(try await bench.refusal(of: token, by: verifier)?.reason == .invalidToken)
    }
    #expect(bench.loopback.allRequests.isEmpty)
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    #expect(try await bench.refusal(of: bench.token(["x": deep]), by: verifier)?.reason == .invalidToken)
    #expect(try await bench.refusal(of: bench.token(header: ["x": "\(deep.prefix(3_000))"]))?.reason == .invalidToken)
  }

  @Test func `a token that is bound in a way that is not checked here is refused`() async throws {
    let bench = try await VerifierBench()
    for confirmation in ["{}", #"{"x5t#S256":"AAAA"}"#, #"{"jkt":1}"#, "\"x\"", #"{"jkt":"a","jkt":"b"}"#] {
      #expect(try await bench.refusal(of: bench.token(["cnf": confirmation]))?.reason == .invalidToken)
    }
  }

  @Test func `a refusal shows nothing of the token or the credentials`() async throws {
    let bench = try await VerifierBench()
    let canary = "canary-7f3a"
    let introspection = AccessTokenIntrospection(clientID: "api", authentication: .secret(Secret(canary)))
    let verifier = try bench.verifier(introspection: introspection, proofs: AccessTokenProofs(isRequired: true))
    for token in [
      bench.token(["iss": "\"\(canary)\""]), bench.token(["sub": "[\"\(canary)\"]"]),
      bench.token(["aud": "\"\(canary)\""]), bench.token(header: ["kid": "\"\(canary)\""]),
      bench.token(header: ["typ": "\"\(canary)\""]), canary, "\(canary).\(canary).\(canary)",
    ] {
      for scheme in ["Bearer", "DPoP", canary] {
        let refusal = try #require(await verifier.refusal(["Authorization": "\(scheme) \(token)", "DPoP": canary]))
        let text = "\(refusal)" + refusal.headers.fields.map { $0.value.reveal() }.joined()
        var dumped = ""
        dump(refusal, to: &dumped)
        #expect(!text.contains(canary) && !dumped.contains(canary))
      }
    }
  }
}

/// The body that an address serves.
enum SystemHTTPBody {
  static func get(_ url: URL) async throws -> Data {
    try await SystemHTTPClient().send(HTTPRequest(.get, url)).body
  }
}
