import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Crypto
import Foundation
import Synchronization
import Testing

@testable import AuthenticationOpenID
@testable import AuthenticationVerifier

/// A client that makes proofs, wrong ones too.
struct ProofForge {
  let bench: VerifierBench
  let forge = AccessTokenForge()

  var token: String { bench.token(["cnf": "{\"jkt\":\"\(forge.thumbprint)\"}"]) }

  /// Members as JSON text; nil takes one away.
  func proof(
    of token: String, _ changes: [String: String?] = [:], header: [String: String?] = [:],
    signedBy signer: AccessTokenForge? = nil
  ) -> String {
    var claims = [
      "jti": "\"\(UUID())\"", "htm": #""POST""#, "htu": #""https://notes.example.com/mcp""#,
      "iat": "\(Int(bench.clock.now.timeIntervalSince1970))", "ath": "\"\(Base64URL.sha256(of: token))\"",
    ]
    for (name, value) in changes { claims[name] = value }
    var members: [String: String?] = [
      "typ": #""dpop+jwt""#, "kid": nil, "jwk": AccessTokenForge.quoted(forge.publicKey),
    ]
    for (name, value) in header { members[name] = .some(value) }
    return (signer ?? forge).token(payload: AccessTokenForge.json(claims), header: members)
  }

  func refusal(
    _ changes: [String: String?] = [:], header: [String: String?] = [:], signedBy signer: AccessTokenForge? = nil,
    by verifier: AccessTokenVerifier? = nil, path: String = "/mcp"
  ) async throws -> AccessTokenRefusal? {
    let token = token
    return try await refusal(
      of: token, [proof(of: token, changes, header: header, signedBy: signer)], by: verifier, path: path)
  }

  func refusal(
    of token: String, _ proofs: [String], by verifier: AccessTokenVerifier? = nil, scheme: String = "DPoP",
    path: String = "/mcp"
  ) async throws -> AccessTokenRefusal? {
    var headers: HTTPHeaders = ["Authorization": "\(scheme) \(token)"]
    for proof in proofs { headers.append("DPoP", proof) }
    return await (try verifier ?? bench.verifier()).refusal(headers, method: "POST", path: path)
  }
}

