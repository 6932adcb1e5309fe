import AuthenticationDomainTesting
import Testing

@testable import AuthenticationDomain

import Foundation

/// An issuer that has forgotten a session, and calls the request faulty.
@Suite(.timeLimit(.minutes(10))) struct AuthManagerForgottenSessionTests {
  private static func refusal(_ providerCode: String?) -> AuthenticationError {
    var error = AuthenticationError.refreshRefused
    error.providerCode = providerCode
    return error
  }

  /// Signs in, refreshes once unless told otherwise, and lets the token expire.
  private func bench(refreshed: Bool = true, _ providerCode: String? = "invalid_request") async throws -> Bench {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    if refreshed {
      bench.provider.answerRefresh(.success(bench.tokens(2)))
      try await bench.manager.refreshNow()
    }
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(Self.refusal(providerCode)))
    return bench
  }

  private func code(_ bench: Bench) async -> AuthenticationError? {
    do throws(AuthenticationError) {
      _ = try await bench.manager.refreshNow()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: ["invalid_request", "invalid_client"])
  func `a refusal of what worked before, and another some time later, ask the user to sign in, with the data kept`(
    providerCode: String
  ) async throws {
    let bench = try await bench(providerCode)
    #expect(await code(bench) == .clientRejected)
    #expect(bench.manager.state.activeSession?.freshness == .stale)
    bench.clock.advance(by: .seconds(30))
    let error = await #expect(throws: AuthenticationError.self) { try await bench.manager.refreshNow() }
    #expect(error == .sessionExpired && error?.providerCode == providerCode)
    #expect(bench.manager.state.activeSession?.freshness == .expired)
    #expect(bench.manager.state.user == .ada)
    #expect(bench.store.record?.session?.user == .ada)
    #expect(try await bench.manager.isAuthenticated() == false)
  }

  @Test func `refusals at once, a single one, and other codes keep the session`() async throws {
    let bench = try await bench()
    for _ in 0..<5 {
      #expect(await code(bench) == .clientRejected)
      bench.clock.advance(by: .seconds(5))
    }
    #expect(bench.manager.state.activeSession?.freshness == .stale)
    for other in ["invalid_scope", nil] {
      let bench = try await self.bench(other)
      for _ in 0..<3 {
        #expect(await code(bench) == .clientRejected)
        bench.clock.advance(by: .seconds(3_600))
      }
      #expect(bench.manager.state.activeSession?.freshness == .stale)
    }
  }

  @Test func `a client that has never refreshed is at fault itself`() async throws {
    let bench = try await bench(refreshed: false)
    for _ in 0..<3 {
      #expect(await code(bench) == .clientRejected)
      bench.clock.advance(by: .seconds(3_600))
    }
    #expect(bench.manager.state.activeSession?.freshness == .stale)
  }

  @Test func `a relaunch between the refusals, and one after them, change nothing`() async throws {
    let bench = try await bench()
    #expect(await code(bench) == .clientRejected)
    let second = Bench(store: bench.store, clock: bench.clock)
    second.provider.answerRefresh(.failure(Self.refusal("invalid_request")))
    bench.clock.advance(by: .seconds(60))
    #expect(await code(second) == .sessionExpired)
    let third = Bench(store: bench.store, clock: bench.clock)
    #expect(await third.manager.restore().activeSession?.freshness == .expired)
    third.provider.answerRefresh(.failure(.unreachable))
    #expect(await code(third) == .sessionExpired)
  }

  @Test func `a success between the refusals starts anew, and one after them ends the doubt`() async throws {
    let bench = try await bench()
    #expect(await code(bench) == .clientRejected)
    bench.clock.advance(by: .seconds(60))
    bench.provider.answerRefresh(.success(bench.tokens(3)), .failure(Self.refusal("invalid_request")))
    #expect(await code(bench) == nil)
    bench.clock.advance(by: .seconds(3_600))
    #expect(await code(bench) == .clientRejected)
    bench.clock.advance(by: .seconds(60))
    #expect(await code(bench) == .sessionExpired)
    bench.provider.answerRefresh(.success(bench.tokens(4)))
    #expect(await code(bench) == nil)
    #expect(bench.manager.state == .using(bench.session(4)))
    #expect(bench.store.record?.refusedRefresh == nil)
  }

  @Test func `a revoked token that looks valid is not returned any more`() async throws {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    bench.provider.answerRefresh(.success(bench.tokens(2)), .failure(Self.refusal("invalid_request")))
    for wait in [0, 0, 60] {
      bench.clock.advance(by: .seconds(wait))
      _ = try? await bench.manager.refreshNow()
    }
    await #expect(throws: AuthenticationError.sessionExpired) { try await bench.manager.validSession() }
  }

  @Test func `a new sign-in is independent of the last one`() async throws {
    let bench = try await bench()
    #expect(await code(bench) == .clientRejected)
    bench.clock.advance(by: .seconds(60))
    #expect(await code(bench) == .sessionExpired)
    let session = bench.session(5)
    try await bench.signIn(as: session)
    #expect(bench.manager.state == .using(session))
    #expect(bench.store.record?.refusedRefresh == nil)
    #expect(await code(bench) == nil)
  }

  @Test(arguments: [(-100, false), (29, false), (30, true), (1_000_000, true)])
  func `only a later refusal confirms the first one`(seconds: Int, isConfirmed: Bool) {
    let refused = RefusedRefresh(firstAt: .noon).again(at: .noon + Double(seconds))
    #expect(refused.isConfirmed == isConfirmed)
    #expect(refused.firstAt == (seconds < 0 ? .noon - 100 : .noon))
  }
}
