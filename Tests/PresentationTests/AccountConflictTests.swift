import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import AuthenticationScreens
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct AccountConflictTests {
  let world = World()
  let account = ScriptedAccount()
  let model: AccountConflictModel

  init() {
    model = AccountConflictModel(
      linking: NativeCredentials(method: .google, identityToken: Secret("canary-token")),
      to: [.password, .facebook], lifetime: .seconds(600), by: account, in: world.flows)
  }

  private func prove() async {
    world.answer(.success(world.session()))
    model.prove(with: .password)
    guard case .proving(.form(let form)) = model.state else {
      Issue.record("Not proving: \(model.state)")
      return
    }
    form[.userName] = "ada"
    form[.password] = "correct horse"
    form.submit()
    await model.finished()
    await model.finished()
  }

  @Test func `a user is offered the account's methods that the app has`() {
    guard case .conflict([.password]) = model.state else {
      Issue.record("Not offered: \(model.state)")
      return
    }
  }

  @Test func `a user who leaves one way to sign in is asked again, and the presented credentials are linked`() async {
    model.prove(with: .password)
    let parts = model.screen.shown.parts(model.screen.exits)
    for case .button(let button) in parts.map(\.content) where button.kind == .other {
      button.action()
    }
    guard case .conflict = model.state else {
      Issue.record("Not asked again: \(model.state)")
      return
    }
    await prove()
    #expect(account.asked == ["link google"])
  }

  @Test func `the presented credentials are linked once the user has signed in to the account`() async {
    await prove()
    #expect(account.asked == ["link google"])
    #expect(world.manager.state.user == .ada)
    guard case .linked = model.state else {
      Issue.record("Not linked: \(model.state)")
      return
    }
  }

  // FirebaseUI: a failed link shows a signed-in user as signed out.
  @Test func `a link that fails is shown, and signs no user out`() async {
    account.answer(.failure(.alreadyLinked))
    await prove()
    #expect(model.failureSentence == "This way to sign in belongs to another account.")
    #expect(world.manager.state.user == .ada)
  }

  @Test func `credentials that wait too long are linked no more`() async {
    await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(600))
    await model.waited { if case .expired = model.state { true } else { false } }
    model.prove(with: .password)
    guard case .expired = model.state else {
      Issue.record("Not expired: \(model.state)")
      return
    }
  }

  @Test func `a user who declines links nothing`() async {
    model.prove(with: .password)
    model.decline()
    guard case .declined = model.state else {
      Issue.record("Not declined: \(model.state)")
      return
    }
    #expect(account.asked.isEmpty)
  }

  @Test func `the credentials that wait are in no dump`() {
    var text = "\(model.state)"
    dump(model, to: &text)
    #expect(!text.contains("canary-token"))
  }
}
