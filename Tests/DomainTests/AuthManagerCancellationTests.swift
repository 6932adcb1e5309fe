import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// A caller who gives up, while others do not heed it.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerCancellationTests {
  // origin C3
  @Test(arguments: [ScriptedAuthProvider.Call.signIn, .signUp])
  func `a provider that ignores cancellation holds no caller, and its late tokens are revoked`(
    call: ScriptedAuthProvider.Call
  ) async throws {
    let bench = Bench(stored: .sample(0, receivedAt: .noon))
    let late = bench.session(1)
    bench.provider.answerSignIn(.success(.session(late)))
    bench.provider.hold(call)
    let attempt = bench.start { manager async throws(AuthenticationError) in
      if call == .signUp { try await manager.signUp(with: .sample) } else { try await manager.signIn(with: .sample) }
    }
    await bench.provider.waitForArrival(of: call)
    attempt.cancel()
    #expect(await attempt.value == .failure(.cancelled))
    #expect(bench.manager.state == .using(bench.session(0)))

    bench.provider.release(call)
    await bench.provider.waitForArrival(of: .revoke)
    #expect(bench.provider.revocations == [late.tokens])
    await bench.manager.deliverRevocations()
    #expect(bench.manager.state == .using(bench.session(0)))
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(0)).withoutIDs)
  }

  @Test func `a user may sign in while a cancelled attempt still hangs`() async throws {
    let bench = Bench()
    let (late, later) = (bench.session(1), bench.session(2, of: .grace))
    bench.provider.answerSignIn(.success(.session(late)), .success(.session(later)))
    bench.provider.hold(.signIn)
    let attempt = bench.startSignIn()
    await bench.provider.waitForArrival(of: .signIn)
    attempt.cancel()
    #expect(await attempt.value == .failure(.cancelled))
    let next = bench.startSignIn()
    await bench.provider.waitForArrival(of: .signIn, count: 2)
    bench.provider.release(.signIn)
    #expect(await next.value == .success(.grace))
    await bench.provider.waitForArrival(of: .revoke)
    #expect(await bench.revokedTokens() == [late.tokens])
    #expect(bench.manager.state == .using(later))
  }

  @Test func `a store that hangs does not hold a sign-in that is given up`() async throws {
    let store = HangingStore()
    let provider = ScriptedAuthProvider()
    let manager = AuthManager(provider: provider, store: store, clock: ManualClock())
    let attempt = Task { () async -> AuthenticationError? in
      do throws(AuthenticationError) { try await manager.signIn(with: .sample) } catch { return error }
      return nil
    }
    await store.wasRead.waitForArrivals(1)
    attempt.cancel()
    #expect(await attempt.value == .cancelled)
    store.open()
  }

  @Test func `for a caller who had given up before nothing is sent`() async {
    let bench = Bench()
    let attempt = Task { () async -> AuthenticationError? in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do throws(AuthenticationError) { try await bench.manager.signIn(with: .sample) } catch { return error }
      return nil
    }
    #expect(await attempt.value == .cancelled)
    await bench.manager.restore()
    #expect(bench.provider.messages == [])
  }

  @Test func `a provider that does not say whether a session is valid holds no caller that gives up`() async throws {
    let bench = Bench(stored: .sample(1, receivedAt: .noon))
    bench.provider.answerValidity(.success(true))
    bench.provider.hold(.isValid)
    let caller = bench.start { manager async throws(AuthenticationError) in try await manager.isValid() }
    await bench.provider.waitForArrival(of: .isValid)
    caller.cancel()
    #expect(await caller.value == .failure(.cancelled))
    bench.provider.release(.isValid)
  }

  // origin A7
  @Test func `an interceptor that ignores cancellation holds no caller, and a signed-in user stays so`() async throws {
    let bench = Bench()
    let gate = Gate()
    gate.close()
    bench.provider.answerSignIn(.success(.session(bench.session())))
    let useCase = bench.manager.intercept { _ in await Task { await gate.pass() }.value }.addValidation()
    let attempt = Task { () async -> AuthenticationError? in
      do throws(AuthenticationError) { try await useCase.signIn(with: .sample) } catch { return error }
      return nil
    }
    await gate.waitForArrivals(1)
    attempt.cancel()
    #expect(await attempt.value == .cancelled)
    #expect(bench.manager.state == .using(bench.session()))
    gate.open()
  }

  // origin A7
  @Test func `an interceptor runs after each success, also for a caller who has just given up`() async {
    let ran = Gate()
    let useCase = Uncancellable().intercept { _ in await ran.pass() }
    let attempt = Task { () async -> AuthenticationError? in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do throws(AuthenticationError) { try await useCase.signIn(with: .sample) } catch { return error }
      return nil
    }
    #expect(await attempt.value == .cancelled)
    await ran.waitForArrivals(1)
  }

  @Test func `a caller who gives up a delivery is not held by a provider that hangs`() async throws {
    let bench = Bench(stored: .sample(1, receivedAt: .noon))
    bench.provider.hold(.revoke)
    try await bench.manager.signOut()
    await bench.provider.waitForArrival(of: .revoke)
    let caller = Task { await bench.manager.deliverRevocations() }
    caller.cancel()
    #expect(await caller.value == [.cancelled])
    bench.provider.release(.revoke)
    #expect(await bench.revokedTokens() == [bench.tokens(1)])
  }

  @Test func `a revocation that hangs does not hold up those after it`() async throws {
    let owed = [1, 2, 3].map { PendingRevocation(tokens: .sample($0, receivedAt: .noon), queuedAt: .noon) }
    let bench = Bench(
      store: ScriptedSessionStore(SessionRecord(pendingRevocations: owed)), callerTimeout: .seconds(10))
    bench.provider.hold(.revoke)
    let delivery = Task { await bench.manager.deliverRevocations() }
    await bench.provider.waitForArrival(of: .revoke)
    await bench.clock.waitForSleepers()
    bench.clock.advance(by: .seconds(10))
    await bench.provider.waitForArrival(of: .revoke, count: 2)
    bench.provider.release(.revoke)
    #expect(await delivery.value == [.timedOut])
    #expect(bench.provider.revocations == owed.map(\.tokens))
  }

  @Test func `a revocation that was waited for no longer counts when its answer comes`() async throws {
    let owed = PendingRevocation(tokens: .sample(1, receivedAt: .noon), queuedAt: .noon)
    let bench = Bench(
      store: ScriptedSessionStore(SessionRecord(pendingRevocations: [owed])), callerTimeout: .seconds(10))
    bench.provider.hold(.revoke)
    let delivery = Task { await bench.manager.deliverRevocations() }
    await bench.provider.waitForArrival(of: .revoke)
    await bench.clock.waitForSleepers()
    bench.clock.advance(by: .seconds(10))
    #expect(await delivery.value == [.timedOut])
    #expect(await bench.manager.hasPendingRevocations)
    bench.provider.release(.revoke)
    while !Task.isCancelled, await bench.manager.hasPendingRevocations { await Task.yield() }
    #expect(bench.store.record?.holdsNothing != false)
  }
}

/// Signs in each caller, cancelled or not.
private struct Uncancellable: AuthenticationUseCase {
  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    .session(.sample(receivedAt: .noon))
  }
}
