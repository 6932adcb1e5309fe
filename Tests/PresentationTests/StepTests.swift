import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

/// Steps that a provider asks for: the choice of a factor, a new password, the confirmation of a new account.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct StepTests {
  let world = World()
  let sms = Challenge.Factor(id: "1", kind: .smsCode, destination: "•••• 42")
  let otp = Challenge.Factor(id: "2", kind: .oneTimePassword)

  private func choice(_ factors: [Challenge.Factor]) -> Challenge {
    Challenge(kind: .choice, handle: Secret("choice"), choices: factors)
  }

  @Test func `a user chooses among factors, and goes back without a new sign-in`() async throws {
    let attempt = try await world.attempt(at: choice([sms, otp]))
    let model = try #require(ChallengePickerModel(attempt, in: world.flows))
    guard case .choosing([sms, otp], nil) = model.state else {
      Issue.record("Not choosing: \(model.state)")
      return
    }
    world.answer(
      .success(.challenge(Challenge(kind: .smsCode, handle: Secret("sms"), choices: [sms, otp]))))
    model.choose(sms)
    model.choose(otp)
    await model.finished()
    guard case .asking(let asked) = model.state else {
      Issue.record("Not asking: \(model.state)")
      return
    }
    #expect(asked.kind == .smsCode)
    #expect(world.provider.challengeAnswers.count == 1)
    let again = try #require(ChallengePickerModel(attempt, in: world.flows))
    guard case .choosing([sms, otp], nil) = again.state else {
      Issue.record("Not choosing: \(again.state)")
      return
    }
    world.answer(.success(.challenge(Challenge(kind: .oneTimePassword, handle: Secret("otp")))))
    again.choose(otp)
    await again.finished()
    #expect(world.flows.attempts.current === attempt)
    #expect(ChallengePickerModel(attempt, in: world.flows) == nil, "this one leaves no choice")
  }

  @Test func `where there is one factor, the user is not asked to choose`() async throws {
    let attempt = try await world.attempt(at: choice([sms]))
    world.answer(.success(.challenge(.sms())))
    let model = try #require(ChallengePickerModel(attempt, in: world.flows))
    await model.finished()
    guard case .asking = model.state else {
      Issue.record("Not asking: \(model.state)")
      return
    }
  }

  @Test func `a factor that cannot be prepared says why, and another one can be chosen`() async throws {
    let attempt = try await world.attempt(at: choice([sms, otp]))
    let model = try #require(ChallengePickerModel(attempt, in: world.flows))
    world.answer(.failure(.unreachable))
    world.provider.hold(.signIn)
    model.choose(sms)
    #expect(model.failure == nil)
    world.provider.release(.signIn)
    await model.finished()
    #expect(model.failureSentence == "There is no connection. Try again when you are online.")
    world.answer(.success(.challenge(Challenge(kind: .oneTimePassword, handle: Secret("otp")))))
    model.choose(otp)
    await model.finished()
    guard case .asking = model.state else {
      Issue.record("Not asking: \(model.state)")
      return
    }
  }

  @Test func `the rules of a new password are told before anything is typed, and met one by one`() async throws {
    let model = try await newPassword([.length(8), .digit])
    guard case .editing(let entry) = model.state else { return }
    #expect(entry.checklist.map(\.isMet) == [false, false])
    #expect(entry.checklist.map { world.flows.words.sentence(for: $0.rule) } == ["At least 8 characters", "A digit"])
    model.password = "längere1"
    guard case .editing(let typed) = model.state else { return }
    #expect(typed.checklist.map(\.isMet) == [true, true])
  }

  @Test func `a password that does not meet the rules is not sent, and stays to be mended`() async throws {
    let model = try await newPassword([.length(15)])
    model.password = "short"
    model.submit()
    #expect(model.failureSentence == "The password does not meet all of the rules. Choose another one.")
    #expect(model.password == "short")
    #expect(world.provider.challengeAnswers.isEmpty)
  }

  @Test func `a new password that was sent is in the model no more`() async throws {
    let model = try await newPassword([])
    model.password = "correct horse"
    world.answer(.failure(.weakPassword))
    world.provider.hold(.signIn)
    model.submit()
    guard case .submitting(let entry) = model.state else {
      Issue.record("Not submitting: \(model.state)")
      return
    }
    #expect(entry.form[.password] == "")
    world.provider.release(.signIn)
    await model.finished()
    #expect(model.failure?.error == .weakPassword)
  }

  @Test func `a new password signs in`() async throws {
    let model = try await newPassword([])
    model.password = "correct horse battery"
    world.answer(.success(world.session()))
    model.submit()
    await model.finished()
    guard case .done(let completion) = model.state else {
      Issue.record("Not done: \(model.state)")
      return
    }
    #expect(completion.user == .ada)
  }

  private func newPassword(_ rules: [PasswordRule]) async throws -> NewPasswordModel {
    let attempt = try await world.attempt(at: Challenge(kind: .newPassword, handle: Secret("new")))
    var flows = world.flows
    flows.passwordRules = rules
    return try #require(NewPasswordModel(attempt, in: flows))
  }

  /// A sign-up that was submitted, and the provider's next question.
  private func signUp(
    _ form: SignInFormModel, then challenge: Challenge
  ) async throws -> (AuthenticationViewModel, CodeEntryModel) {
    await world.manager.restore()
    let model = AuthenticationViewModel(world.flows)
    await model.finished()
    model.createAccount(form)
    world.answer(.success(.challenge(challenge)))
    form.submit()
    await model.finished()
    guard case .code(let code) = model.step else { throw AuthenticationError.unsupportedMethod(.password) }
    return (model, code)
  }

  @Test func `a new account is confirmed by a code, and then signed in to`() async throws {
    let form = SignInFormModel(.password, createsAccount: true, in: world.flows)
    form[.userName] = "grace@example.com"
    form[.password] = "battery staple"
    let (model, code) = try await signUp(
      form, then: Challenge(kind: .confirmation, destination: "g•••@example.com", handle: Secret("c")))
    #expect(world.provider.messages.contains(.signUp(.password)))
    world.answer(.success(world.session(of: .grace)))
    code.code = "123456"
    code.submit()
    await model.finished()
    guard case .signedIn(_, let completion) = model.state else {
      Issue.record("Not signed in: \(model.state)")
      return
    }
    #expect(completion?.user == .grace)
  }

  @Test func `a confirmation that is given up shows the form again, with the typed input except the password`()
    async throws
  {
    let needs: [SignInMethod.Need] = [.userName, .password, .init(id: "invite")]
    let form = SignInFormModel(.password, createsAccount: true, needs: needs, in: world.flows)
    form[.userName] = "grace@example.com"
    form[.password] = "battery staple"
    form[.init(id: "invite")] = "7"
    let (model, code) = try await signUp(form, then: Challenge(kind: .confirmation, handle: Secret("c")))
    code.submit()
    #expect(model.problems == [.emptyCode], "the sign-in says what its step says")
    #expect(model.title == code.title)
    code.startAgain()
    await model.finished()
    guard case .form(let shown) = model.step else {
      Issue.record("No form: \(model.state)")
      return
    }
    #expect(shown[.userName] == "grace@example.com")
    #expect(shown[.init(id: "invite")] == "7")
    #expect(shown[.password] == "")
  }

  @Test func `an account that exists is offered, with the name in the form`() async {
    let model = SignInFormModel(.password, createsAccount: true, in: world.flows)
    model[.userName] = "ada"
    model[.password] = "correct horse"
    world.answer(.failure(.accountExists))
    model.submit()
    await model.finished()
    guard case .alreadyExists(let form) = model.state else {
      Issue.record("Not offered: \(model.state)")
      return
    }
    #expect(form[.userName] == "ada")
    #expect(form[.password] == "")
    #expect(model.failure == nil)
    model.cancel()
    #expect(model[.userName] == "ada")
  }

  @Test func `a new account that is refused keeps the name and empties the password`() async {
    let model = SignInFormModel(.password, createsAccount: true, in: world.flows)
    model[.userName] = "ada"
    model[.password] = "correct horse"
    world.answer(.failure(.signUpRefused))
    world.provider.hold(.signUp)
    model.submit()
    #expect(model.failure == nil)
    world.provider.release(.signUp)
    await model.finished()
    #expect(model.failure?.error == .signUpRefused)
    #expect(model[.userName] == "ada")
    #expect(model[.password] == "")
  }
}
