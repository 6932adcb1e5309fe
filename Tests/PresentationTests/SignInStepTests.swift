import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

/// The way from the list of methods to a session.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct SignInStepTests {
  private let completions = Completions()

  private func launched(_ world: World) async -> AuthenticationViewModel {
    await world.manager.restore()
    let completions = completions
    let model = AuthenticationViewModel(world.flows) { completions.list.append($0) }
    await model.finished()
    return model
  }

  private func fill(_ model: AuthenticationViewModel) {
    model.userName = "ada"
    model.password = "correct horse"
  }

  @Test func `where there is one method, its form is shown at once`() async {
    let model = await launched(World([.password]))
    #expect(model.step?.model is SignInFormModel)
  }

  @Test func `where there are several, the list is shown, and the choice leads to its step`() async {
    let model = await launched(World())
    #expect(model.step?.model is MethodListModel)
    guard case .methods(let list) = model.step else { return }
    list.choose(.emailLink)
    #expect(model.title == "Sign in by e-mail")
    model.startAgain()
    #expect(model.step?.model is MethodListModel)
    model.choose(.device)
    #expect(model.step?.model is MethodListModel, "a method that is not offered is not begun")
    model.choose(.phoneCode)
    #expect(model.step?.model is SignInFormModel)
  }

  @Test func `a completion is told once, with the session of the attempt, and nothing is dismissed`() async throws {
    let world = World([.password])
    let model = await launched(world)
    world.answer(.success(.challenge(.sms())), .success(world.session()))
    fill(model)
    model.signIn()
    await model.finished()
    #expect(completions.list.isEmpty, "a second step completes nothing")
    guard case .code(let code) = model.step else {
      Issue.record("No code is asked for.")
      return
    }
    code.code = "123456"
    code.submit()
    await model.finished()
    await model.finished()
    #expect(completions.list == [world.manager.state.session])
    #expect(completions.list.first == world.flows.attempts.current?.session)
    guard case .signedIn(_, let completion) = model.state else {
      Issue.record("No user is signed in.")
      return
    }
    #expect(completion == completions.list.first)
  }

  @Test func `a session that another screen made completes nothing here`() async throws {
    let world = World([.password])
    let model = await launched(world)
    world.answer(.success(world.session()))
    try await world.manager.login(username: "ada", password: "correct horse")
    await model.waited { model.user == .ada }
    #expect(completions.list.isEmpty)
    #expect(model.message == nil)
  }

  @Test func `after a sign-out the screen is a new one, and nothing of the last sign-in is on it`() async {
    let world = World([.password])
    let model = await launched(world)
    world.answer(.success(world.session()))
    fill(model)
    model.signIn()
    await model.finished()
    model.signOut()
    await model.finished()
    #expect(model.userName == "")
    #expect(model.password == "")
    #expect(model.message == nil)
    #expect(model.notice == nil)
    #expect(model.step?.model is SignInFormModel)
  }

  @Test func `a challenge that these models do not know is shown as one, and can be left`() async {
    let world = World([.password])
    let model = await launched(world)
    world.answer(.success(.challenge(Challenge(kind: .init(id: "dance"), handle: Secret("d")))))
    fill(model)
    model.signIn()
    await model.finished()
    guard case .other(let challenge, _) = model.step else {
      Issue.record("Not shown.")
      return
    }
    #expect(challenge.kind.id == "dance")
    model.startAgain()
    #expect(model.step?.model is SignInFormModel)
    #expect(model.userName == "ada", "what was typed is not asked for again")
    #expect(model.password == "")
  }

  @Test func `a factor that was chosen is asked on a screen of its own`() async {
    let world = World([.password])
    let model = await launched(world)
    let factors = [
      Challenge.Factor(id: "1", kind: .smsCode), Challenge.Factor(id: "2", kind: .oneTimePassword),
    ]
    world.answer(
      .success(.challenge(Challenge(kind: .choice, handle: Secret("c"), choices: factors))),
      .success(.challenge(.sms())))
    fill(model)
    model.signIn()
    await model.finished()
    guard case .factors(let picker) = model.step else {
      Issue.record("No choice.")
      return
    }
    picker.choose(factors[0])
    await model.finished()
    #expect(model.step?.model is CodeEntryModel)
  }

  @Test func `another factor is chosen without a new sign-in`() async throws {
    let world = World([.password])
    let model = await launched(world)
    let factors = [
      Challenge.Factor(id: "1", kind: .smsCode), Challenge.Factor(id: "2", kind: .oneTimePassword),
    ]
    let sms = Challenge(kind: .smsCode, handle: Secret("s"), format: .digits(6), choices: factors)
    world.answer(.success(.challenge(sms)))
    fill(model)
    model.signIn()
    await model.finished()
    guard case .code(let code) = model.step else {
      Issue.record("No code is asked for.")
      return
    }
    #expect(code.canChooseAnother)
    code.chooseAnother()
    guard case .factors(let picker) = model.step else {
      Issue.record("No choice.")
      return
    }
    world.answer(.success(.challenge(Challenge(kind: .oneTimePassword, handle: Secret("o"), format: .digits(6)))))
    picker.choose(factors[1])
    await model.finished()
    guard case .code(let other) = model.step else {
      Issue.record("No code is asked for.")
      return
    }
    #expect(other.explanations == ["Enter the code that your authenticator app shows."])
    #expect(!other.canChooseAnother, "this one leaves no choice")
    #expect(world.provider.messages.first == .signIn(.password))
    #expect(world.provider.challengeAnswers.count == 1)
  }

  @Test func `a user whose session has expired signs in again, and is told why`() async {
    let world = World([.password])
    _ = try? await world.manager.adopt(
      .sample(receivedAt: world.clock.now, lifetime: .seconds(60), canRefresh: false))
    world.clock.advance(by: .seconds(120))
    _ = try? await world.manager.validSession()
    let model = await launched(world)
    #expect(model.shown == .expired)
    #expect(model.notice == "Your session has ended. Sign in again.")
    #expect(model.announcement?.text == model.notice)
    world.answer(.failure(.unreachable))
    fill(model)
    model.signIn()
    await model.finished()
    #expect(model.notice == "Your session has ended. Sign in again.")
    #expect(model.announcement == nil, "it was said")
    world.answer(.success(world.session()))
    fill(model)
    model.signIn()
    await model.finished()
    #expect(model.shown == .signedIn)
  }

  @Test func `a user signed out by another app of the device is told so`() async {
    let control = ScriptedAuthManager(.signedOut(.elsewhere))
    let model = AuthenticationViewModel(useCase: control, control: control)
    await model.finished()
    #expect(model.notice == "You were signed out by another app of this device.")
  }
}

@MainActor
private final class Completions {
  var list: [AuthSession] = []
}
