import AuthenticationDomain
import AuthenticationTestingServers
import Testing

@testable import AuthenticationOpenID

@Suite struct ClockSkewTests {
  @Test(arguments: [-3_600, -61, 3_600])
  func `a token that is good by the issuer's clock only blames this device's clock`(_ offset: Int) async throws {
    let bench = try await IssuerBench()
    bench.loopback.quirks.clockOffset = .seconds(-offset)
    let sent = try await bench.sendToken()
    let error = await bench.refusal(of: sent.token, serverDate: sent.date)
    #expect(error == .clockSkewed)
    #expect(error?.clockOffset == .seconds(offset))
    #expect(await bench.refusal(of: sent.token)?.reason == .lifetime, "the issuer's time is unknown")
  }

  @Test func `a difference within the tolerance is none`() async throws {
    let bench = try await IssuerBench()
    bench.loopback.quirks.clockOffset = .seconds(59)
    let sent = try await bench.sendToken()
    _ = try await bench.validate(sent.token, serverDate: sent.date)
  }

  @Test func `a token that is over by both clocks is over, rule 23`() async throws {
    let bench = try await IssuerBench()
    bench.loopback.quirks.clockOffset = .seconds(-3_600)
    bench.loopback.quirks.idTokenClaims = ["exp": 1_500_000_000, "iat": 1_400_000_000]
    let sent = try await bench.sendToken()
    #expect(await bench.refusal(of: sent.token, serverDate: sent.date)?.reason == .lifetime)
  }

  @Test func `a skewed clock excuses no other fault, rule 23`() async throws {
    let bench = try await IssuerBench()
    bench.loopback.quirks.clockOffset = .seconds(3_600)
    bench.loopback.quirks.idTokenClaims = ["nonce": "other"]
    let sent = try await bench.sendToken()
    #expect(await bench.refusal(of: sent.token, serverDate: sent.date)?.reason == .lifetime)
  }
}
