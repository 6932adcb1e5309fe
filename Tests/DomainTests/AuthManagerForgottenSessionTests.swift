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
    try await bench(refreshed: refreshed, answering: Self.refusal(providerCode))
  }

  private func bench(refreshed: Bool = true, answering error: AuthenticationError) async throws -> Bench {
    let bench = Bench()
    try await bench.signIn(as: bench.session(1))
    if refreshed {
      bench.provider.answerRefresh(.success(bench.tokens(2)))
      try await bench.manager.refreshNow()
    }
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(error))
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
  func `a refusal of a refresh that worked before, and one some time later, ask for a sign-in and keep the data`(
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
  }

  private static func refused(_ code: AuthenticationError, _ providerCode: String?) -> AuthenticationError {
    code.with(\.response, .refused).with(\.providerCode, providerCode)
  }

  @Test(
    arguments: [
      refusal("invalid_scope"), refusal(nil), refusal("invalid_request"), refused(.unexpectedResponse, nil),
      refused(.unexpectedResponse, "token_gone"), refused(.declined, "access_denied"),
      refused(.invalidRequest, "INVALID"),
    ], [true, false])
  func `three refusals without a reason that is known, some time apart, ask the user to sign in`(
    error: AuthenticationError, isRefreshed: Bool
  ) async throws {
    let bench = try await bench(refreshed: isRefreshed, answering: error)
    let needed = isRefreshed && error.providerCode == "invalid_request" ? 2 : 3
    for _ in 1..<needed {
      for wait in [1, 29] {
        #expect(await code(bench) == error)
        bench.clock.advance(by: .seconds(wait))
      }
      #expect(bench.manager.state.activeSession?.freshness == .stale)
      #expect(bench.store.record?.refreshJournal == nil)
    }
    let last = await code(bench)
    #expect(last == .sessionExpired && last?.providerCode == error.providerCode)
    #expect(bench.manager.state.activeSession?.freshness == .expired)
    #expect(bench.store.record?.session?.user == .ada)
    // One request each: a refusal is no lost response.
    bench.provider.answerRefresh(.success(bench.tokens(3)))
    #expect(await code(bench) == nil)
    #expect(bench.manager.state == .using(bench.session(3)))
  }

  @Test(
    arguments: [
      AuthenticationError.rateLimited, .serverFailed, .timedOut, .unexpectedResponse, .endpointMissing, .unreachable,
      refused(.rateLimited, "slow_down"), refused(.serverFailed, "temporarily_unavailable"),
      refused(.insufficientUserAuthentication, "interaction_required"), refused(.clockSkewed, "invalid_dpop_proof"),
    ])
  func `an outage, a limit and a page never ask the user to sign in`(error: AuthenticationError) async throws {
    let bench = try await bench(answering: error)
    for _ in 0..<6 {
      #expect(await code(bench) == error)
      bench.clock.advance(by: .seconds(3_600))
    }
    #expect(bench.manager.state.activeSession?.freshness == .stale)
  }

  @Test(arguments: [AuthenticationError.unexpectedResponse.with(\.response, .unusable), .security])
  func `a response that cannot be used is not asked for again at once, and the journal knows that it came`(
    error: AuthenticationError
  ) async throws {
    let bench = try await bench(answering: error)
    let sent = bench.refreshes
    #expect(await code(bench) == error)
    #expect(bench.refreshes == sent + 1)
    #expect(bench.store.record?.refreshJournal?.isAnswered == true)
    #expect(bench.manager.state.activeSession?.freshness == .stale)
    // A try that never left changes nothing of that.
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(.unreachable))
    _ = await code(bench)
    #expect(bench.store.record?.refreshJournal?.isAnswered == true)
    // The token was spent with that response: this is no plain rejection.
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(.sessionRejected))
    #expect(await code(bench) == .ambiguousLoss)
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
    let refused = RefusedRefresh(latestAt: .noon).again(at: .noon + Double(seconds), of: 2)
    #expect(refused.isConfirmed == isConfirmed)
    #expect(refused.latestAt == (seconds < 0 ? .noon - 100 : seconds < 30 ? .noon : .noon + Double(seconds)))
  }
}
