import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct EarlyRefreshTests {
  let clock = ManualClock()
  let provider = ScriptedAuthProvider()

  private func signedIn(refreshPolicy: RefreshPolicy = .standard) async throws -> MainRoot {
    let configuration = AuthProviderConfiguration.custom(provider)
    let root = try MainRoot(configuration) {
      $0.storage = .inMemory
      $0.clock = clock
      $0.refreshPolicy = refreshPolicy
    }
    provider.answerSignIn(.success(.session(.sample(receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    provider.answerRefresh(.success(.sample(2, receivedAt: clock.now + 3_600)))
    return root
  }

  // failure row 34
  @Test func `an app's token is refreshed while it is valid, and no caller waits`() async throws {
    let root = try await signedIn()
    provider.hold(.refresh)
    clock.advance(by: .seconds(3_539))
    #expect(try await root.manager.validSession().accessToken.value == Secret("access-1"))
    await provider.waitForArrival(of: .refresh)
    provider.release(.refresh)
  }

  @Test func `a command line's token is refreshed when a command needs it, and not before`() async throws {
    let root = try await signedIn(refreshPolicy: .onDemand)
    clock.advance(by: .seconds(3_539))
    for _ in 0..<100 {
      #expect(try await root.manager.validSession().accessToken.value == Secret("access-1"))
      await root.manager.restore()
    }
    clock.advance(by: .seconds(1))
    #expect(try await root.manager.validSession().accessToken.value == Secret("access-2"))
    #expect(provider.messages.count == 2)
  }
}
