import AuthenticationAccountPresentation
import AuthenticationAccount
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

/// The same mistake is announced again.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct RepeatedFailureTests {
  let world = World([
    .password, .emailLink, SignInProcess(.device) { _ throws(AuthenticationError) in throw .unreachable },
    SignInProcess(.browser) { _ throws(AuthenticationError) in throw .unreachable },
    SignInProcess(.passkey) { _ throws(AuthenticationError) in throw .unreachable },
  ])

  /// Fails twice, and sees that the second failure moves the focus.
  private func fail(_ model: some FlowModel, _ intent: () -> Void) async {
    intent()
    await model.finished()
    let first = model.focus
    #expect(first?.isMessage == true)
    intent()
    await model.finished()
    #expect(model.focus?.isMessage == true)
    #expect(model.focus != first, "\(type(of: model))")
  }

  @Test func `a form`() async {
    world.answer(.failure(.invalidCredentials), .failure(.invalidCredentials))
    let model = SignInFormModel(.password, in: world.flows, filled: [.userName: "ada"])
    await fail(model) {
      model[.password] = "wrong"
      model.submit()
    }
  }

  @Test func `a new account`() async {
    world.answer(.failure(.signUpRefused), .failure(.signUpRefused))
    let model = SignInFormModel(.password, createsAccount: true, in: world.flows, filled: [.userName: "ada"])
    await fail(model) {
      model[.password] = "short"
      model.submit()
    }
  }

  @Test func `a link`() async {
    world.answer(.failure(.unreachable), .failure(.unreachable))
    let model = SignInFormModel(.emailLink, in: world.flows, filled: [.emailAddress: "ada@example.com"])
    await fail(model) { model.submit() }
  }

  @Test func `another device, a page and a passkey`() async {
    let device = DeviceCodeModel(in: world.flows)
    await fail(device) { device.request() }
    let browser = ExternalSignInModel(.browser, in: world.flows)
    await fail(browser) { browser.start() }
    let passkey = ExternalSignInModel(.passkey, in: world.flows)
    await fail(passkey) { passkey.start() }
  }

  @Test func `the choice of a factor`() async throws {
    let factors = [
      Challenge.Factor(id: "1", kind: .smsCode), Challenge.Factor(id: "2", kind: .oneTimePassword),
    ]
    let choice = Challenge(kind: .choice, handle: Secret("c"), choices: factors)
    let attempt = try await world.attempt(at: choice, of: .password)
    world.answer(.failure(.unreachable), .failure(.unreachable))
    let model = try #require(ChallengePickerModel(attempt, in: world.flows))
    await fail(model) { model.choose(factors[0]) }
  }

  @Test func `a reset, an account page and a sign-out`() async {
    let account = ScriptedAccount()
    account.answer(.failure(.unreachable), .failure(.unreachable))
    let reset = PasswordResetModel(account, in: world.flows, account: "ada")
    await fail(reset) { reset.submit() }

    account.answer(.failure(.lastMethod), .failure(.lastMethod))
    let page = AccountModel(account, of: .ada, in: world.flows)
    page.load()
    await page.finished()
    await fail(page) { page.change(.unlink(LinkedMethod(id: "1", method: .password))) }

    let control = ScriptedAuthManager(.signedIn(ActiveSession(session: .sample(receivedAt: world.clock.now))))
    control.answerSignOut(.failure(.storageUnavailable), .failure(.storageUnavailable))
    let session = SessionModel(
      in: FlowEnvironment(attempts: world.flows.attempts, control: control, clock: world.clock))
    await fail(session) { session.signOut() }
  }
}
