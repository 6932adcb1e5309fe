import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

/// The screen after the app was closed at a step.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct PendingStepTests {
  let clock = ManualClock()
  let pending = InMemoryPendingSignIns()

  /// The app before: it is closed while a code is asked for.
  private func close(at challenge: Challenge = .sms()) async throws {
    _ = try await World(clock: clock, pending: pending).attempt(at: challenge)
  }

  private func launch(_ change: (inout FlowEnvironment) -> Void = { _ in }) async -> (World, AuthenticationViewModel) {
    let world = World(clock: clock, pending: pending)
    var flows = world.flows
    change(&flows)
    await world.manager.restore()
    let model = AuthenticationViewModel(flows)
    await model.finished()
    return (world, model)
  }

  @Test func `a restored step sends nothing, and its wait goes on`() async throws {
    try await close()
    clock.advance(by: .seconds(20))
    let (world, model) = await launch()
    guard case .code(let step) = model.step else {
      Issue.record("No code is asked for.")
      return
    }
    #expect(step.entry?.isRestored == true)
    #expect(step.entry?.challenge.destination == "•••• 42")
    #expect(step.code == "")
    #expect(step.secondsToResend == 40)
    #expect(step.secondsLeft == 280)
    #expect(world.provider.messages.isEmpty)
  }

  @Test func `the pending step that is kept holds no password and no code`() async throws {
    try await close()
    var text = ""
    dump(await pending.pending(), to: &text)
    #expect(!text.contains("correct horse"))
    #expect(!text.contains("+4930123456"))
  }

  @Test func `a restored step that has expired is not shown`() async throws {
    try await close()
    clock.advance(by: .seconds(300))
    let (_, model) = await launch()
    #expect(model.step?.model is MethodListModel)
    #expect(await pending.pending() == nil)
  }

  @Test func `a clock that was set back frees no wait: the flow begins anew`() async throws {
    try await close()
    clock.jumpWallClock(by: .seconds(-3_600))
    let (world, model) = await launch()
    #expect(model.step?.model is MethodListModel)
    #expect(world.provider.messages.isEmpty)
  }

  @Test func `a step is restored also if the store was locked at first`() async throws {
    try await close()
    let store = ScriptedSessionStore()
    store.failReads(with: AuthenticationError(.storageUnavailable, "Locked."))
    let world = World(clock: clock, pending: pending, store: store)
    let model = AuthenticationViewModel(world.flows)
    await model.waited { model.shown == .storeLocked }
    store.failReads(with: nil)
    guard case .storeLocked(let locked) = model.state else {
      Issue.record("The store is not locked.")
      return
    }
    locked.retry()
    await model.waited { model.step != nil }
    guard case .code(let step) = model.step else {
      Issue.record("No code is asked for.")
      return
    }
    #expect(step.entry?.isRestored == true)
    #expect(world.provider.messages.isEmpty)
  }

  @Test func `a restored step can be left`() async throws {
    try await close()
    let (world, model) = await launch()
    model.startAgain()
    #expect(model.step?.model is MethodListModel)
    await world.flows.attempts.current?.finished()
    #expect(await pending.pending() == nil)
    #expect(world.provider.messages.isEmpty)
  }

  @Test func `a product line that restores nothing removes it`() async throws {
    try await close()
    let (_, model) = await launch { $0.restoresPendingStep = false }
    #expect(model.step?.model is MethodListModel)
    #expect(await pending.pending() == nil)
  }

  @Test func `a user who is signed in is asked for nothing`() async throws {
    try await close()
    let world = World(clock: clock, pending: pending)
    try await world.manager.adopt(.sample(receivedAt: clock.now))
    let model = AuthenticationViewModel(world.flows)
    await model.finished()
    #expect(model.user == .ada)
    #expect(model.step == nil)
  }
}
