import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// An attempt that is begun while a pending step is looked up.
@Suite(.timeLimit(.minutes(10))) struct SignInAttemptsRaceTests {
  let bench = AttemptBench()
  let link = Secret("https://app.example.com/sign-in?code=314159")

  /// The same app after a relaunch, whose storage takes its time.
  func relaunched(_ slow: SlowPendingSignIns) -> SignInAttempts {
    SignInAttempts(
      [.password, .phoneCode, .emailLink], useCase: bench.bench.manager, pending: slow,
      links: SignInLink(host: "app.example.com", path: "/sign-in"), clock: bench.bench.clock)
  }

  @Test func `an attempt that was begun meanwhile is not replaced by the one before the relaunch`() async throws {
    _ = try await bench.challenged()
    let slow = SlowPendingSignIns(upstream: bench.pending)
    let attempts = relaunched(slow)
    slow.gate.close()
    let resumed = Task { await attempts.resume() }
    await slow.gate.waitForArrivals(1)
    let begun = try attempts.begin(.password)
    slow.gate.open()
    #expect(await resumed.value == nil)
    #expect(attempts.current === begun)
    #expect(begun.state == .collecting)
  }

  @Test func `an attempt that was begun meanwhile is not replaced by a link either`() async throws {
    let slow = SlowPendingSignIns(upstream: bench.pending)
    let attempts = relaunched(slow)
    slow.gate.close()
    let opened = Task { try await attempts.open(link) }
    await slow.gate.waitForArrivals(1)
    let begun = try attempts.begin(.password)
    slow.gate.open()
    await #expect(throws: AuthenticationError.invalidLink) { try await opened.value }
    #expect(attempts.current === begun)
    #expect(begun.state == .collecting)
  }

  @Test func `a link does not replace the attempt in progress by a pending step that waits for a code`() async throws {
    _ = try await bench.challenged()
    let attempts = relaunched(SlowPendingSignIns(upstream: bench.pending))
    let begun = try attempts.begin(.password)
    await #expect(throws: AuthenticationError.invalidLink) { try await attempts.open(link) }
    #expect(attempts.current === begun)
    #expect(begun.state == .collecting)
  }

  @Test func `a step that is resumed twice is one attempt`() async throws {
    _ = try await bench.challenged()
    let attempts = relaunched(SlowPendingSignIns(upstream: bench.pending))
    let first = try #require(await attempts.resume())
    #expect(await attempts.resume() === first)
    #expect(first.state == .challenged(.sms, nil))
  }

  @Test func `a caller who leaves after the session was stored is not told that the sign-in failed`() async throws {
    let (slow, manager) = (SlowPendingSignIns(upstream: bench.pending), bench.bench.manager)
    let attempts = SignInAttempts(
      [.password], useCase: manager, manager: manager, pending: slow, clock: bench.bench.clock)
    bench.provider.answerSignIn(.success(.session(bench.bench.session())))
    slow.removals.close()
    let call = Task { try await manager.signIn(SignInRequest(.password(userName: "ada", password: Secret("right")))) }
    await slow.removals.waitForArrivals(1)
    call.cancel()
    #expect(try await call.value.session().user == manager.state.user)
    #expect(attempts.current == nil)
    slow.removals.open()
  }

  @Test func `cancelling leaves no attempt and no pending step`() async throws {
    let attempt = try await bench.challenged()
    await bench.attempts.cancel()
    #expect(await attempt.finished() == .ended(.cancelled))
    #expect(await bench.pending.pending() == nil)
  }
}
