import AuthenticationAccountPresentation
import AuthenticationAccount
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import AuthenticationScreens
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct AccountTests {
  let world = World()
  let account = ScriptedAccount()
  let phone = RemoteSession(id: "phone", isCurrent: false)

  private func page(deletion: Bool = true) async -> AccountModel {
    account.have(sessions: [phone])
    if !deletion { account.offer(account.abilities.subtracting([.delete])) }
    let model = AccountModel(account, of: .ada, in: world.flows)
    model.load()
    await model.finished()
    return model
  }

  @Test func `an account shows the abilities of the provider, and nothing else`() async {
    account.have(sessions: [phone])
    account.offer([.sessions])
    let model = AccountModel(account, of: .ada, in: world.flows)
    model.load()
    await model.finished()
    #expect(model.overview?.sessions == [phone])
    #expect(model.overview?.methods == nil)
    #expect(model.overview?.canDelete == false)
    model.change(.deleteAccount)
    guard case .shown = model.state else {
      Issue.record("Asked: \(model.state)")
      return
    }
  }

  @Test func `a change is made once, and shown as the provider says`() async {
    let model = await page()
    account.gate.close()
    model.change(.end(phone))
    model.change(.end(phone))
    #expect(model.failure == nil)
    account.have()
    account.gate.open()
    await model.finished()
    #expect(account.asked == ["end phone"])
    #expect(model.overview?.sessions == [])
  }

  @Test func `a change that fails is told, and the page stays`() async {
    let model = await page()
    account.answer(.failure(.lastMethod))
    model.change(.unlink(LinkedMethod(id: "1", method: .password)))
    await model.finished()
    #expect(model.failureSentence == "This is your only way to sign in. Add another one first.")
    #expect(model.overview?.sessions == [phone])
  }

  @Test func `an authenticator app is enrolled with a code`() async {
    let model = await page()
    account.answer(
      .success(
        .challenge(
          Challenge(
            kind: .enrolment, handle: Secret("e"), format: .digits(6),
            enrolment: Challenge.Enrolment(secret: Secret("JBSWY3DP"))))),
      .failure(.wrongCode), .success(.done))
    model.change(.enrol(.enrolment))
    await model.finished()
    model.code = "111111"
    model.submit()
    await model.finished()
    #expect(model.failure?.error == .wrongCode)
    model.code = "222 222"
    model.submit()
    await model.finished()
    #expect(account.asked == ["enrol enrolment", "code 111111", "code 222222"])
    guard case .shown(_, nil) = model.state else {
      Issue.record("Not shown: \(model.state)")
      return
    }
  }

  @Test func `a code that is taken no more ends the enrolment, and nothing else`() async {
    let model = await page()
    account.answer(.success(.challenge(.sms(lifetime: .seconds(60)))))
    model.change(.enrol(.smsCode))
    await model.finished()
    #expect(model.title == "Enter the code")
    await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(60))
    await model.waited { model.failure != nil }
    guard case .shown(_, let failure?) = model.state else {
      Issue.record("Still asked for: \(model.state)")
      return
    }
    #expect(failure.error == .signInExpired)
    #expect(model.overview?.sessions == [phone])
  }

  @Test func `a code of a proof that is taken no more leaves the proof by a sign-in`() async {
    let model = await page()
    var error = AuthenticationError.recentSignInRequired
    error.challenge = .sms(lifetime: .seconds(60))
    account.answer(.failure(error))
    model.change(.deleteAccount)
    model.confirmDeletion()
    await model.finished()
    guard case .reauthenticating(_, let proof) = model.state else {
      Issue.record("No proof: \(model.state)")
      return
    }
    await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(60))
    await proof.waited { proof.failure != nil }
    guard case .required(_, let methods, let failure?) = proof.state else {
      Issue.record("Still asked for: \(proof.state)")
      return
    }
    #expect(methods == world.flows.attempts.methods)
    #expect(failure.error == .signInExpired)
  }

  @Test func `an account is deleted only after the user has confirmed it`() async {
    let model = await page()
    model.confirmDeletion()
    await model.finished()
    #expect(account.asked.isEmpty)
    model.change(.deleteAccount)
    model.goBack()
    model.confirmDeletion()
    await model.finished()
    #expect(account.asked.isEmpty)
    model.change(.deleteAccount)
    model.confirmDeletion()
    await model.finished()
    #expect(account.asked == ["delete"])
    guard case .deleted = model.state else {
      Issue.record("Not deleted: \(model.state)")
      return
    }
    #expect(model.announcement?.text == "Your account was deleted.")
  }

  @Test func `a deletion that wants a proof goes on after it, once, and signs no user out before`() async throws {
    world.answer(.success(world.session()))
    try await world.manager.login(username: "ada", password: "correct horse")
    let model = await page()
    var error = AuthenticationError.recentSignInRequired
    error.challenge = Challenge(kind: .password, handle: Secret("p"))
    account.answer(.failure(error), .failure(.invalidCredentials), .success(.done), .success(.done))
    model.change(.deleteAccount)
    model.confirmDeletion()
    await model.finished()
    guard case .reauthenticating(_, let proof) = model.state else {
      Issue.record("No proof: \(model.state)")
      return
    }
    #expect(world.manager.state.user == .ada)
    proof.password = "wrong"
    proof.submit()
    #expect(proof.failure == nil)
    await proof.finished()
    #expect(proof.failure?.error == .invalidCredentials)
    #expect(proof.password == "")
    proof.password = "correct horse"
    proof.submit()
    await proof.finished()
    await model.finished()
    #expect(account.asked == ["delete", "password wrong", "password correct horse", "delete"])
    guard case .deleted = model.state else {
      Issue.record("Not deleted: \(model.state)")
      return
    }
  }

  @Test func `the page of one user neither changes nor deletes the account of a user who signs in meanwhile`()
    async throws
  {
    let model = await page()
    model.change(.deleteAccount)
    world.answer(.success(world.session(of: .grace)))
    try await world.manager.login(username: "grace", password: "battery staple")
    model.confirmDeletion()
    await model.finished()
    #expect(account.asked.isEmpty)
    #expect(model.failure?.error == .insufficientUserAuthentication)
    #expect(model.overview == nil, "Ada's account is not shown to Grace.")
    model.load()
    await model.finished()
    #expect(model.overview == nil)
  }

  @Test func `a change is not made for a user who signs in meanwhile`() async throws {
    let model = await page()
    world.answer(.success(world.session(of: .grace)))
    try await world.manager.login(username: "grace", password: "battery staple")
    model.change(.end(phone))
    await model.finished()
    #expect(account.asked.isEmpty)
  }

  @Test func `a user who gives the proof of another account and goes back finds the page as it was`() async throws {
    world.answer(.success(world.session()), .success(world.session(of: .grace)))
    try await world.manager.login(username: "ada", password: "correct horse")
    let model = await page()
    account.answer(.failure(.recentSignInRequired))
    model.change(.deleteAccount)
    model.confirmDeletion()
    await model.finished()
    guard case .reauthenticating(_, let proof) = model.state else {
      Issue.record("No proof: \(model.state)")
      return
    }
    await prove(proof)
    model.goBack()
    #expect(account.asked == ["delete"])
    #expect(world.manager.state.user == .ada)
    #expect(model.overview?.sessions == [phone])
  }

  @Test func `a user who leaves one way to prove it can choose another, and the deletion goes on`() async throws {
    world.answer(.success(world.session()), .success(world.session()))
    try await world.manager.login(username: "ada", password: "correct horse")
    let model = await page()
    account.answer(.failure(.recentSignInRequired), .success(.done))
    model.change(.deleteAccount)
    model.confirmDeletion()
    await model.finished()
    guard case .reauthenticating(_, let proof) = model.state else {
      Issue.record("No proof: \(model.state)")
      return
    }
    proof.prove(with: .phoneCode)
    let back = try #require(model.screen.shown.parts(model.screen.exits).first { $0.id == "code.other.button" })
    if case .button(let button) = back.content { button.action() }
    guard case .required = proof.state else {
      Issue.record("Not asked again: \(proof.state)")
      return
    }
    await prove(proof)
    await model.finished()
    #expect(account.asked == ["delete", "delete"])
  }

  @Test func `a user who does not prove their identity finds the page as it was`() async throws {
    let model = await page()
    account.answer(.failure(.recentSignInRequired))
    model.change(.end(phone))
    await model.finished()
    let decline = try #require(model.screen.shown.parts(ScreenExits()).last)
    guard case .button(let button) = decline.content, button.kind == .cancel else {
      Issue.record("The last part is no way out: \(decline.id)")
      return
    }
    button.action()
    #expect(model.overview?.sessions == [phone])
    guard case .shown = model.state else {
      Issue.record("Not shown: \(model.state)")
      return
    }
  }

  @Test func `a proof by another user leads to nothing, and the session stays`() async throws {
    world.answer(.success(world.session()), .success(world.session(of: .grace)))
    try await world.manager.login(username: "ada", password: "correct horse")
    let log = Log()
    let proof = ReauthenticationModel(.recentSignInRequired, of: .ada, in: world.flows) {
      _ async throws(AuthenticationError) in
      log.append("resumed")
      return .done
    }
    await prove(proof)
    #expect(log.lines.isEmpty)
    #expect(
      proof.failureSentence == "That is another account. Sign in with the one that you are using here.")
    #expect(world.manager.state.user == .ada)
    guard case .proving = proof.state else {
      Issue.record("Not asked again: \(proof.state)")
      return
    }
  }

  @Test func `a proof by the same user goes on with the interrupted action, once`() async throws {
    world.answer(.success(world.session()))
    try await world.manager.login(username: "ada", password: "correct horse")
    let log = Log()
    let proof = ReauthenticationModel(.recentSignInRequired, of: .ada, in: world.flows) {
      _ async throws(AuthenticationError) in
      log.append("resumed")
      return .done
    }
    await prove(proof)
    #expect(log.lines == ["resumed"])
    guard case .done = proof.state else {
      Issue.record("Not done: \(proof.state)")
      return
    }
  }

  @Test func `a proof offers only methods that identify a user`() {
    let world = World([.password, .anonymous, .unlock])
    let proof = ReauthenticationModel(.recentSignInRequired, of: .ada, in: world.flows) {
      _ async throws(AuthenticationError) in .done
    }
    guard case .required(_, [.password], nil) = proof.state else {
      Issue.record("Others offered: \(proof.state)")
      return
    }
    proof.prove(with: .anonymous)
    guard case .required = proof.state else {
      Issue.record("Began: \(proof.state)")
      return
    }
  }

  @Test func `a user who declines keeps everything, and nothing goes on`() async {
    let log = Log()
    let proof = ReauthenticationModel(.recentSignInRequired, of: .ada, in: world.flows) {
      _ async throws(AuthenticationError) in
      log.append("resumed")
      return .done
    }
    proof.decline()
    proof.prove(with: .password)
    await proof.finished()
    #expect(log.lines.isEmpty)
    guard case .declined = proof.state else {
      Issue.record("Not declined: \(proof.state)")
      return
    }
  }

  private func prove(_ proof: ReauthenticationModel) async {
    proof.prove(with: .password)
    guard case .proving(.form(let form)) = proof.state else {
      Issue.record("Not proving: \(proof.state)")
      return
    }
    form[.userName] = "ada"
    form[.password] = "correct horse"
    form.submit()
    await proof.finished()
    await proof.finished()
  }
}
