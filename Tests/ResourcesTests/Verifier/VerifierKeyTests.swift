import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID
@testable import AuthenticationVerifier

/// The issuer's keys change, and attackers invent some.
@Suite struct VerifierKeyTests {
  @Test func `a new key of the issuer is fetched once and accepted, and the old one is not any more`() async throws {
    let bench = try await VerifierBench()
    let verifier = try bench.verifier()
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
    let next = AccessTokenForge()
    var jwk = next.jwk
    jwk["kid"] = "next"
    bench.publish([jwk])
    let token = bench.token(header: ["kid": #""next""#], by: next)
    for _ in 0..<3 { #expect(try await bench.refusal(of: token, by: verifier) == nil) }
    #expect(bench.keyFetches == 2)
    #expect(try await bench.refusal(of: bench.token(), by: verifier)?.reason == .invalidToken)
  }

  @Test func `a new key under the old name is fetched once and accepted`() async throws {
    let bench = try await VerifierBench()
    let verifier = try bench.verifier()
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
    let next = AccessTokenForge()
    bench.publish([next.jwk])
    #expect(try await bench.refusal(of: bench.token(by: next), by: verifier) == nil)
    #expect(bench.keyFetches == 2)
  }

  @Test func `a thousand tokens of unknown keys cost one fetch in 30 seconds`() async throws {
    let bench = try await VerifierBench()
    let verifier = try bench.verifier()
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
    for number in 0..<1_000 {
      let token = bench.token(header: ["kid": "\"unknown-\(number)\""])
      #expect(try await bench.refusal(of: token, by: verifier)?.reason == .invalidToken)
    }
    #expect(bench.keyFetches == 2 && bench.loopback.requests(on: .discovery).count == 2)
    bench.clock.advance(by: .seconds(30))
    let token = bench.token(header: ["kid": #""unknown""#])
    for _ in 0..<3 { #expect(try await bench.refusal(of: token, by: verifier)?.reason == .invalidToken) }
    #expect(bench.keyFetches == 3)
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
  }

  @Test func `tokens of a new key that come at once share the fetch`() async throws {
    let bench = try await VerifierBench()
    let verifier = try bench.verifier()
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
    var jwk = bench.forge.jwk
    jwk["kid"] = "next"
    bench.publish([jwk])
    let token = bench.token(header: ["kid": #""next""#])
    bench.loopback.hold(.keys)
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { await verifier.refusal(bearing: token) == nil } }
      await bench.loopback.waitForRequest(on: .keys, count: 2)
      bench.loopback.release(.keys)
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(accepted == 20 && bench.keyFetches == 2)
  }

  @Test func `the last good keys stay in use while no others can be fetched, for a day`() async throws {
    let bench = try await VerifierBench()
    let verifier = try bench.verifier()
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
    bench.loopback.set(.usual(.status(503)), on: .keys)
    let unknown = bench.token(header: ["kid": #""unknown""#])
    #expect(try await bench.refusal(of: unknown, by: verifier)?.reason == .invalidToken)
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
    bench.clock.advance(by: .seconds(86_400))
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
    bench.clock.advance(by: .seconds(2 * 86_400))
    #expect(try await bench.refusal(of: bench.token(), by: verifier)?.reason == .unavailable)
  }

  @Test func `a key server that hangs keeps good tokens waiting for a second, once in a minute`() async throws {
    let bench = try await VerifierBench()
    let verifier = try bench.verifier()
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
    bench.clock.advance(by: .seconds(86_400))
    bench.loopback.hold(.keys)
    let token = bench.token()
    let first = Task { await verifier.refusal(bearing: token) }
    await bench.loopback.waitForRequest(on: .keys, count: 2)
    await bench.clock.waitForSleepers()
    bench.clock.advance(by: .seconds(1))
    #expect(await first.value == nil)
    #expect(await verifier.refusal(bearing: token) == nil)
    #expect(bench.keyFetches == 2)
    bench.loopback.release(.keys)
  }

  @Test func `keys of an issuer without metadata are set by hand`() async throws {
    let bench = try await VerifierBench()
    for endpoint in [LoopbackOpenIDIssuer.Endpoint.discovery, .oauthMetadata] {
      bench.loopback.set(.usual(.status(404)), on: endpoint)
    }
    #expect(try await bench.refusal(of: bench.token())?.reason == .unavailable)
    let verifier = try bench.verifier(endpoints: [.keySet: bench.loopback.url(.keys).absoluteString])
    #expect(try await bench.refusal(of: bench.token(), by: verifier) == nil)
  }

  @Test func `every key type of the issuer is accepted`() async throws {
    for algorithm in SigningAlgorithm.allCases {
      let server = try await ResourceServer(algorithm: algorithm)
      #expect(try await server.get("/mcp").status == 200, "\(algorithm)")
      await server.stop()
    }
  }
}
