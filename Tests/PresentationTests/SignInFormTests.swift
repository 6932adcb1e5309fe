import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct SignInFormTests {
  let world = World()
  let model: SignInFormModel

  init() { model = SignInFormModel(.password, in: world.flows) }

  private func fill(_ name: String = "ada", _ password: String = "correct horse") {
    model[.userName] = name
    model[.password] = password
  }

  @Test func `nothing is wrong before the user has tried to go on`() {
    model[.userName] = "a"
    model[.userName] = ""
    model[.password] = ""
    #expect(model.problems.isEmpty)
    #expect(model.failureSentence == nil)
    #expect(model.focus == nil)
  }

  @Test func `of terms and inputs with one name the form shows the first alone`() async {
    var flows = world.flows
    flows.terms = ["terms.use", "terms.use", "password"].map { Terms($0, version: "1", title: $0) }
    let model = SignInFormModel(.password, createsAccount: true, needs: [.userName, .password, .userName], in: flows)
    #expect(model.form?.fields.map(\.id.id) == ["user_name", "password", "terms.use"])
    for (need, text) in [(SignInMethod.Need.userName, "ada"), (.password, "p"), (.init(id: "terms.use"), "yes")] {
      model[need] = text
    }
    model.submit()
    await model.finished()
    #expect(model.problems.isEmpty)
    #expect(world.provider.messages == [.signUp(.password)])
  }

  @Test func `a submit names the missing input, and sends nothing`() {
    model[.userName] = "ada"
    model.submit()
    #expect(model.problems == [.emptyPassword])
    #expect(model.focus?.field == "password")
    #expect(model.failureSentence == "Enter your password.")
    #expect(world.provider.messages.isEmpty)
    #expect(world.flows.attempts.current == nil)
  }

  @Test func `after a submit that found something wrong, typing puts it right at once`() {
    model.submit()
    #expect(model.problems == [.blankUserName, .emptyPassword])
    model[.userName] = "a"
    #expect(model.problems == [.emptyPassword])
    model[.userName] = " "
    #expect(model.problems == [.blankUserName, .emptyPassword])
  }

  @Test func `the same mistake again moves the focus again`() {
    model.submit()
    let first = model.focus
    model.submit()
    #expect(model.focus?.field == "user_name")
    #expect(model.focus != first)
  }

  @Test func `a refused password is emptied, the name stays, and the message has the focus`() async {
    world.answer(.failure(.invalidCredentials))
    fill()
    model.submit()
    await model.finished()
    #expect(model[.userName] == "ada")
    #expect(model[.password] == "")
    #expect(model.failure?.error == .invalidCredentials)
    #expect(model.focus?.isMessage == true)
    #expect(model.problems.isEmpty, "an emptied password is not yet a missing one")
  }

  // Impossible: busy and showing an error.
  @Test func `while a request is in flight no failure is shown, and no password is kept`() async {
    world.answer(.failure(.invalidCredentials), .success(world.session()))
    fill()
    model.submit()
    await model.finished()
    world.provider.hold(.signIn)
    fill()
    model.submit()
    #expect(model.isWorking)
    #expect(model.failure == nil)
    #expect(model.form?[.password] == "")
    model[.password] = "typed meanwhile"
    #expect(model.form?[.password] == "")
    world.provider.release(.signIn)
    await model.finished()
    #expect(!model.isWorking)
  }

  @Test func `a double tap sends once`() async {
    world.answer(.success(world.session()))
    world.provider.hold(.signIn)
    fill()
    model.submit()
    model.submit()
    world.provider.release(.signIn)
    await model.finished()
    #expect(world.provider.messages == [.signIn(.password)])
  }

  // Impossible: completion that looks like dismissal.
  @Test func `a completion has the session that the attempt made`() async throws {
    world.answer(.success(world.session()))
    fill()
    model.submit()
    let attempt = try #require(world.flows.attempts.current)
    await model.finished()
    guard case .done(let completion) = model.state else {
      Issue.record("Not done: \(model.state)")
      return
    }
    #expect(completion == attempt.session)
    #expect(completion == world.manager.state.session)
    #expect(completion.user == .ada)
  }

  @Test func `a completion has the attempt's own session, and no later one of the same user`() async throws {
    let gate = Gate()
    let attempts = SignInAttempts(
      [.password], useCase: world.manager.intercept { _ in await gate.pass() }, clock: world.clock)
    let model = SignInFormModel(
      .password, in: FlowEnvironment(attempts: attempts, control: world.manager, clock: world.clock))
    let sessions = [1, 2].map { AuthSession.sample($0, receivedAt: world.clock.now) }
    world.answer(.success(.session(sessions[0])), .success(.session(sessions[1])))
    model[.userName] = "ada"
    model[.password] = "correct horse"
    gate.close()
    model.submit()
    await gate.waitForArrivals(1)
    try await world.manager.login(username: "ada", password: "correct horse")
    gate.open()
    await model.finished()
    guard case .done(let completion) = model.state else {
      Issue.record("Not done: \(model.state)")
      return
    }
    #expect(completion == sessions[0])
    #expect(world.manager.state.session == sessions[1])
  }

  @Test func `cancelling shows nothing, and completes nothing`() async {
    world.answer(.success(world.session()))
    world.provider.hold(.signIn)
    fill()
    model.submit()
    model.cancel()
    #expect(model.failure == nil)
    #expect(model[.userName] == "ada")
    world.provider.release(.signIn)
    await model.finished()
    guard case .editing = model.state else {
      Issue.record("Not editing: \(model.state)")
      return
    }
  }

  // Impossible: two flows on screen for one client.
  @Test func `a second form takes the attempt over, and the first one can be filled in again`() async {
    let other = SignInFormModel(.password, in: world.flows)
    world.answer(.success(world.session()))
    world.provider.hold(.signIn)
    fill()
    model.submit()
    await world.provider.waitForArrival(of: .signIn)
    other[.userName] = "grace"
    other[.password] = "battery staple"
    other.submit()
    world.provider.release(.signIn)
    await other.finished()
    await model.finished()
    #expect(model.failure == nil)
    #expect(!model.isWorking)
    guard case .done = other.state, case .editing = model.state else {
      Issue.record("\(other.state), \(model.state)")
      return
    }
  }

  @Test func `a second factor is no failure`() async {
    world.answer(.success(.challenge(.sms())))
    fill()
    model.submit()
    await model.finished()
    #expect(model.failure == nil)
    guard case .next(let challenge) = model.state else {
      Issue.record("Not challenged: \(model.state)")
      return
    }
    #expect(challenge.kind == .smsCode)
  }

  @Test func `a locked account says until when, and is open again then`() async {
    world.answer(.failure(.tooManyAttempts.with(\.retryAfter, .seconds(60))))
    fill()
    model.submit()
    await model.finished()
    #expect(model.secondsLeft == 60)
    model.submit()
    #expect(world.provider.messages.count == 1)
    await world.clock.waitForSleepers()
    world.clock.jumpWallClock(by: .seconds(3_600))
    #expect(model.secondsLeft == 60, "the wall clock ends no wait")
    world.clock.advance(by: .seconds(60))
    await model.waited { if case .editing(_, nil) = model.state { true } else { false } }
    #expect(model[.userName] == "ada")
  }

  @Test func `how long an account is locked is said, and not each second of it`() async {
    world.answer(.failure(.tooManyAttempts.with(\.retryAfter, .seconds(90))))
    fill()
    model.submit()
    await model.finished()
    #expect(model.title == "Too many tries")
    var said: [String] = []
    for _ in 0..<90 {
      if let announcement = model.announcement, said.last != announcement.text { said.append(announcement.text) }
      world.clock.advance(by: .seconds(1))
    }
    #expect(
      said == [
        "Too many tries. Try again in 2 minutes.", "Too many tries. Try again in 1 minute.",
        "Too many tries. Try again in 30 seconds.", "Too many tries. Try again in 10 seconds.",
      ])
  }

  @Test func `a name that the app fills in and locks stays`() {
    let model = SignInFormModel(.password, in: world.flows, filled: [.userName: "ada"], locked: [.userName])
    model[.userName] = "grace"
    #expect(model[.userName] == "ada")
    model[.password] = "x"
    model.submit()
    #expect(model.problems.isEmpty)
  }

  @Test func `a typed password is in no dump`() {
    fill("ada", "canary-password")
    var text = "\(model.state)"
    dump(model.state, to: &text)
    #expect(!text.contains("canary-password"))
  }
}
