import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Synchronization
import Testing

@testable import AuthenticationOpenID

@Suite struct IssuerFreshnessTests {
  private let clock = ManualClock()

  private func issuer(_ client: ScriptedHTTPClient) throws -> Issuer {
    try Issuer("https://id.example.com", client: client, clock: clock)
  }

  @Test(
    arguments: [
      (nil, 86_400), ("max-age=600", 600), ("public, Max-Age=600", 600), ("max-age=1", 300),
      ("max-age=999999999", 86_400),
      ("no-store", 300), ("no-cache, max-age=600", 300), ("max-age=soon", 86_400), ("max-age=-5", 300),
      ("s-maxage=400", 86_400),
    ] as [(String?, Int)])
  func `metadata is kept as long as the issuer allows, between 5 minutes and a day`(
    _ control: String?, _ seconds: Int
  ) async throws {
    var headers: HTTPHeaders = [:]
    headers["Cache-Control"] = control
    let client = ScriptedHTTPClient { [headers] _ in .success(.metadata(headers: headers)) }
    let issuer = try issuer(client)
    _ = try await issuer.metadata()
    clock.jumpWallClock(by: .seconds(1_000_000))
    clock.advance(by: .seconds(seconds - 1))
    _ = try await issuer.metadata()
    #expect(client.requests.count == 1)
    clock.advance(by: .seconds(1))
    _ = try await issuer.metadata()
    #expect(client.requests.count == 2)
  }

  @Test func `a hundred callers share one fetch`() async throws {
    let gate = Gate()
    gate.close()
    let client = ScriptedHTTPClient { _ in
      await gate.pass()
      return .success(.metadata())
    }
    let issuer = try issuer(client)
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 { group.addTask { try await issuer.metadata().issuer } }
      await gate.waitForArrivals(1)
      gate.open()
      return try await group.reduce(into: 0) { count, _ in count += 1 }
    }
    #expect(answers == 100)
    #expect(client.requests.count == 1)
  }

  @Test func `a caller who gives up leaves the fetch to the others`() async throws {
    let gate = Gate()
    gate.close()
    let client = ScriptedHTTPClient { _ in
      await gate.pass()
      return Task.isCancelled ? .failure(.cancelled) : .success(.metadata())
    }
    let issuer = try issuer(client)
    let leader = Task { try await issuer.metadata() }
    await gate.waitForArrivals(1)
    let follower = Task { try await issuer.metadata() }
    leader.cancel()
    await #expect(throws: AuthenticationError.cancelled) { try await leader.value }
    gate.open()
    #expect(try await follower.value.issuer == "https://id.example.com")
    #expect(client.requests.count == 1)
  }

  @Test func `a failed fetch is told to everybody and not kept`() async throws {
    let lost = AuthenticationError(.unreachable, "")
    let client = ScriptedHTTPClient(.failure(lost), .success(.metadata()))
    let issuer = try issuer(client)
    await #expect(throws: lost) { try await issuer.metadata() }
    #expect(try await issuer.metadata().issuer == "https://id.example.com")
  }

  @Test func `while the issuer is away the old metadata serves, and is asked for once a minute`() async throws {
    let client = ScriptedHTTPClient(
      .success(.metadata()), .failure(AuthenticationError(.unreachable, "")),
      .success(.body("<html>", type: "text/html")),
      .success(.metadata(["id_token_signing_alg_values_supported": ["new"]])))
    let issuer = try issuer(client)
    _ = try await issuer.metadata()
    clock.advance(by: .seconds(86_400))
    for expected in [2, 2, 3, 3] {
      #expect(try await issuer.metadata().idTokenAlgorithms == nil)
      #expect(client.requests.count == expected)
      clock.advance(by: .seconds(30))
    }
    #expect(try await issuer.metadata().idTokenAlgorithms == ["new"])
  }

  @Test func `keys that cannot be fetched anew are believed for a day, and not for ever`() async throws {
    let isAway = Atomic(false)
    let client = ScriptedHTTPClient { request in
      if request.description.contains("/keys") {
        return isAway.load(ordering: .relaxed) ? .success(.body("", status: 503)) : .success(.body(#"{"keys":[]}"#))
      }
      return .success(.metadata(["jwks_uri": "https://id.example.com/keys"]))
    }
    let issuer = try issuer(client)
    _ = try await issuer.keys.current()
    isAway.store(true, ordering: .relaxed)
    clock.advance(by: .seconds(86_400))
    #expect(try await issuer.keys.current().number == 1)
    clock.advance(by: .seconds(86_399))
    #expect(try await issuer.keys.current().number == 1)
    clock.advance(by: .seconds(61))
    await #expect(throws: AuthenticationError(.serverFailed, "")) { try await issuer.keys.current() }
    isAway.store(false, ordering: .relaxed)
    #expect(try await issuer.keys.current().number == 2)
  }
}
