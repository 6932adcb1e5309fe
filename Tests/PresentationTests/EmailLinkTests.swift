import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct EmailLinkTests {
  let world = World()

  private func link(_ code: String) -> Secret { Secret("https://app.example/in?code=\(code)") }

  private var challenge: Challenge {
    Challenge(
      kind: .link, destination: "a•••@example.com", handle: Secret("link"), lifetime: .seconds(600),
      resendDelay: .seconds(60))
  }

  private func asked() -> SignInFormModel { SignInFormModel(.emailLink, in: world.flows) }

  private func waiting() async throws -> CodeEntryModel {
    world.answer(.success(.challenge(challenge)))
    let form = asked()
    form[.emailAddress] = " ada@example.com "
    form.submit()
    await form.finished()
    let attempt = try #require(world.flows.attempts.current)
    return try #require(CodeEntryModel(attempt, in: world.flows))
  }

  /// The model of the whole screen, and of its step that waits for a link.
  private func waitingScreen(in world: World) async throws -> (AuthenticationViewModel, CodeEntryModel) {
    await world.manager.restore()
    let model = AuthenticationViewModel(world.flows)
    await model.finished()
    model.choose(.emailLink)
    world.answer(.success(.challenge(challenge)))
    try addressForm(of: model)[.emailAddress] = "ada@example.com"
    try addressForm(of: model).submit()
    await model.finished()
    guard case .link(let wait) = model.step else { throw UnexpectedStep(state: "\(model.state)") }
    return (model, wait)
  }

  private func addressForm(of model: AuthenticationViewModel) throws -> SignInFormModel {
    guard case .form(let form) = model.step else { throw UnexpectedStep(state: "\(model.state)") }
    return form
  }

  private struct UnexpectedStep: Error { let state: String }

  @Test func `an address that cannot be one is asked for again, and nothing is sent`() {
    let form = asked()
    form[.emailAddress] = "ada"
    form.submit()
    #expect(form.failureSentence == "Enter your e-mail address, such as name@example.com.")
    #expect(world.flows.attempts.current == nil)
  }

  @Test func `a link that was sent is waited for, where it went is shown as the provider masked it`() async throws {
    let model = try await waiting()
    guard case .editing = model.state else {
      Issue.record("Not waiting: \(model.state)")
      return
    }
    #expect(model.explanations == ["A link was sent to \u{2068}a•••@example.com\u{2069}."])
    #expect(model.secondsToResend == 60)
    #expect(model.announcement?.text == "Open the link in your e-mail")
  }

  @Test func `the link signs in, and completes with its session`() async throws {
    let model = try await waiting()
    world.answer(.success(world.session()))
    await model.open(link("right"))
    await model.finished()
    guard case .done(let completion) = model.state else {
      Issue.record("Not done: \(model.state)")
      return
    }
    #expect(completion == world.manager.state.session)
  }

  @Test func `a link that leads elsewhere is refused in words, and the wait goes on`() async throws {
    let model = try await waiting()
    await model.open(Secret("https://evil.example/in?code=x"))
    #expect(
      model.failureSentence == "This link belongs to another sign-in. Open the one in the latest e-mail.")
    guard case .editing = model.state else {
      Issue.record("Not waiting: \(model.state)")
      return
    }
    let form = SignInFormModel(.emailLink, in: World().flows)
    await form.open(Secret("https://evil.example/in?code=x"))
    #expect(form.failure?.error == .invalidLink)
  }

  @Test func `while a link is verified nothing can be sent again`() async throws {
    let model = try await waiting()
    world.clock.advance(by: .seconds(60))
    world.answer(.success(world.session()))
    world.provider.hold(.signIn)
    await model.open(link("right"))
    #expect(model.isWorking)
    #expect(!model.canResend)
    #expect(model.secondsToResend == nil, "no button is shown for it")
    world.provider.release(.signIn)
    await model.finished()
  }

  @Test func `a link that a scanner has spent is told, and another one is offered`() async throws {
    let model = try await waiting()
    world.answer(.failure(.codeExpired))
    await model.open(link("spent"))
    await model.finished()
    guard case .expired = model.state else {
      Issue.record("Not expired: \(model.state)")
      return
    }
    #expect(model.announcement?.text == "The link is no longer accepted.")
    world.clock.advance(by: .seconds(60))
    #expect(model.canResend)
  }

  @Test func `a link that no attempt here asked for takes the address, which is never taken from it`() async {
    let form = asked()
    form[.emailAddress] = "grace@example.com"
    await form.open(link("elsewhere"))
    #expect(form.title == "Enter the address that the link was sent to")
    #expect(form[.emailAddress] == "")
    #expect(world.provider.messages.isEmpty)
    world.answer(.success(world.session()))
    form[.emailAddress] = "ada@example.com"
    form.submit()
    await form.finished()
    #expect(world.manager.state.user == .ada)
    #expect(world.provider.messages.count == 1, "no other link was asked for")
  }

  @Test func `another link is sent no sooner than it may`() async throws {
    let model = try await waiting()
    model.resend()
    #expect(world.provider.challengeAnswers.isEmpty)
    world.clock.advance(by: .seconds(60))
    world.answer(.success(.challenge(challenge.leaving(attempts: 1))))
    world.provider.hold(.signIn)
    model.resend()
    guard case .sending = model.state else {
      Issue.record("Not sending: \(model.state)")
      return
    }
    #expect(model.announcement?.text == "Sending the link", "it is not said to be sent before the answer")
    world.provider.release(.signIn)
    await model.finished()
    #expect(world.provider.challengeAnswers.count == 1)
    #expect(model.announcement?.text == "Open the link in your e-mail")
  }

  @Test func `a link that is not opened in time has expired, and another address may be given`() async throws {
    let (model, wait) = try await waitingScreen(in: world)
    await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(600))
    await model.waited { if case .expired = wait.state { true } else { false } }
    wait.startAgain()
    #expect(try addressForm(of: model)[.emailAddress] == "ada@example.com")
  }

  @Test func `a link of another sign-in that is opened while one is waited for asks for its address`() async throws {
    let (model, wait) = try await waitingScreen(in: world)
    world.answer(.failure(.signInExpired))
    await wait.open(link("late"))
    await wait.finished()
    await wait.open(link("another"))
    let asking = try addressForm(of: model)
    #expect(asking.title == "Enter the address that the link was sent to")
    world.answer(.success(world.session()))
    asking[.emailAddress] = "ada@example.com"
    asking.submit()
    await model.finished()
    #expect(world.manager.state.user == .ada)
    #expect(world.provider.messages.count == 3, "the address, the late link, and this one: no other link was asked for")
  }

  @Test func `a user who starts again while a link is opened stays at the address`() async throws {
    let pending = SlowPendingSignIns(upstream: InMemoryPendingSignIns())
    let world = World(pending: pending)
    let (model, wait) = try await waitingScreen(in: world)
    world.answer(.failure(.signInExpired))
    await wait.open(link("late"))
    await wait.finished()
    let before = pending.gate.arrivals
    pending.gate.close()
    let opening = Task { await wait.open(link("another")) }
    await pending.gate.waitForArrivals(before + 1)
    wait.startAgain()
    let form = try addressForm(of: model)
    pending.gate.open()
    await opening.value
    #expect(try addressForm(of: model) === form)
    #expect(form.title == "Sign in by e-mail", "the link that came too late asks for nothing")
  }

  @Test func `a form of another method takes no link`() async {
    let form = SignInFormModel(.password, in: world.flows)
    form[.userName] = "ada"
    await form.open(link("right"))
    #expect(form.failure?.error == .invalidLink)
    #expect(form[.userName] == "ada")
    #expect(world.flows.attempts.current == nil)
  }
}
