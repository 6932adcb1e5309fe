import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignOutEverywhereTests {
  let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
  let gate = Gate()

  private func provider(with others: String...) -> AccountProvider {
    var provider = AccountProvider(upstream: bench.provider)
    provider.others = others.map { RemoteSession(id: $0, isCurrent: false) }
    return provider
  }

  private func services(_ provider: AccountProvider) -> AccountServices {
    AccountServices(provider, of: bench.manager)
  }

  @Test func `a user is signed out here at once, whatever the network does`() async throws {
    var provider = provider(with: "2")
    provider.meanwhile = { [gate] in await gate.pass() }
    gate.close()
    try await services(provider).signOutEverywhere(by: bench.manager)
    #expect(bench.manager.state == .signedOut(.requested))
    #expect(bench.store.record?.session == nil)
    await gate.waitForArrivals(1)
    #expect(provider.log.lines == [])
    gate.open()
    #expect(await bench.manager.deliverRevocations() == [])
    #expect(provider.log.lines == ["sessions", "end 2"])
  }

  @Test func `the session is revoked once it has ended the others`() async throws {
    var provider = provider(with: "2", "3")
    provider.meanwhile = { [gate] in await gate.pass() }
    gate.close()
    try await services(provider).signOutEverywhere(by: bench.manager)
    await gate.waitForArrivals(1)
    #expect(bench.provider.revocations == [])
    gate.open()
    #expect(await bench.revokedTokens() == [bench.tokens(1)])
    #expect(provider.log.lines == ["sessions", "end 2", "end 3"])
  }

  @Test func `others that could not be ended are told, and this session is revoked all the same`() async throws {
    var provider = provider(with: "2", "3")
    provider.failure = .unreachable
    try await services(provider).signOutEverywhere(by: bench.manager)
    #expect(await bench.manager.deliverRevocations().map(\.code) == [.otherSessionsRemain])
    #expect(bench.provider.revocations == [bench.tokens(1)])
    #expect(bench.manager.state == .signedOut(.requested))
  }

  @Test func `a later delivery still tells that others remain, until a user signs in`() async throws {
    var provider = provider(with: "2")
    provider.failure = .unreachable
    bench.provider.answerRevocation(.failure(.unreachable))
    try await services(provider).signOutEverywhere(by: bench.manager)
    #expect(await bench.manager.deliverRevocations().map(\.code) == [.otherSessionsRemain, .unreachable])
    #expect(await bench.manager.deliverRevocations().map(\.code) == [.otherSessionsRemain, .unreachable])
    bench.provider.answerRevocation(.success(()))
    #expect(await bench.manager.deliverRevocations().map(\.code) == [.otherSessionsRemain])
    #expect(await bench.manager.deliverRevocations().map(\.code) == [.otherSessionsRemain])
    try await bench.signIn(as: bench.session(2))
    #expect(await bench.manager.deliverRevocations() == [])
  }

  @Test func `a sign-out here alone is told nothing of an earlier one on all devices`() async throws {
    var provider = provider(with: "2")
    provider.failure = .unreachable
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now), lock: ScriptedSessionLock())
    try await AccountServices(provider, of: bench.manager).signOutEverywhere(by: bench.manager)
    #expect(await bench.manager.deliverRevocations().map(\.code) == [.otherSessionsRemain])
    bench.store.replace(SessionRecord(session: bench.session(3, of: .grace)))
    await bench.manager.restore()
    try await bench.manager.signOut()
    #expect(await bench.manager.deliverRevocations() == [])
  }

  @Test func `one that cannot be ended keeps no other one`() async throws {
    var provider = provider(with: "2", "3")
    provider.unendable = "2"
    try await services(provider).signOutEverywhere(by: bench.manager)
    #expect(await bench.manager.deliverRevocations().map(\.code) == [.otherSessionsRemain])
    #expect(provider.log.lines == ["sessions", "end 2", "end 3"])
  }

  @Test func `a provider that never answers holds up no revocation`() async throws {
    let tokens = bench.tokens(1)
    var provider = provider(with: "2")
    provider.meanwhile = { [gate] in await gate.pass() }
    gate.close()
    try await services(provider).signOutEverywhere(by: bench.manager)
    await gate.waitForArrivals(1)
    await bench.clock.waitForSleepers()
    bench.clock.advance(by: .seconds(60))
    #expect(await bench.manager.deliverRevocations().map(\.code) == [.otherSessionsRemain])
    #expect(bench.provider.revocations == [tokens])
    gate.open()
  }

  @Test func `an expired access token is refreshed for it, and the new tokens are revoked as well`() async throws {
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    var provider = provider(with: "2")
    provider.refused = bench.session().accessToken
    try await services(provider).signOutEverywhere(by: bench.manager)
    let revoked = await bench.revokedTokens()
    #expect(provider.log.lines == ["sessions", "sessions", "end 2"])
    #expect(Set(revoked.map(\.access)) == [bench.tokens(1).access, bench.tokens(2).access])
    #expect(bench.manager.state == .signedOut(.requested))
  }

  @Test func `a sign-out that loses sight of the others says so`() async throws {
    let provider = provider(with: "2")
    await #expect { try await services(provider).signOutEverywhere(by: Detached(bench.manager)) } throws: {
      ($0 as? AuthenticationError)?.code == .otherSessionsRemain
    }
    #expect(bench.manager.state == .signedOut(.requested))
    await bench.manager.deliverRevocations()
    #expect(provider.log.lines == [])
  }

  @Test func `nobody who is signed in has nothing to end elsewhere`() async throws {
    let bench = Bench()
    let provider = provider(with: "2")
    try await AccountServices(provider, of: bench.manager).signOutEverywhere(by: bench.manager)
    #expect(provider.log.lines == [])
  }

  @Test func `nothing ends anywhere before the loss of an account is confirmed`() async throws {
    let bench = Bench(stored: .sample(of: AuthManagerLeavingTests.nobody, receivedAt: ManualClock().now))
    let provider = provider(with: "2")
    let account = AccountServices(provider, of: bench.manager)
    await #expect(throws: AuthenticationError.confirmationRequired(losing: .anonymousAccount)) {
      try await account.signOutEverywhere(by: bench.manager)
    }
    await bench.manager.deliverRevocations()
    #expect(provider.log.lines == [])
    #expect(bench.manager.state.user == AuthManagerLeavingTests.nobody)
    try await account.signOutEverywhere(by: bench.manager, losing: .anonymousAccount)
    await bench.manager.deliverRevocations()
    #expect(provider.log.lines == ["sessions", "end 2"])
  }
}

/// An app's own decorator, which signs out in a task of its own.
private struct Detached: SessionControl {
  let manager: AuthManager
  init(_ manager: AuthManager) { self.manager = manager }
  var state: AuthenticationState { manager.state }
  func states() -> AsyncStream<AuthenticationState> { manager.states() }
  func restore() async -> AuthenticationState { await manager.restore() }
  func signOut(losing loss: SignOutLoss?) async throws(AuthenticationError) {
    let result = await Task.detached { [manager] () async -> Result<Void, AuthenticationError> in
      do throws(AuthenticationError) { return .success(try await manager.signOut(losing: loss)) } catch {
        return .failure(error)
      }
    }.value
    try result.get()
  }
}
