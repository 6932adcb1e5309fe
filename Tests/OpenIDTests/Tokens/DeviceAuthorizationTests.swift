import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

/// How often a device asks, and when it stops (RFC 8628 §3.5). // rule 36
@Suite(.timeLimit(.minutes(10))) struct DeviceAuthorizationTests {
  private static let good = Answer.success(json(200, #"{"access_token":"a","token_type":"Bearer"}"#))
  private static func refusal(_ code: String, status: Int = 400, _ headers: HTTPHeaders = [:]) -> Answer {
    .success(json(status, #"{"error":"\#(code)"}"#, headers))
  }
  private static let pending = refusal("authorization_pending")

  private func authorization(interval: Int = 5, lifetime: Int = 600) -> DeviceAuthorization {
    DeviceAuthorization(
      code: Secret("device/1"),
      prompt: ExternalInteraction(
        .anotherDevice, address: "https://id.example.com/device", userCode: "WDJB-MJHT", lifetime: .seconds(lifetime)),
      lifetime: .seconds(lifetime), interval: .seconds(interval))
  }

  /// Plays the answers; the waits before each question, in seconds, and the result.
  private func waits(
    _ answers: Answer..., interval: Int = 5, lifetime: Int = 600
  ) async -> (waits: [Double], result: Answer) {
    let clock = SleepRecorder()
    let script = ScriptedAnswers(answers)
    let http = ScriptedHTTPClient { _ in script.next() }
    let endpoint = TokenEndpoint(
      url: TokenBench.url, client: OpenIDClient(issuer: "https://id.example.com", clientID: "app"),
      environment: AuthProviderConfiguration.Environment(httpClient: http, clock: clock), nonces: DPoPNonces())
    let authorization = authorization(interval: interval, lifetime: lifetime)
    let result: Answer
    do throws(AuthenticationError) {
      result = .success(try await authorization.response(from: endpoint, provenBy: nil, since: clock.uptime))
    } catch {
      result = .failure(error)
    }
    return (clock.sleeps.map { $0 / .seconds(1) }, result)
  }

  @Test func `the question is a form with the device's code`() async throws {
    let bench = TokenBench(Self.good)
    let call = Task { [authorization = authorization(), endpoint = bench.endpoint, clock = bench.clock] in
      await failure { try await authorization.response(from: endpoint, provenBy: nil, since: clock.uptime) }
    }
    await bench.clock.waitForSleepers()
    #expect(bench.http.requests == [])
    bench.clock.advance(by: .seconds(5))
    #expect(await call.value == nil)
    #expect(
      bench.http.requests.map { $0.wire.last } == [
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=device%2F1&client_id=app"
      ])
  }

  @Test func `a pending answer changes nothing, rule 36`() async {
    let (waits, result) = await waits(Self.pending, Self.pending, Self.good, interval: 7)
    #expect(waits == [7, 7, 7])
    #expect(result == Self.good)
  }

  @Test func `slow_down adds five seconds for good, rule 36`() async {
    let slow = Self.refusal("slow_down")
    #expect(await waits(slow, Self.pending, slow, Self.good).waits == [5, 10, 10, 15])
  }

  @Test(arguments: [AuthenticationError.timedOut, AuthenticationError(.connectionLost, ""), .init(.unreachable, "")])
  func `a connection that fails doubles the wait until an answer comes, rule 36`(failure: AuthenticationError) async {
    let (waits, result) = await waits(.failure(failure), .failure(failure), Self.pending, Self.good)
    #expect(waits == [5, 10, 20, 5])
    #expect(result == Self.good)
  }

  @Test(arguments: [429, 500, 503]) func `an outage doubles it too, and is waited out as long as it says`(status: Int)
    async
  {
    let outage = Answer.success(json(status, "<html>", type: "text/html"))
    #expect(await waits(outage, Self.good).waits == [5, 10])
    let patient = Answer.success(json(status, "", ["Retry-After": "60"]))
    #expect(await waits(patient, Self.pending, Self.good).waits == [5, 60, 5])
  }

  @Test(arguments: ["access_denied", "expired_token", "invalid_grant", "invalid_client", "unheard_of"])
  func `any other answer ends it, rule 36`(code: String) async {
    let (waits, result) = await waits(Self.refusal(code), Self.good)
    #expect(waits == [5])
    #expect(result == Self.refusal(code))
  }

  @Test func `a token request that cannot be sent at all ends the sign-in`() async {
    let (waits, result) = await waits(.failure(AuthenticationError(.insecureConnection, "")), Self.good)
    #expect(waits == [5])
    #expect(result == .failure(AuthenticationError(.insecureConnection, "")))
  }

  @Test func `it ends with the code's lifetime, without another question, rule 36`() async {
    let (waits, result) = await waits(Self.pending, Self.pending, Self.pending, interval: 5, lifetime: 12)
    #expect(waits == [5, 5, 2])
    #expect(result == .failure(.deviceCodeExpired))
  }

  @Test func `a code whose issuer failed until its end was not left by the user`() async {
    let outage = Answer.success(json(503, ""))
    #expect(await waits(Self.pending, outage, interval: 5, lifetime: 12).result == .failure(.serverFailed))
    let lost = Answer.failure(AuthenticationError(.unreachable, ""))
    #expect(await waits(lost, interval: 5, lifetime: 7).result == lost)
    #expect(await waits(outage, Self.pending, interval: 5, lifetime: 17).result == .failure(.deviceCodeExpired))
  }

  @Test func `a cancelled sign-in asks no more`() async {
    let bench = TokenBench(Self.pending)
    let call = Task { [authorization = authorization(), endpoint = bench.endpoint, clock = bench.clock] in
      await failure { try await authorization.response(from: endpoint, provenBy: nil, since: clock.uptime) }
    }
    await bench.clock.waitForSleepers()
    call.cancel()
    #expect(await call.value == .cancelled)
    #expect(bench.http.requests == [])
  }

  @Test func `a wall clock that jumps does not end it`() async {
    let bench = TokenBench(Self.good)
    let call = Task { [authorization = authorization(), endpoint = bench.endpoint, clock = bench.clock] in
      await failure { try await authorization.response(from: endpoint, provenBy: nil, since: clock.uptime) }
    }
    await bench.clock.waitForSleepers()
    bench.clock.jumpWallClock(by: .seconds(86_400))
    bench.clock.advance(by: .seconds(5))
    #expect(await call.value == nil)
  }
}
