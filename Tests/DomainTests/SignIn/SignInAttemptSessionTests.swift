import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// Which session an attempt made.
@Suite(.timeLimit(.minutes(10))) struct SignInAttemptSessionTests {
  @Test func `an attempt knows the session that it made, and no later one of the same user`() async throws {
    let bench = Bench()
    let gate = Gate()
    let attempts = SignInAttempts(
      [.password], useCase: bench.manager.intercept { _ in await gate.pass() }, clock: bench.clock)
    gate.close()
    bench.provider.answerSignIn(.success(.session(bench.session(1))), .success(.session(bench.session(2))))
    let attempt = try attempts.begin(.password)
    #expect(attempt.session == nil)
    attempt.submit(.password)
    await gate.waitForArrivals(1)
    try await bench.manager.signIn(with: .sample)
    gate.open()
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(attempt.session == bench.session(1))
    #expect(bench.manager.state.session == bench.session(2))
  }

  @Test func `a second step leads to the session that the attempt made`() async throws {
    let bench = AttemptBench()
    let attempt = try await bench.challenged()
    bench.provider.answerSignIn(.success(.session(bench.bench.session(1))))
    attempt.answer(code: Secret("123456"))
    await attempt.finished()
    #expect(attempt.session == bench.bench.session(1))
  }

  @Test func `an attempt that unlocks has the session that was there`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    let attempts = SignInAttempts([.unlock], useCase: bench.manager, clock: bench.clock)
    let attempt = try attempts.begin(.unlock)
    attempt.submit()
    await attempt.finished()
    #expect(attempt.session == bench.session(1))
  }

  @Test func `an attempt that failed has made none`() async throws {
    let bench = AttemptBench()
    bench.provider.answerSignIn(.failure(.invalidCredentials))
    let attempt = try bench.attempts.begin(.password)
    attempt.submit(.password)
    await attempt.finished()
    #expect(attempt.session == nil)
  }
}
