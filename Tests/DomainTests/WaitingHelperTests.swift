import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// The helper with which a test waits: a test that is cancelled, as by its time limit, waits no longer.
@Suite(.timeLimit(.minutes(10))) struct WaitingHelperTests {
  static let waits: [@Sendable () async -> Void] = [
    {
      let gate = Gate()
      gate.close()
      await gate.pass()
    },
    { await Gate().waitForArrivals(1) },
    { await ManualClock().waitForSleepers() },
    { try? await ManualClock().sleep(for: .seconds(1)) },
    { await ScriptedSessionLock().waitForRelease() },
    { await ScriptedAuthProvider().waitForArrival(of: .signIn) },
    { await ScriptedAuthManager().waitForArrival(of: .signIn) },
    { await AwaitableState(0).wait { $0 > 0 } },
  ]

  @Test(arguments: waits.indices) func `a wait ends with its task`(index: Int) async {
    let wait = Task { await Self.waits[index]() }
    wait.cancel()
    await wait.value
  }

  @Test(arguments: waits.indices) func `a wait ends when its task is cancelled while it waits`(index: Int) async {
    let stepper = Stepper()
    let wait = stepper.start { await Self.waits[index]() }
    wait.cancel()
    _ = await wait.value
  }

  @Test func `a gate holds each caller until it is opened, and counts them`() async {
    let gate = Gate()
    await gate.pass()
    gate.close()
    let held = Task { await gate.pass() }
    await gate.waitForArrivals(2)
    gate.open()
    await held.value
    await gate.waitForArrivals(2)
  }

  @Test func `a scripted provider holds its answer, also when its caller gives up`() async throws {
    let provider = ScriptedAuthProvider()
    provider.answerSignIn(.success(.session(.sample(receivedAt: .noon))))
    provider.hold(.signIn)
    let call = Task { try await provider.signIn(with: .sample) }
    call.cancel()
    await provider.waitForArrival(of: .signIn)
    provider.release(.signIn)
    #expect(try await call.value == .session(.sample(receivedAt: .noon)))
  }
}