/// RFC 9449 §4.3, rule by rule.
@Suite struct AccessTokenProofTests {
  @Test func `a token with the proof of its key is accepted`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    #expect(try await forge.refusal() == nil)
    #expect(try await forge.refusal(header: ["typ": #""DPoP+JWT""#]) == nil)
  }

  @Test func `a proof of this library's client is accepted`() async throws {
    let bench = try await VerifierBench()
    let key = ProofOfPossessionKey()
    let token = bench.token(["cnf": "{\"jkt\":\"\(key.thumbprint)\"}"])
    let proof = try key.proof(
      method: "POST", url: try #require(URL(string: "https://notes.example.com/mcp?x=1")), accessToken: Secret(token),
      id: "1", at: bench.clock.now)
    #expect(try await ProofForge(bench: bench).refusal(of: token, [proof], path: "/mcp?x=1") == nil)
  }

  @Test func `a bound token is no Bearer token, and an unbound one needs no proof`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let token = forge.token
    let refusal = try #require(try await forge.refusal(of: token, [forge.proof(of: token)], scheme: "Bearer"))
    #expect(refusal.reason == .invalidToken && refusal.status == 401)
    let unbound = forge.bench.token()
    #expect(try await forge.refusal(of: unbound, [forge.proof(of: unbound)])?.reason == .invalidToken)
    #expect(try await forge.refusal(of: unbound, [], scheme: "Bearer") == nil)
    let strict = try forge.bench.verifier(proofs: AccessTokenProofs(isRequired: true))
    let required = try #require(try await forge.refusal(of: unbound, [], by: strict, scheme: "Bearer"))
    #expect(required.reason == .invalidToken && required.challenges.count == 1)
    #expect(required.challenges[0].hasPrefix(#"DPoP error="invalid_token""#))
    #expect(try await forge.refusal(by: strict) == nil)
  }

  @Test func `there is exactly one proof`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let token = forge.token
    let (one, two) = (forge.proof(of: token), forge.proof(of: token))
    for proofs in [[], [""], [one, two], ["\(one), \(two)"], ["\(one),"], [one + "A"]] {
      let refusal = try #require(try await forge.refusal(of: token, proofs))
      #expect(refusal.reason == .invalidProof && refusal.status == 401)
      #expect(refusal.challenges.contains { $0.hasPrefix(#"DPoP error="invalid_dpop_proof""#) })
    }
  }

  @Test(
    arguments: [
      ["typ": #""JWT""#], ["typ": nil], ["typ": #""at+jwt""#], ["alg": #""none""#], ["alg": #""HS256""#],
      ["alg": #""ES384""#], ["alg": nil], ["jwk": nil], ["jwk": "{}"], ["jwk": #""x""#], ["crit": #"["exp"]"#],
      ["jwk": nil, "jku": #""https://evil.example/keys""#],
    ] as [[String: String?]])
  func `a proof with another header is refused`(header: [String: String?]) async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    #expect(try await forge.refusal(header: header)?.reason == .invalidProof)
  }

  @Test func `a proof brings a public key, and is signed by it`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
      let jwk = AccessTokenForge.quoted(forge.forge.publicKey.merging([name: "AAAA"]) { $1 })
      #expect(try await forge.refusal(header: ["jwk": jwk])?.reason == .invalidProof, "\(name)")
    }
    #expect(try await forge.refusal(signedBy: AccessTokenForge())?.reason == .invalidProof)
    let weak = ["kty": "oct", "k": "AAAA"]
    #expect(try await forge.refusal(header: ["jwk": AccessTokenForge.quoted(weak)])?.reason == .invalidProof)
  }

  @Test func `a proof by another key than the token's is refused`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let other = AccessTokenForge()
    let jwk = AccessTokenForge.quoted(other.publicKey)
    #expect(try await forge.refusal(header: ["jwk": jwk], signedBy: other)?.reason == .invalidProof)
  }

  @Test(
    arguments: [
      ["jti": nil], ["jti": #""""#], ["jti": "1"], ["htm": nil], ["htm": #""GET""#], ["htm": #""post""#],
      ["htu": nil], ["htu": #""https://notes.example.com/""#], ["htu": #""https://notes.example.com/mcp/""#],
      ["htu": #""http://notes.example.com/mcp""#], ["htu": #""https://evil.example/mcp""#],
      ["htu": #""https://notes.example.com:8443/mcp""#], ["htu": #""/mcp""#], ["htu": #""""#], ["iat": nil],
      ["iat": #""now""#], ["ath": nil], ["ath": #""AAAA""#], ["ath": #""""#],
    ] as [[String: String?]])
  func `a proof for another request is refused`(changes: [String: String?]) async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    #expect(try await forge.refusal(changes)?.reason == .invalidProof)
  }

  @Test(arguments: [
    "https://notes.example.com/mcp?x=1", "https://notes.example.com/mcp#x", "HTTPS://NOTES.example.com:443/mcp",
    "https://notes.example.com/./mcp", "https://notes.example.com/a/../mcp", "https://notes.example.com/../mcp",
    "https://notes.example.com/%6Dcp", "https://notes.example.com/a/%2e%2E/mcp",
  ])
  func `a URL that is the same when normalized is the same`(url: String) async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    #expect(try await forge.refusal(["htu": "\"\(url)\""]) == nil)
  }

  @Test(arguments: [
    ("/a%2fb", "/a%2Fb", true), ("/a%2fb", "/a/b", false), ("/~ada", "/%7Eada", true), ("/a/", "/a/b/..", true),
    ("/a/", "/a/.", true), ("/a", "/a/.", false), ("/a%25", "/a%26", false),
    ("/a//b", "/a/b", false),
  ])
  func `a proof is for the same path after normalization`(path: String, other: String, isSame: Bool) async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    for (asked, proven) in [(path, other), (other, path)] {
      let url = "\"https://notes.example.com\(proven)\""
      #expect(try await forge.refusal(["htu": url], path: asked)?.reason == (isSame ? nil : .invalidProof))
    }
  }

  @Test func `the URL is below the configured base, whatever the request says`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let verifier = try forge.bench.verifier(baseURL: "https://api.example.com/v1/")
    let url = #""https://api.example.com/v1/mcp""#
    #expect(try await forge.refusal(["htu": url], by: verifier, path: "/mcp?x=1") == nil)
    #expect(try await forge.refusal(by: verifier)?.reason == .invalidProof)
    for path in ["", "mcp", "https://evil.example/mcp", "@evil.example/mcp"] {
      #expect(try await forge.refusal(["htu": url], by: verifier, path: path)?.reason == .invalidProof)
    }
  }

  @Test func `a proof is as old as the leeway at most`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let now = Int(forge.bench.clock.now.timeIntervalSince1970)
    for (iat, isAccepted) in [(now - 60, true), (now - 61, false), (now + 5, true), (now + 6, false)] {
      #expect(try await forge.refusal(["iat": "\(iat)"])?.reason == (isAccepted ? nil : .invalidProof), "\(iat - now)")
    }
  }

  @Test func `a proof counts once, also at the last moment`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let verifier = try forge.bench.verifier()
    let token = forge.token
    let iat = Int(forge.bench.clock.now.timeIntervalSince1970) + 5
    let proof = forge.proof(of: token, ["iat": "\(iat)", "jti": #""once""#])
    #expect(try await forge.refusal(of: token, [proof], by: verifier) == nil)
    #expect(try await forge.refusal(of: token, [proof], by: verifier)?.reason == .invalidProof)
    forge.bench.clock.advance(by: .seconds(65))
    #expect(try await forge.refusal(of: token, [proof], by: verifier)?.reason == .invalidProof)
    // Another key may use the same jti.
    let other = ProofForge(bench: forge.bench)
    let second = other.token
    #expect(try await other.refusal(of: second, [other.proof(of: second, ["jti": #""once""#])], by: verifier) == nil)
  }

  @Test func `of one proof that comes a hundred times at once, one is accepted`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let verifier = try forge.bench.verifier()
    let token = forge.token
    let proof = forge.proof(of: token)
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 {
        group.addTask {
          await verifier.refusal(["Authorization": "DPoP \(token)", "DPoP": proof], method: "POST") == nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(accepted == 1)
  }

  @Test func `a proof that is refused is not remembered`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let store = RecordingStore()
    let verifier = try forge.bench.verifier(proofs: AccessTokenProofs(replays: store))
    for changes in [["ath": #""x""#], ["htm": #""GET""#], ["iat": "1"]] {
      #expect(try await forge.refusal(changes, by: verifier)?.reason == .invalidProof)
    }
    #expect(store.proofs.isEmpty)
    #expect(try await forge.refusal(["jti": #""x""#], by: verifier) == nil)
    let key = Base64URL.sha256(of: "\(forge.forge.thumbprint).x")
    #expect(store.proofs == [key: forge.bench.clock.now.addingTimeInterval(61)])
  }

  @Test func `a store that fails or is full refuses, and is no fault of the client's`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let store = RecordingStore()
    store.fails.withLock { $0 = true }
    let verifier = try forge.bench.verifier(proofs: AccessTokenProofs(replays: store))
    let refusal = try #require(try await forge.refusal(by: verifier))
    #expect(refusal.reason == .unavailable && refusal.status == 503)

    let clock = forge.bench.clock
    let full = InMemoryReplayStore(clock: clock, capacity: 2)
    let end = clock.now.addingTimeInterval(60)
    for proof in ["a", "b"] { #expect(try full.insert(proof, of: "key of \(proof)", until: end)) }
    #expect(throws: InMemoryReplayStore.Full.self) { try full.insert("c", of: "key of c", until: end) }
    #expect(try !full.insert("a", of: "key of a", until: end))
    clock.advance(by: .seconds(61))
    #expect(try full.insert("c", of: "key of c", until: clock.now.addingTimeInterval(60)))
  }

  @Test func `a client that fills its share of the store leaves the others theirs`() throws {
    let clock = ManualClock()
    let store = InMemoryReplayStore(clock: clock, capacity: 160)
    let end = clock.now.addingTimeInterval(60)
    for number in 0..<10 { #expect(try store.insert("flood \(number)", of: "flooding", until: end)) }
    for number in 10..<200 {
      #expect(throws: InMemoryReplayStore.Full.self) {
        try store.insert("flood \(number)", of: "flooding", until: end)
      }
    }
    for number in 0..<10 { #expect(try store.insert("good \(number)", of: "good", until: end)) }
    clock.advance(by: .seconds(61))
    #expect(try store.insert("later", of: "flooding", until: clock.now.addingTimeInterval(60)))
  }

  // MARK: Nonces (RFC 9449 §9)

  static let secret = Secret("0123456789abcdef0123456789abcdef")

  @Test func `a proof without the server's nonce is asked for again, with one`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let verifier = try forge.bench.verifier(proofs: AccessTokenProofs(nonceSecret: Self.secret))
    let refusal = try #require(try await forge.refusal(by: verifier))
    #expect(refusal.reason == .nonceRequired && refusal.status == 401)
    #expect(refusal.challenges.contains { $0.hasPrefix(#"DPoP error="use_dpop_nonce""#) })
    let nonce = try #require(refusal.headers["DPoP-Nonce"])
    #expect(try await forge.refusal(["nonce": "\"\(nonce)\""], by: verifier) == nil)
    for other in ["\(nonce.dropLast())A", "", String(nonce.reversed())] {
      #expect(try await forge.refusal(["nonce": "\"\(other)\""], by: verifier)?.reason == .nonceRequired)
    }
    // Another process with the same secret accepts it, one with another does not.
    let same = try forge.bench.verifier(proofs: AccessTokenProofs(nonceSecret: Self.secret))
    #expect(try await forge.refusal(["nonce": "\"\(nonce)\""], by: same) == nil)
    let other = Secret(String(Self.secret.reveal().reversed()))
    let foreign = try forge.bench.verifier(proofs: AccessTokenProofs(nonceSecret: other))
    #expect(try await forge.refusal(["nonce": "\"\(nonce)\""], by: foreign)?.reason == .nonceRequired)
  }

  @Test func `a nonce is replaced before it expires, and refused after`() async throws {
    let forge = ProofForge(bench: try await VerifierBench())
    let verifier = try forge.bench.verifier(proofs: AccessTokenProofs(nonceSecret: Self.secret))
    let nonce = try #require(try await forge.refusal(by: verifier)?.headers["DPoP-Nonce"])
    func fields() async throws -> HTTPHeaders {
      let token = forge.token
      return try await verifier.verify(
        method: "POST", path: "/mcp",
        headers: ["Authorization": "DPoP \(token)", "DPoP": forge.proof(of: token, ["nonce": "\"\(nonce)\""])]
      ).responseHeaders
    }
    #expect(try await fields()["DPoP-Nonce"] == nil)
    forge.bench.clock.advance(by: .seconds(RollingNonces.period))
    let next = try #require(try await fields()["DPoP-Nonce"])
    #expect(next != nonce)
    forge.bench.clock.advance(by: .seconds(RollingNonces.period))
    #expect(try await forge.refusal(["nonce": "\"\(nonce)\""], by: verifier)?.reason == .nonceRequired)
    #expect(try await forge.refusal(["nonce": "\"\(next)\""], by: verifier) == nil)
  }
}

/// A store of a server's own.
private final class RecordingStore: ProofReplayStore {
  struct Down: Error {}

  let fails = Mutex(false)
  private let recorded = Mutex<[String: Date]>([:])

  var proofs: [String: Date] { recorded.withLock { $0 } }

  func insert(_ proof: String, until expiry: Date) async throws -> Bool {
    if fails.withLock({ $0 }) { throw Down() }
    return recorded.withLock { $0.updateValue(expiry, forKey: proof) == nil }
  }
}
