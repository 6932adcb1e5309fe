import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// A call whose caller may leave before it ends: of leaving and ending, the first one counts.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AbandonableCallTests {
  /// Holds the work, which does not heed its cancellation.
  let gate = Gate()
  let stepper = Stepper()

  init() { gate.close() }

  @Test func `a caller that stays gets the result of the work, or its error`() async throws {
    #expect(try await AbandonableCall.run { 7 } == 7)
    await #expect(throws: AuthenticationError.invalidCredentials) {
      try await AbandonableCall.run { () async throws(AuthenticationError) -> Int in throw .invalidCredentials }
    }
  }

  @Test func `a caller who is cancelled goes at once, and the work is told`() async {
    let heard = AwaitableState<Bool?>(nil)
    let caller = stepper.start { [gate] () async throws(AuthenticationError) in
      try await AbandonableCall.run {
        await Task { await gate.pass() }.value
        heard.update { $0 = Task.isCancelled }
        return 7
      }
    }
    caller.cancel()
    gate.open()
    #expect(await caller.value == .failure(.cancelled))
    await heard.wait { $0 != nil }
    #expect(heard.value == true)
  }

  @Test func `a caller who left before goes at once, and the work begins as one that is cancelled`() async {
    let heard = AwaitableState<Bool?>(nil)
    let caller = stepper.start { [gate] () async throws(AuthenticationError) in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await AbandonableCall.run {
        await Task { await gate.pass() }.value
        heard.update { $0 = Task.isCancelled }
        return 7
      }
    }
    #expect(await caller.value == .failure(.cancelled))
    gate.open()
    await heard.wait { $0 != nil }
    #expect(heard.value == true)
  }

  @Test func `a committed call keeps its caller until the end`() async {
    let call = AbandonableCall<Int>()
    let caller = stepper.start { [gate] () async throws(AuthenticationError) in
      try await call.run { call throws(AuthenticationError) in
        let isCommitted = call.commit()
        await Task { await gate.pass() }.value
        if !isCommitted { throw .superseded }
        return 7
      }
    }
    await gate.waitForArrivals(1)
    caller.cancel()
    call.leave(.superseded)
    #expect(!call.isAbandoned)
    gate.open()
    #expect(await caller.value == .success(7))
  }

  @Test func `a call whose caller has left cannot be committed`() async {
    let call = AbandonableCall<Int>()
    let isCommitted = AwaitableState<Bool?>(nil)
    let caller = stepper.start { [gate] () async throws(AuthenticationError) in
      try await call.run { call in
        await Task { await gate.pass() }.value
        isCommitted.update { $0 = call.commit() }
        return 7
      }
    }
    caller.cancel()
    #expect(call.isAbandoned)
    gate.open()
    #expect(await caller.value == .failure(.cancelled))
    await isCommitted.wait { $0 != nil }
    #expect(isCommitted.value == false)
  }

  @Test func `a call that has ended is not left`() async throws {
    let call = AbandonableCall<Int>()
    #expect(try await call.run { _ in 7 } == 7)
    call.leave(.cancelled)
    #expect(!call.isAbandoned)
    #expect(call.commit())
  }

  @Test func `the first reason to leave is the one that is told`() async {
    let call = AbandonableCall<Int>()
    call.leave(.superseded)
    call.leave(.cancelled)
    let caller = stepper.start { () async throws(AuthenticationError) in try await call.run { _ in 7 } }
    #expect(await caller.value == .failure(.superseded))
  }

  @Test func `an interceptor that ends after its caller has left says nothing`() async {
    let caller = stepper.start { [gate] () async throws(AuthenticationError) in
      try await Welcoming().intercept { _ in await Task { await gate.pass() }.value }.signIn(with: .sample)
    }
    caller.cancel()
    gate.open()
    #expect(await caller.value == .failure(.cancelled))
  }
}

private struct Welcoming: AuthenticationUseCase {
  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    .session(.sample(receivedAt: .noon))
  }
}
