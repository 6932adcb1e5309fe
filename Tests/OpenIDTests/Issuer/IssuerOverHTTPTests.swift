import AuthenticationData
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct IssuerOverHTTPTests {
  private func failure(_ bench: IssuerBench) async -> AuthenticationError? {
    do throws(AuthenticationError) {
      _ = try await bench.issuer.metadata()
      return nil
    } catch {
      return error
    }
  }

  @Test func `an issuer that does not listen is unreachable`() async throws {
    let bench = try await IssuerBench()
    await bench.loopback.stop()
    #expect(await failure(bench) == .unreachable)
  }

  @Test func `a plain OAuth issuer with a path is found, rule 13`() async throws {
    let bench = try await IssuerBench { $0.path = "/tenant" }
    bench.loopback.set(.usual(.status(404)), on: .discovery)
    #expect(try await bench.issuer.metadata().issuer == bench.loopback.identifier)
    #expect(bench.loopback.requests(on: .oauthMetadata).count == 1)
  }

  @Test func `a redirected discovery goes nowhere, rule 15`() async throws {
    let bench = try await IssuerBench()
    let elsewhere = try await IssuerBench()
    bench.loopback.set(.usual(.redirect(to: elsewhere.loopback.url(.discovery))), on: .discovery)
    #expect(await failure(bench) == .unexpectedResponse)
    #expect(elsewhere.loopback.allRequests.isEmpty)
  }

  @Test(arguments: [
    (LoopbackOpenIDIssuer.Fault.usual(.html), AuthenticationError.unexpectedResponse),
    (.usual(.truncatedJSON), .unexpectedResponse), (.usual(.empty), .unexpectedResponse),
    (.usual(.huge(bytes: 5_000_000)), .responseTooLarge), (.usual(.dropAfterProcessing), .connectionLost),
    (.usual(.status(503)), .serverFailed), (.usual(.basicChallenge), .unexpectedResponse),
  ])
  func `a broken discovery document is reported with the error that fits the fault`(
    _ fault: LoopbackOpenIDIssuer.Fault, _ code: AuthenticationError
  ) async throws {
    let bench = try await IssuerBench()
    bench.loopback.set(fault, on: .discovery)
    #expect(await failure(bench) == code)
  }

  @Test(arguments: [
    (LoopbackOpenIDIssuer.Fault.usual(.html), AuthenticationError.unexpectedResponse),
    (.usual(.truncatedJSON), .unexpectedResponse), (.usual(.huge(bytes: 5_000_000)), .responseTooLarge),
    (.body("{\"keys\":7}"), .unexpectedResponse), (.usual(.status(500)), .serverFailed),
  ])
  func `a broken key set is reported with the error that fits the fault`(
    _ fault: LoopbackOpenIDIssuer.Fault, _ code: AuthenticationError
  ) async throws {
    let bench = try await IssuerBench()
    bench.loopback.set(fault, on: .keys)
    #expect(try await bench.refusal() == code)
    bench.loopback.set(nil, on: .keys)
    #expect(try await bench.refusal() == nil)
  }

  @Test func `a key of 512 bits is not accepted, rule 28`() async throws {
    let bench = try await IssuerBench()
    bench.loopback.quirks.keySet = .keySetOf512Bits
    #expect(try await bench.refusal()?.reason == .signature)
    bench.loopback.quirks.keySet = nil
    bench.loopback.quirks.hidesKeys = true
    #expect(try await bench.refusal()?.reason == .signature)
  }

  @Test func `a token of 5 MB is refused before anything is fetched for it`() async throws {
    let bench = try await IssuerBench()
    let huge = Secret(String(repeating: "x", count: 5_000_000))
    #expect(await bench.refusal(of: huge)?.reason == .idToken)
    #expect(bench.loopback.allRequests.isEmpty)
  }

  @Test func `endpoints with a double slash are used as they are published`() async throws {
    let bench = try await IssuerBench()
    bench.loopback.quirks.doublesSlashes = true
    _ = try await bench.validate(bench.sendToken().token)
    #expect(bench.loopback.requests(on: .keys).first?.path == "//jwks")
  }
}
