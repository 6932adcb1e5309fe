import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

@Suite struct RefreshPolicyTests {
  @Test func `a parameter that is not named has its default`() throws {
    let policy = try RefreshPolicy(leeway: .seconds(30))
    #expect(policy.leeway == .seconds(30))
    #expect(policy.callerTimeout == .seconds(60))
    #expect(try RefreshPolicy() == .standard)
    #expect(try RefreshPolicy(earlyWindow: nil) == .onDemand)
  }

  private typealias Make = @Sendable () throws -> RefreshPolicy

  private static let outOfRange: [Make] = [
    { try RefreshPolicy(leeway: .seconds(-1)) },
    { try RefreshPolicy(leeway: .seconds(3_601)) },
    { try RefreshPolicy(earlyWindow: -0.1...0.3) },
    { try RefreshPolicy(earlyWindow: 0.1...1) },
    { try RefreshPolicy(retryAfterSpread: 1.1) },
    { try RefreshPolicy(retryAfterSpread: .nan) },
    { try RefreshPolicy(longestHoldOff: .seconds(-1)) },
    { try RefreshPolicy(backoffBase: .zero) },
    { try RefreshPolicy(backoffBase: .seconds(10), backoffCap: .seconds(9)) },
    { try RefreshPolicy(backoffCap: .seconds(86_401)) },
    { try RefreshPolicy(resends: -1) },
    { try RefreshPolicy(resends: 4) },
    { try RefreshPolicy(callerTimeout: .zero) },
    { try RefreshPolicy(refreshTimeout: .seconds(86_401)) },
  ]

  @Test(arguments: outOfRange.indices)
  func `a value out of its range is refused when the policy is made`(index: Int) {
    #expect { try Self.outOfRange[index]() } throws: { ($0 as? AuthenticationError) == .invalidConfiguration }
  }

  @Test func `a refusal names the value`() {
    #expect { try RefreshPolicy(leeway: .seconds(-1)) } throws: { "\($0)".contains("leeway is -1.0 seconds") }
  }

  // failure row 16
  @Test(arguments: [0, 1, 3])
  func `a lost response is asked for again as often as the policy says`(resends: Int) async throws {
    let provider = ScriptedAuthProvider()
    let clock = ManualClock()
    let manager = AuthManager(
      provider: provider, store: ScriptedSessionStore(), clock: clock,
      policy: try RefreshPolicy(earlyWindow: nil, resends: resends))
    provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
    try await manager.signIn(with: .sample)
    provider.answerRefresh(.failure(AuthenticationError(.connectionLost, "Lost.")))
    clock.advance(by: .seconds(3_600))
    await #expect(throws: AuthenticationError.self) { try await manager.validSession() }
    #expect(provider.refreshes.count == 1 + resends)
  }

  @Test func `the leeway is where callers begin to wait`() async throws {
    let provider = ScriptedAuthProvider()
    let clock = ManualClock()
    let manager = AuthManager(
      provider: provider, store: ScriptedSessionStore(), clock: clock,
      policy: try RefreshPolicy(leeway: .seconds(300), earlyWindow: nil))
    provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
    try await manager.signIn(with: .sample)
    provider.answerRefresh(.success(.sample(2, receivedAt: clock.now + 3_300)))
    clock.advance(by: .seconds(3_299))
    #expect(try await manager.validSession() == .sample(1, receivedAt: .noon))
    clock.advance(by: .seconds(1))
    _ = try await manager.validSession()
    #expect(provider.refreshes.count == 1)
  }
}
