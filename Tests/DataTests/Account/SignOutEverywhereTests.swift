import AuthenticationAccount
import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignOutEverywhereTests {
  let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
  let gate = Gate()
  private let guest = User(id: "guest", isAnonymous: true)

  private func provider(with others: String...) -> ScriptedAccountProvider {
    var provider = ScriptedAccountProvider(upstream: bench.provider)
    provider.others = others.map { RemoteSession(id: $0, isCurrent: false) }
    return provider
  }

  /// A manager of the bench's session at this provider.
  private func manager(
    _ provider: ScriptedAccountProvider, store: ScriptedSessionStore? = nil, lock: ScriptedSessionLock? = nil
  ) async -> AuthManager {
    let manager = AuthManager(provider: provider, store: store ?? bench.store, lock: lock, clock: bench.clock)
    await manager.restore()
    return manager
  }

  private func revokedTokens(_ manager: AuthManager) async -> [SessionTokens] {
    await manager.deliverRevocations()
    return bench.provider.revocations
  }

  @Test func `a user is signed out here at once, whatever the network does`() async throws {
    var provider = provider(with: "2")
    provider.meanwhile = { [gate] in await gate.pass() }
    gate.close()
    let manager = await manager(provider)
    try await manager.signOut(scope: .everywhere)
    #expect(manager.state == .signedOut(.requested))
    #expect(bench.store.record?.session == nil)
    await gate.waitForArrivals(1)
    #expect(provider.log.lines == [])
    gate.open()
    #expect(await manager.deliverRevocations() == [])
    #expect(provider.log.lines == ["sessions", "end 2"])
  }

  @Test func `the session is revoked once it has ended the others`() async throws {
    var provider = provider(with: "2", "3")
    provider.meanwhile = { [gate] in await gate.pass() }
    gate.close()
    let manager = await manager(provider)
    try await manager.signOut(scope: .everywhere)
    await gate.waitForArrivals(1)
    #expect(bench.provider.revocations == [])
    gate.open()
    #expect(await revokedTokens(manager) == [bench.tokens(1)])
    #expect(provider.log.lines == ["sessions", "end 2", "end 3"])
  }

  @Test func `others that could not be ended are told, and this session is revoked all the same`() async throws {
    var provider = provider(with: "2", "3")
    provider.failure = .unreachable
    let manager = await manager(provider)
    try await manager.signOut(scope: .everywhere)
    #expect(await manager.deliverRevocations() == [.otherSessionsRemain])
    #expect(bench.provider.revocations == [bench.tokens(1)])
    #expect(manager.state == .signedOut(.requested))
  }

  @Test func `a later delivery still tells that others remain, until a user signs in`() async throws {
    var provider = provider(with: "2")
    provider.failure = .unreachable
    bench.provider.answerRevocation(.failure(.unreachable))
    let manager = await manager(provider)
    try await manager.signOut(scope: .everywhere)
    #expect(await manager.deliverRevocations() == [.otherSessionsRemain, .unreachable])
    #expect(await manager.deliverRevocations() == [.otherSessionsRemain, .unreachable])
    bench.provider.answerRevocation(.success(()))
    #expect(await manager.deliverRevocations() == [.otherSessionsRemain])
    #expect(await manager.deliverRevocations() == [.otherSessionsRemain])
    bench.provider.answerSignIn(.success(.session(bench.session(2))))
    try await manager.signIn(with: .sample)
    #expect(await manager.deliverRevocations() == [])
  }

  @Test func `a sign-out here alone is told nothing of an earlier one on all devices`() async throws {
    var provider = provider(with: "2")
    provider.failure = .unreachable
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now), lock: ScriptedSessionLock())
    let manager = await self.manager(provider, store: bench.store, lock: ScriptedSessionLock())
    try await manager.signOut(scope: .everywhere)
    #expect(await manager.deliverRevocations() == [.otherSessionsRemain])
    bench.store.replace(SessionRecord(session: bench.session(3, of: .grace)))
    await manager.restore()
    try await manager.signOut()
    #expect(await manager.deliverRevocations() == [])
  }

  @Test func `one that cannot be ended keeps no other one`() async throws {
    var provider = provider(with: "2", "3")
    provider.unendable = "2"
    let manager = await manager(provider)
    try await manager.signOut(scope: .everywhere)
    #expect(await manager.deliverRevocations() == [.otherSessionsRemain])
    #expect(provider.log.lines == ["sessions", "end 2", "end 3"])
  }

  @Test func `a provider that never answers holds up no revocation`() async throws {
    let tokens = bench.tokens(1)
    var provider = provider(with: "2")
    provider.meanwhile = { [gate] in await gate.pass() }
    gate.close()
    let manager = await manager(provider)
    try await manager.signOut(scope: .everywhere)
    await gate.waitForArrivals(1)
    await bench.clock.waitForSleepers()
    bench.clock.advance(by: .seconds(60))
    #expect(await manager.deliverRevocations() == [.otherSessionsRemain])
    #expect(bench.provider.revocations == [tokens])
    gate.open()
  }

  @Test func `an expired access token is refreshed for it, and the new tokens are revoked as well`() async throws {
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    var provider = provider(with: "2")
    provider.refused = bench.session().accessToken
    let manager = await manager(provider)
    try await manager.signOut(scope: .everywhere)
    let revoked = await revokedTokens(manager)
    #expect(provider.log.lines == ["sessions", "sessions", "end 2"])
    #expect(Set(revoked.map(\.access)) == [bench.tokens(1).access, bench.tokens(2).access])
    #expect(manager.state == .signedOut(.requested))
  }

  @Test func `a session that another process has ended meanwhile cannot end the others, which is said`() async throws {
    let provider = provider(with: "2")
    let manager = await manager(provider, lock: ScriptedSessionLock())
    let pending = ErasingPendingSignIns(store: bench.store)
    let ways = SignInAttempts([.password], useCase: manager, manager: manager, pending: pending)
    await #expect { try await manager.signOut(scope: .everywhere) } throws: {
      ($0 as? AuthenticationError) == .otherSessionsRemain
    }
    #expect(ways.current == nil)
    #expect(manager.state.user == nil)
    await manager.deliverRevocations()
    #expect(provider.log.lines == [])
  }

  @Test func `a provider that cannot end other sessions changes nothing`() async throws {
    await bench.manager.restore()
    await #expect(throws: AuthenticationError(.unsupportedMethod, "")) {
      try await bench.manager.signOut(scope: .everywhere)
    }
    #expect(bench.manager.state.user == .ada)
  }

  @Test func `without a signed-in user there is nothing to end elsewhere`() async throws {
    let bench = Bench()
    let provider = provider(with: "2")
    let manager = await manager(provider, store: bench.store)
    try await manager.signOut(scope: .everywhere)
    #expect(provider.log.lines == [])
  }

  @Test func `nothing ends anywhere before the loss of an account is confirmed`() async throws {
    let bench = Bench(stored: .sample(of: guest, receivedAt: ManualClock().now))
    let provider = provider(with: "2")
    let manager = await manager(provider, store: bench.store)
    await #expect(throws: AuthenticationError.confirmationRequired(losing: .anonymousAccount)) {
      try await manager.signOut(scope: .everywhere)
    }
    await manager.deliverRevocations()
    #expect(provider.log.lines == [])
    #expect(manager.state.user == guest)
    try await manager.signOut(scope: .everywhere, losing: .anonymousAccount)
    await manager.deliverRevocations()
    #expect(provider.log.lines == ["sessions", "end 2"])
  }
}

/// Another process ends the session while the step of a sign-in is removed.
private struct ErasingPendingSignIns: PendingSignInStore {
  let store: ScriptedSessionStore

  func save(_ pending: PendingSignIn) async {}
  func pending() async -> PendingSignIn? { nil }
  func remove(_ attempt: String) async {}
  func removeAll() async { store.replace(SessionRecord()) }
}
