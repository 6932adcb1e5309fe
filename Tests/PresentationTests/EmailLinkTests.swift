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

  private func waiting() async -> EmailLinkModel {
    world.answer(.success(.challenge(challenge)))
    let model = EmailLinkModel(in: world.flows)
    model.email = " ada@example.com "
    model.submit()
    await model.finished()
    return model
  }

  @Test func `an address that cannot be one is asked for again, and nothing is sent`() {
    let model = EmailLinkModel(in: world.flows)
    model.email = "ada"
    model.submit()
    #expect(model.failureSentence == "Enter your e-mail address, such as name@example.com.")
    #expect(world.flows.attempts.current == nil)
  }

  @Test func `a link that was sent is waited for, where it went is shown as the provider masked it`() async {
    let model = await waiting()
    guard case .waiting(let wait) = model.state else {
      Issue.record("Not waiting: \(model.state)")
      return
    }
    #expect(wait.challenge.destination == "a•••@example.com")
    #expect(wait.attempt == world.flows.attempts.current?.id)
    #expect(model.secondsToResend == 60)
    #expect(model.announcement?.text == "Open the link in your e-mail")
  }

  @Test func `the link signs in, and completes with its session`() async {
    let model = await waiting()
    world.answer(.success(world.session()))
    await model.open(link("right"))
    await model.finished()
    guard case .done(let completion) = model.state else {
      Issue.record("Not done: \(model.state)")
      return
    }
    #expect(completion.session == world.manager.state.session)
  }

  @Test func `a link that leads elsewhere is refused in words, and the wait goes on`() async {
    let model = await waiting()
    await model.open(Secret("https://evil.example/in?code=x"))
    #expect(
      model.failureSentence == "This link belongs to another sign-in. Open the one in the latest e-mail.")
    guard case .waiting = model.state else {
      Issue.record("Not waiting: \(model.state)")
      return
    }
  }

  @Test func `a link that a scanner has spent is told, and another one is offered`() async {
    let model = await waiting()
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
    let model = EmailLinkModel(in: world.flows)
    await model.open(link("elsewhere"))
    guard case .openedElsewhere(let form, nil, _) = model.state else {
      Issue.record("Not asked for the address: \(model.state)")
      return
    }
    #expect(form[.emailAddress] == "")
    #expect(world.provider.messages.isEmpty)
    world.answer(.success(world.session()))
    model.email = "ada@example.com"
    model.submit()
    await model.finished()
    #expect(world.manager.state.user == .ada)
  }

  @Test func `another link is sent no sooner than it may`() async {
    let model = await waiting()
    model.resend()
    #expect(world.provider.challengeAnswers.isEmpty)
    world.clock.advance(by: .seconds(60))
    world.answer(.success(.challenge(challenge.leaving(attempts: 1))))
    world.provider.hold(.signIn)
    model.resend()
    guard case .resending = model.state else {
      Issue.record("Not resending: \(model.state)")
      return
    }
    #expect(model.announcement?.text == "Sending the link", "it is not said to be sent before the answer")
    world.provider.release(.signIn)
    await model.finished()
    #expect(world.provider.challengeAnswers.count == 1)
  }

  @Test func `a link that is not opened in time has expired, and another address may be given`() async {
    let model = await waiting()
    await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(600))
    await model.waited { if case .expired = model.state { true } else { false } }
    model.startAgain()
    guard case .askingEmail = model.state else {
      Issue.record("Not asking: \(model.state)")
      return
    }
  }
}
