import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

/// A session is asked for an ID token that is valid.
@Suite(.timeLimit(.minutes(10))) struct ValidIDTokenTests {
  let clock = ManualClock()
  let provider = ScriptedAuthProvider()

  /// A token of that number, from now on.
  private func identity(_ number: Int, lifetime: Int? = 300) -> Secret {
    let start = Int(clock.now.timeIntervalSince1970)
    let end = lifetime.map { ",\"exp\":\(start + $0)" } ?? ""
    let parts = ["{}", "{\"sub\":\"ada\",\"jti\":\"\(number)\",\"iat\":\(start)\(end)}", "signature"]
    return Secret(
      parts.map { part in
        Data(part.utf8).base64EncodedString().filter { $0 != "=" }.replacing("+", with: "-").replacing("/", with: "_")
      }.joined(separator: "."))
  }

  private func tokens(_ number: Int, _ identity: Secret?) -> SessionTokens {
    let tokens = SessionTokens.sample(number, receivedAt: clock.now)
    return SessionTokens(access: tokens.access, refresh: tokens.refresh, identity: identity)
  }

  private func signedIn(_ identity: Secret?) async throws -> MainRoot {
    let root = try MainRoot(.custom(provider)) {
      $0.storage = .inMemory
      $0.clock = clock
      $0.refreshPolicy = .onDemand
    }
    provider.answerSignIn(.success(.session(AuthSession(user: .ada, tokens: tokens(1, identity)))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    return root
  }

  private var refreshes: Int { provider.messages.count - 1 }

  @Test func `one that is valid is returned, and nothing is sent`() async throws {
    let token = identity(1)
    let root = try await signedIn(token)
    clock.advance(by: .seconds(239))
    #expect(try await root.validIDToken() == token)
    #expect(try await root.validIDToken(lasting: .seconds(60)) == token)
    #expect(refreshes == 0)
  }

  @Test(arguments: [(240, nil), (300, nil), (200, 100), (151, 400)] as [(Int, Int?)])
  func `one that has ended, or does not last, is refreshed, although the access token is valid`(
    seconds: Int, wanted: Int?
  ) async throws {
    let root = try await signedIn(identity(1))
    clock.advance(by: .seconds(seconds))
    let next = identity(2)
    provider.answerRefresh(.success(tokens(2, next)))
    let wanted = wanted.map { Duration.seconds($0) }
    #expect(try await root.validIDToken(lasting: wanted) == next)
    #expect(try await root.validIDToken(lasting: wanted) == next)
    #expect(refreshes == 1)
  }

  @Test func `a lifetime that is shorter than a minute is used for three quarters`() async throws {
    let token = identity(1, lifetime: 40)
    let root = try await signedIn(token)
    clock.advance(by: .seconds(29))
    #expect(try await root.validIDToken() == token)
    clock.advance(by: .seconds(1))
    let next = identity(2, lifetime: 40)
    provider.answerRefresh(.success(tokens(2, next)))
    #expect(try await root.validIDToken() == next)
  }

  @Test func `one that does not say when it ends is returned as it is`() async throws {
    let token = identity(1, lifetime: nil)
    let root = try await signedIn(token)
    clock.advance(by: .seconds(3_000))
    #expect(try await root.validIDToken() == token)
    #expect(refreshes == 0)
  }

  @Test func `a session without one has none`() async throws {
    let root = try await signedIn(nil)
    await #expect(throws: AuthenticationError.unsupportedMethod) { try await root.validIDToken() }
    #expect(refreshes == 0)
  }

  @Test func `one that no refresh replaces is expired, and the session stays`() async throws {
    let root = try await signedIn(identity(1))
    clock.advance(by: .seconds(300))
    provider.answerRefresh(.success(tokens(2, nil)))
    await #expect(throws: AuthenticationError.sessionExpired) { try await root.validIDToken() }
    #expect(try await root.manager.validSession().accessToken.value == Secret("access-2"))
  }

  @Test func `why the refresh failed is thrown`() async throws {
    let root = try await signedIn(identity(1))
    clock.advance(by: .seconds(300))
    provider.answerRefresh(.failure(.unreachable), .failure(.unreachable))
    await #expect(throws: AuthenticationError.unreachable) { try await root.validIDToken() }
    #expect(try await root.manager.validSession().accessToken.value == Secret("access-1"))
  }
}
