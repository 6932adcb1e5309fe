import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct IssuerKeysTests {
  @Test(arguments: SigningAlgorithm.allCases)
  func `an ID token signed with the issuer's key is believed, rule 21`(_ algorithm: SigningAlgorithm) async throws {
    let bench = try await IssuerBench { $0.algorithm = algorithm }
    let token = try await bench.validate(bench.sendToken().token)
    #expect(token.user.id == LoopbackOpenIDIssuer.Account.ada.subject)
    _ = try await bench.validate(bench.sendToken().token)
    #expect(bench.keyFetches == 1 && bench.loopback.requests(on: .discovery).count == 1)
  }

  @Test func `an RSA key that names no algorithm serves the signing algorithms that the issuer lists, rule 27`()
    async throws
  {
    let bench = try await IssuerBench { $0.algorithm = .rs512 }
    bench.loopback.quirks.metadata = ["id_token_signing_alg_values_supported": ["RS256", "RS512"]]
    let keys = try await bench.keysWithoutAlgorithms().map { JSON.object($0.mapValues { .string($0) }) }
    bench.loopback.quirks.keySet = ["keys": .array(keys)]
    let fetches = bench.keyFetches
    _ = try await bench.validate(bench.sendToken().token)
    #expect(bench.keyFetches == fetches + 1, "The first set was enough.")
  }

  // rule 27
  @Test(arguments: [[SigningAlgorithm.rs256, .rs512], [.rs512, .rs256]])
  func `an RSA key that served one algorithm serves no other`(_ order: [SigningAlgorithm]) async throws {
    // Two issuers of one process have the same RSA key.
    let first = try await IssuerBench { $0.algorithm = order[0] }
    let second = try await IssuerBench { $0.algorithm = order[1] }
    let published = try await first.keysWithoutAlgorithms()
    let others = try await second.keysWithoutAlgorithms()
    try #require(published.map { $0["n"] } == others.map { $0["n"] })
    let keys = { try JSONWebKeySet(json: JSONEncoder().encode(["keys": published])) }
    let tokens = try await (first.sendToken().token.reveal(), second.sendToken().token.reveal())
    let used = try keys()
    #expect(try Refusal.check(of: tokens.0, by: used, expecting: first.expectations()) == nil)
    #expect(try Refusal.check(of: tokens.1, by: used, expecting: second.expectations()) == .signature)
    #expect(try Refusal.check(of: tokens.0, by: used, expecting: first.expectations()) == nil)
    #expect(try Refusal.check(of: tokens.1, by: keys(), expecting: second.expectations()) == nil)
  }

  @Test(arguments: [true, false])
  func `a new key of the issuer is fetched once and believed`(_ keepingOld: Bool) async throws {
    let bench = try await IssuerBench()
    let old = try await bench.sendToken().token
    _ = try await bench.validate(old)
    bench.loopback.rotateKeys(keepingOld: keepingOld)
    _ = try await bench.validate(bench.sendToken().token)
    #expect(bench.keyFetches == 2)
    #expect(await bench.refusal(of: old)?.reason == (keepingOld ? nil : .signature))
    #expect(bench.keyFetches == 2)
  }

  // failure row 35
  @Test func `tokens of 1000 unknown keys cost one fetch in 30 seconds, not one each`() async throws {
    let bench = try await IssuerBench()
    let good = try await bench.sendToken().token
    _ = try await bench.validate(good)
    for _ in 1...1_000 {
      let forged = try good.naming(key: "unknown-\(UUID())")
      #expect(await bench.refusal(of: forged)?.reason == .signature)
    }
    #expect(bench.keyFetches == 2 && bench.loopback.requests(on: .discovery).count == 2)
    _ = try await bench.validate(good)
    bench.loopback.quirks.idTokenHeader = ["kid": "unknown"]
    bench.clock.advance(by: .seconds(29))
    #expect(try await bench.refusal()?.reason == .signature)
    #expect(bench.keyFetches == 2)
    bench.clock.advance(by: .seconds(1))
    #expect(try await bench.refusal()?.reason == .signature)
    #expect(bench.keyFetches == 3)
  }

  @Test(arguments: [LoopbackOpenIDIssuer.Quirks.Signature.altered, .ofAnotherKey, .missing])
  func `forged signatures of a known key cost one fetch, and are never believed, rule 21`(
    _ signature: LoopbackOpenIDIssuer.Quirks.Signature
  ) async throws {
    let bench = try await IssuerBench()
    let good = try await bench.sendToken().token
    _ = try await bench.validate(good)
    bench.loopback.quirks.signature = signature
    for _ in 0..<3 { #expect(try await bench.refusal() == .security) }
    #expect(bench.keyFetches <= 2)
    _ = try await bench.validate(good)
  }

  @Test func `unknown keys that come all at once share the fetch`() async throws {
    let bench = try await IssuerBench()
    _ = try await bench.validate(bench.sendToken().token)
    bench.loopback.rotateKeys()
    let token = try await bench.sendToken().token
    bench.loopback.hold(.keys)
    let believed = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { await bench.refusal(of: token) == nil } }
      await bench.loopback.waitForRequest(on: .keys, count: 2)
      bench.loopback.release(.keys)
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(believed == 20)
    #expect(bench.keyFetches == 2 && bench.loopback.requests(on: .discovery).count == 2)
  }

  @Test func `where the keys cannot be fetched anew, the old ones serve`() async throws {
    let bench = try await IssuerBench()
    let good = try await bench.sendToken().token
    _ = try await bench.validate(good)
    bench.loopback.set(.usual(.status(503)), on: .keys)
    bench.loopback.quirks.idTokenHeader = ["kid": "unknown"]
    #expect(try await bench.refusal()?.reason == .signature)
    _ = try await bench.validate(good)
    bench.loopback.quirks.idTokenHeader = [:]
    bench.clock.advance(by: .seconds(86_400))
    _ = try await bench.validate(bench.sendToken().token)
    #expect(bench.keyFetches == 3)
  }

  @Test func `a token of a key that signed without a name is believed after a rotation`() async throws {
    let bench = try await IssuerBench()
    bench.loopback.quirks.idTokenHeader = ["kid": .absent]
    _ = try await bench.validate(bench.sendToken().token)
    bench.loopback.rotateKeys()
    _ = try await bench.validate(bench.sendToken().token)
    #expect(bench.keyFetches == 2)
  }

  @Test func `an issuer that signs in another way now, or keeps its keys elsewhere, is believed`() async throws {
    let bench = try await IssuerBench()
    _ = try await bench.validate(bench.sendToken().token)
    bench.loopback.rotateKeys(to: .es256)
    _ = try await bench.validate(bench.sendToken().token)
    bench.clock.advance(by: .seconds(30))
    bench.loopback.quirks.doublesSlashes = true
    bench.loopback.rotateKeys()
    _ = try await bench.validate(bench.sendToken().token)
    #expect(bench.loopback.requests(on: .discovery).count == 3)
  }

  @Test func `an algorithm the issuer does not say it signs with is refused, rule 22`() async throws {
    let bench = try await IssuerBench()
    bench.loopback.quirks.metadata = ["id_token_signing_alg_values_supported": ["ES256"]]
    #expect(try await bench.refusal()?.reason == .signature)
  }

  @Test func `an issuer that publishes no keys cannot vouch for anybody, rule 21`() async throws {
    let bench = try await IssuerBench()
    bench.loopback.quirks.metadata = ["jwks_uri": .absent]
    #expect(try await bench.refusal()?.reason == .signature)
  }
}

extension Secret {
  /// The same token, but that its header names this key: the signature is the old one.
  fileprivate func naming(key: String) throws -> Self {
    let parts = reveal().split(separator: ".").map(String.init)
    let bytes = try #require(Base64URL.decode(parts[0]))
    var header = try JSONDecoder().decode([String: String].self, from: bytes)
    header["kid"] = key
    let renamed = Base64URL.encode(try JSONEncoder().encode(header))
    return Self([renamed, parts[1], parts[2]].joined(separator: "."))
  }
}
