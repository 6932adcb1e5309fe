import AuthenticationAccount
import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// Results of an account service after its caller, or the user, has left.
@Suite(.timeLimit(.minutes(10))) struct AccountServicesLateTests {
  let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
  let changes = Log()
  let gate = Gate()

  var provider: ScriptedAccountProvider { ScriptedAccountProvider(upstream: bench.provider) }

  func services(_ provider: ScriptedAccountProvider) -> AccountServices {
    AccountServices(provider, of: bench.manager) { [changes] in changes.append($0.rawValue) }
  }

  @Test func `a caller who leaves a link gets an answer at once, and its tokens are kept all the same`() async throws {
    var provider = provider
    let request = Log()
    provider.upgraded = bench.session(2)
    provider.meanwhile = { [gate] in
      await Task { await gate.pass() }.value
      request.append(Task.isCancelled ? "cancelled" : "goes on")
    }
    gate.close()
    let call = Task { [services = services(provider)] in try await services.perform(.link(.anonymous)) }
    await gate.waitForArrivals(1)
    call.cancel()
    await #expect(throws: AuthenticationError.cancelled) { try await call.value }
    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    gate.open()
    #expect(await states.next() == .using(bench.session(2)))
    #expect(bench.store.record?.session == bench.session(2))
    #expect(request.lines == ["goes on"])
  }

  @Test func `an account whose deletion was left is signed out all the same`() async throws {
    var provider = provider
    provider.meanwhile = { [gate] in await Task { await gate.pass() }.value }
    gate.close()
    let call = Task { [services = services(provider)] in try await services.perform(.deleteAccount) }
    await gate.waitForArrivals(1)
    call.cancel()
    await #expect(throws: AuthenticationError.cancelled) { try await call.value }
    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    gate.open()
    #expect(await states.next() == .signedOut(.accountDeleted))
  }

  @Test func `a deleted account whose session the store keeps is a change, and is erased by a sign-out`() async throws {
    await bench.manager.restore()
    bench.store.failWrites(with: .full)
    await #expect(throws: AuthenticationError.full) { try await services(provider).perform(.deleteAccount) }
    #expect(changes.lines == ["delete"])
    #expect(bench.manager.state == .signedOut(.accountDeleted))
    bench.store.failWrites(with: nil)
    try await bench.manager.signOut()
    #expect(bench.store.record?.session == nil)
    #expect(bench.manager.state == .signedOut(.accountDeleted))
  }

  @Test func `a session that comes while no user is signed in signs no user in, and is revoked`() async throws {
    let bench = Bench()
    var provider = ScriptedAccountProvider(upstream: bench.provider)
    provider.outcome = .session(bench.session(2))
    #expect(try await AccountServices(provider, of: bench.manager).perform(.resetPassword(of: "ada")) == .done)
    #expect(await bench.manager.restore() == .signedOut(.absent))
    #expect(await bench.revokedTokens() == [bench.tokens(2)])
  }

  @Test func `another user's session is revoked, and nothing else`() async throws {
    var provider = provider
    provider.upgraded = bench.session(2, of: .grace)
    await #expect(throws: AuthenticationError.refused(by: .subject, "")) {
      try await services(provider).perform(.link(.anonymous))
    }
    #expect(await bench.manager.restore() == .using(bench.session()))
    #expect(await bench.revokedTokens() == [bench.tokens(2)])
  }

  @Test func `deleting an account leaves the pending revocations of earlier sessions`() async throws {
    bench.provider.answerRevocation(.failure(.unreachable))
    try await bench.signIn(as: bench.session(2, of: .grace))
    await bench.manager.deliverRevocations()
    try await services(provider).perform(.deleteAccount)
    #expect(bench.store.record?.pendingRevocations.map(\.tokens.access) == [bench.tokens(1).access])
  }

  @Test func `a side effect runs only after a change`() async throws {
    let order = Log()
    let account = AccountServices(provider, of: bench.manager) { order.append("changed \($0.rawValue)") }
    _ = try await account.sessions()
    #expect(order.lines == [])
    try await account.perform(.end(RemoteSession(id: "7", isCurrent: false)))
    #expect(order.lines == ["changed sessions"])
  }
}
