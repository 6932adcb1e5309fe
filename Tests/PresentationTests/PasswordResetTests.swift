import AuthenticationAccountPresentation
import AuthenticationAccount
import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct PasswordResetTests {
  let world = World()
  let account = ScriptedAccount()
  let model: PasswordResetModel

  init() {
    var flows = world.flows
    flows.passwordRules = [.length(8)]
    model = PasswordResetModel(account, in: flows)
  }

  private func ask(_ outcome: Result<AccountOutcome, AuthenticationError>) async {
    account.answer(outcome)
    model.account = " ada "
    model.submit()
    await model.finished()
  }

  private let newPassword = Challenge(kind: .newPassword, handle: Secret("new"))

  @Test func `the message does not tell whether there is such an account`() async {
    await ask(.success(.done))
    #expect(model.state == .sent)
    #expect(model.account == "ada")
    #expect(
      world.flows.words("reset.sent.title", .text("ada"))
        == "If there is an account for \u{2068}ada\u{2069}, a message has been sent to it.")
  }

  @Test func `a code, then a new password`() async {
    await ask(.success(.challenge(.sms())))
    account.answer(.success(.challenge(newPassword)), .success(.done))
    model.code = "123-456"
    model.submit()
    await model.finished()
    model.newPassword = "correct horse"
    model.submit()
    await model.finished()
    #expect(model.state == .done(isSignedIn: false))
    #expect(account.asked == ["reset ada", "code 123456", "password correct horse"])
  }

  @Test func `a wrong code is told, and the step stays`() async {
    await ask(.success(.challenge(.sms())))
    account.answer(.failure(.wrongCode.with(\.attemptsLeft, 1)))
    model.code = "123456"
    model.submit()
    #expect(model.failure == nil)
    await model.finished()
    #expect(model.failureSentence == "That is not the code. You have 1 more try.")
    #expect(model.code == "")
  }

  // amplify-ui: a failed next step drops the error and shows an empty form.
  @Test func `a new password that is refused is told, and can be mended`() async {
    await ask(.success(.challenge(newPassword)))
    account.answer(.failure(.weakPassword), .success(.done))
    model.newPassword = "password1"
    model.submit()
    await model.finished()
    #expect(model.failure?.error == .weakPassword)
    model.newPassword = "correct horse"
    model.submit()
    await model.finished()
    #expect(model.state == .done(isSignedIn: false))
  }

  @Test func `an account that is not named is asked for, and nothing is sent`() {
    model.account = " "
    model.submit()
    #expect(model.problems == [.blankUserName])
    #expect(account.asked.isEmpty)
  }

  @Test func `a late response to an abandoned request changes nothing`() async {
    account.gate.close()
    account.answer(.success(.challenge(.sms())))
    model.account = "ada"
    model.submit()
    await account.gate.waitForArrivals(1)
    model.startAgain()
    model.account = "grace"
    model.submit()
    await account.gate.waitForArrivals(2)
    #expect(model.failure == nil)
    account.gate.open()
    await model.finished()
    #expect(account.asked == ["reset ada", "reset grace"])
    #expect(model.state == .sent)
    #expect(model.account == "grace")
  }

  @Test func `an expired code says so, and another one is sent when it may`() async {
    await ask(.success(.challenge(.sms(lifetime: .seconds(60)))))
    model.resend()
    await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(60))
    await model.waited { if case .expired = model.state { true } else { false } }
    account.answer(.success(.challenge(.sms("second"))))
    model.resend()
    await model.finished()
    #expect(account.asked == ["reset ada", "resend"])
  }

  @Test func `another code that could not be asked for is told`() async {
    await ask(.success(.challenge(.sms(lifetime: .seconds(60)))))
    await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(60))
    await model.waited { if case .expired = model.state { true } else { false } }
    account.answer(.failure(.unreachable))
    model.resend()
    await model.finished()
    #expect(model.failureSentence == "There is no connection. Try again when you are online.")
  }

  @Test func `a code that has expired while it was verified says so`() async {
    await ask(.success(.challenge(.sms(lifetime: .seconds(60)))))
    account.gate.close()
    account.answer(.failure(.wrongCode))
    model.code = "123456"
    model.submit()
    await account.gate.waitForArrivals(2)
    world.clock.advance(by: .seconds(60))
    account.gate.open()
    await model.finished()
    guard case .expired = model.state else {
      Issue.record("Still asked for: \(model.state)")
      return
    }
  }

  @Test func `offline has a sentence of its own`() async {
    await ask(.failure(.unreachable))
    #expect(model.failureSentence == "There is no connection. Try again when you are online.")
    #expect(model.account == " ada ")
  }
}
