import AuthenticationDomainTesting
import Testing

@testable import AuthenticationDomain

/// The end of an attempt: it comes after the action after each sign-in.
@Suite(.timeLimit(.minutes(10))) struct SignInAttemptEndTests {
  let bench = Bench()
  let gate = Gate()
  let attempts: SignInAttempts

  init() {
    let (gate, bench) = (gate, bench)
    gate.close()
    attempts = SignInAttempts(
      [.password, .phoneCode], useCase: bench.manager.intercept { _ in await gate.pass() }.addValidation(),
      pending: InMemoryPendingSignIns(), clock: bench.clock)
  }

  /// An attempt whose session is stored, while the action after the sign-in still runs.
  func finishing() async throws -> SignInAttempt {
    bench.provider.answerSignIn(.success(.session(bench.session())))
    let attempt = try attempts.begin(.password)
    attempt.submit(.password)
    await gate.waitForArrivals(1)
    #expect(bench.manager.state.user == .ada)
    #expect(attempt.state == .submitting)
    return attempt
  }

  @Test(arguments: [true, false])
  func `an attempt that is left after its session was stored has signed in`(isReplaced: Bool) async throws {
    let attempt = try await finishing()
    if isReplaced { try attempts.begin(.phoneCode) } else { attempt.cancel() }
    #expect(attempt.state == .ended(.signedIn(.ada)))
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(bench.manager.state.user == .ada)
    gate.open()
  }

  @Test(arguments: [true, false])
  func `a sign-out while an attempt finishes cancels it, whichever ends first`(isHookFirst: Bool) async throws {
    let attempt = try await finishing()
    attempt.signOutBegins()
    #expect(attempt.state == .submitting)
    if isHookFirst {
      gate.open()
      #expect(await attempt.finished() == .ended(.cancelled))
    }
    try await bench.manager.signOut()
    attempt.signOutEnded(isSignedOut: true)
    #expect(await attempt.finished() == .ended(.cancelled))
    gate.open()
  }

  @Test func `a sign-out that changed nothing leaves the attempt signed in`() async throws {
    let attempt = try await finishing()
    attempt.signOutBegins()
    attempt.signOutEnded(isSignedOut: false)
    gate.open()
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
  }

  @Test func `the states of an attempt end with it`() async throws {
    let attempt = try attempts.begin(.password)
    let states = attempt.states()
    bench.provider.answerSignIn(.success(.session(bench.session())))
    attempt.submit(.password)
    await gate.waitForArrivals(1)
    gate.open()
    var last: SignInAttempt.State?
    for await state in states { last = state }
    #expect(last == .ended(.signedIn(.ada)))
    var late: [SignInAttempt.State] = []
    for await state in attempt.states() { late.append(state) }
    #expect(late == [.ended(.signedIn(.ada))])
  }

  @Test func `a cancelled attempt waits for a use case that signs in all the same`() async throws {
    let useCase = UncancellableUseCase(gate: gate) { [bench] _ in .success(.session(bench.session())) }
    let attempt = try SignInAttempts([.password], useCase: useCase, clock: bench.clock).begin(.password)
    attempt.submit(.password)
    await gate.waitForArrivals(1)
    attempt.cancel()
    gate.open()
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
  }

  @Test func `an attempt that is cancelled while its answer is refused leaves no step`() async throws {
    let pending = InMemoryPendingSignIns()
    let useCase = UncancellableUseCase(gate: gate) { credentials in
      credentials is ChallengeAnswer ? .failure(.wrongCode) : .success(.challenge(.sms))
    }
    gate.open()
    let attempt = try SignInAttempts(
      [.phoneCode], useCase: useCase, pending: pending, clock: bench.clock
    ).begin(.phoneCode)
    attempt.submit(.phone)
    #expect(await attempt.finished() == .challenged(.sms, nil))
    gate.close()
    attempt.answer(code: Secret("123456"))
    await gate.waitForArrivals(2)
    attempt.cancel()
    gate.open()
    #expect(await attempt.finished() == .ended(.cancelled))
    #expect(await pending.pending() == nil)
  }

  @Test(arguments: [true, false])
  func `the states of an attempt that was given up end`(isAtChallenge: Bool) async throws {
    let attempt = try attempts.begin(.phoneCode)
    if isAtChallenge {
      bench.provider.answerSignIn(.success(.challenge(.sms)))
      attempt.submit(.phone)
      await attempt.finished()
    }
    let states = attempt.states()
    attempt.cancel()
    var last: SignInAttempt.State?
    for await state in states { last = state }
    #expect(last == .ended(.cancelled))
  }
}

/// Continues although its caller has left, as a use case of the app may.
private struct UncancellableUseCase: AuthenticationUseCase {
  let gate: Gate
  let result: @Sendable (any Credentials) -> Result<SignInOutcome, AuthenticationError>

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    await Task { await gate.pass() }.value
    return try result(request.credentials).get()
  }
}
