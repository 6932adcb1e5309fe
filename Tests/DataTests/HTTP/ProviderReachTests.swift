import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Exchanges that show whether a provider can be reached.
@Suite(.timeLimit(.minutes(10))) struct ProviderReachTests {
  private static let token = "https://id.example.com/token"
  private static let keys = "https://keys.example.com/jwks"

  /// A manager that does not ask its provider after failures, and the client that its provider uses.
  private struct Bench {
    let clock = ManualClock()
    let provider = ScriptedAuthProvider()
    let reach = ProviderReach()
    let manager: AuthManager

    init() async throws {
      manager = AuthManager(
        provider: provider, store: ScriptedSessionStore(), clock: clock, random: { 0.999 })
      provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
      try await manager.signIn(with: .password(userName: "ada", password: Secret("correct horse")))
      provider.answerRefresh(.failure(.serverFailed))
      reach.follow(manager)
      for wait in [3_600, 0, 60] {
        clock.advance(by: .seconds(wait))
        _ = try? await manager.validSession()
      }
      #expect(manager.isHeldOff)
      clock.advance(by: .seconds(1))
    }

    func exchange(
      _ url: String, _ result: Result<HTTPResponse, AuthenticationError>, isProvider: Bool = true
    ) async throws {
      let client = ScriptedHTTPClient(result).noting(reach, isProvider: isProvider)
      _ = try? await client.send(HTTPRequest(.get, try #require(URL(string: url))))
    }

    /// Whether the provider is asked again; the manager knows the notices by then.
    func isAsked() async -> Bool {
      let before = provider.messages.count
      // Each notice is a separate task; this call comes after those that were made before.
      for _ in 0..<1_000 where provider.messages.count == before {
        _ = try? await manager.validSession()
        await Task.yield()
      }
      return provider.messages.count > before
    }
  }

  private static func status(_ status: Int) -> Result<HTTPResponse, AuthenticationError> {
    .success(HTTPResponse(status: status))
  }

  @Test(arguments: [200, 302, 400, 401, 404])
  func `a response of the provider ends the wait after failed refreshes`(status: Int) async throws {
    let bench = try await Bench()
    try await bench.exchange(Self.token, Self.status(status))
    #expect(await bench.isAsked())
  }

  @Test(arguments: [429, 500, 503]) func `a provider that fails is left alone`(status: Int) async throws {
    let bench = try await Bench()
    try await bench.exchange(Self.token, Self.status(status))
    #expect(await !bench.isAsked())
  }

  @Test func `a host of the provider that works says nothing about another one that fails`() async throws {
    let bench = try await Bench()
    try await bench.exchange(Self.token, .failure(.unreachable))
    try await bench.exchange(Self.keys, Self.status(200))
    #expect(await !bench.isAsked())
    try await bench.exchange(Self.token, Self.status(200))
    #expect(await bench.isAsked())
  }

  @Test func `an API call counts if it went to the provider's own host`() async throws {
    let bench = try await Bench()
    try await bench.exchange(Self.token, .failure(.unreachable))
    try await bench.exchange("https://elsewhere.example/", Self.status(200), isProvider: false)
    try await bench.exchange(Self.token, Self.status(503), isProvider: false)
    #expect(await !bench.isAsked())
    try await bench.exchange("https://id.example.com/api/notes", Self.status(200), isProvider: false)
    #expect(await bench.isAsked())
  }

  @Test func `a cancelled request says nothing`() async throws {
    let bench = try await Bench()
    try await bench.exchange(Self.keys, .failure(.cancelled))
    try await bench.exchange(Self.token, Self.status(200))
    #expect(await bench.isAsked())
  }
}
