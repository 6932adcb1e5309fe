import AuthenticationDomain
import AuthenticationPresentation
import AuthenticationTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10))) struct CodeEntryTests {
  let world = World()

  private func model(_ challenge: Challenge = .sms()) async throws -> CodeEntryModel {
    try #require(CodeEntryModel(try await world.attempt(at: challenge), in: world.flows))
  }

  private var codes: [String] { world.provider.challengeAnswers.map { $0.code.reveal() } }

  // Impossible: a code step with no attempt behind it.
  @Test func `no code is asked for where no attempt waits for one`() throws {
    #expect(CodeEntryModel(try world.flows.attempts.begin(.password), in: world.flows) == nil)
  }

  @Test(arguments: ["123 456", "123-456", "１２３４５６", "١٢٣٤٥٦", "\u{200E}123456\n"])
  func `a code is cleaned before it is measured`(typed: String) async throws {
    let model = try await model()
    world.answer(.success(world.session()))
    model.code = typed
    model.submit()
    await model.finished()
    #expect(codes == ["123456"])
  }

  @Test func `a code that is too long is told, and not cut`() async throws {
    let model = try await model()
    model.code = "1234567"
    model.submit()
    #expect(model.problems == [.malformedCode])
    #expect(model.focus?.field == "code")
    #expect(model.code == "1234567")
    #expect(codes.isEmpty)
  }

  @Test func `nothing is wrong with half a code before a submit`() async throws {
    let model = try await model()
    model.code = "12"
    #expect(model.problems.isEmpty)
    #expect(model.failureSentence == nil)
  }

  @Test func `a complete code is sent by itself where the page says so, once`() async throws {
    let model = try await model()
    model.submitsByItself = true
    world.answer(.failure(.timedOut))
    model.code = "123 45"
    #expect(codes.isEmpty)
    model.code = "123 456"
    await model.finished()
    #expect(codes == ["123456"])
    #expect(model.code == "123 456", "what was lost in transit is kept")
    model.code = "123456"
    await model.finished()
    #expect(codes == ["123456"], "the same code is not sent by itself again")
    model.submit()
    await model.finished()
    #expect(codes == ["123456", "123456"], "the button stays")
  }

  @Test func `nothing is sent by itself where the page does not say so`() async throws {
    let model = try await model()
    model.code = "123456"
    await model.finished()
    #expect(codes.isEmpty)
  }

  @Test func `a refused code is emptied, counted, and not sent again`() async throws {
    let model = try await model()
    world.answer(.failure(.wrongCode.with(\.attemptsLeft, 2)))
    model.code = "111111"
    model.submit()
    await model.finished()
    #expect(model.code == "")
    #expect(model.failureSentence == "That is not the code. You have 2 more tries.")
    #expect(model.focus?.isMessage == true)
    model.code = "111-111"
    model.submit()
    await model.finished()
    #expect(codes == ["111111"])
    #expect(model.failure?.error == .wrongCode)
  }

  // Impossible: busy and showing an error.
  @Test func `while a code is verified no failure is shown, and nothing is typed`() async throws {
    let model = try await model()
    world.answer(.failure(.wrongCode))
    model.code = "111111"
    model.submit()
    await model.finished()
    world.provider.hold(.signIn)
    model.code = "222222"
    model.submit()
    #expect(model.isWorking)
    #expect(model.failure == nil)
    model.code = "333333"
    #expect(model.code == "222222")
    model.submit()
    model.resend()
    world.provider.release(.signIn)
    await model.finished()
    #expect(codes == ["111111", "222222"])
  }

  @Test func `another code is sent no sooner than it may, and is not said to be sent before the answer`() async throws {
    let model = try await model()
    #expect(model.secondsToResend == 60)
    model.resend()
    await model.finished()
    #expect(world.provider.challengeAnswers.isEmpty)
    #expect(model.failure == nil, "the countdown says it already")
    world.clock.jumpWallClock(by: .seconds(3_600))
    #expect(!model.canResend, "the wall clock ends no wait")
    world.clock.advance(by: .seconds(60))
    #expect(model.canResend)
    world.answer(.success(.challenge(.sms("second"))))
    world.provider.hold(.signIn)
    model.resend()
    #expect(model.announcement?.text == "Sending another code")
    world.provider.release(.signIn)
    await model.finished()
    #expect(model.announcement?.text == "Another code was sent.")
    #expect(!model.canResend)
    #expect(model.secondsToResend == 60)
  }

  @Test func `a provider that wants a longer wait gets it`() async throws {
    let model = try await model()
    world.clock.advance(by: .seconds(60))
    world.answer(.failure(.rateLimited.with(\.retryAfter, .seconds(90))))
    model.resend()
    await model.finished()
    #expect(model.secondsToResend == 90)
    #expect(model.failureSentence == "Too many tries. Try again in 2 minutes.")
  }

  // Impossible: resend counting for another destination.
  @Test func `another destination has a wait of its own`() async throws {
    let model = try await model()
    world.clock.advance(by: .seconds(60))
    world.answer(.success(.challenge(.sms("second", to: "•••• 77", resendDelay: .seconds(20)))))
    model.resend()
    await model.finished()
    #expect(model.entry?.challenge.destination == "•••• 77")
    #expect(model.secondsToResend == 20)
  }

  @Test func `where nothing can be sent again, nothing is offered`() async throws {
    let model = try await model(Challenge(kind: .oneTimePassword, handle: Secret("handle"), format: .digits(6)))
    #expect(model.secondsToResend == nil)
    #expect(!model.canResend)
  }

  // Impossible: expired and verifying.
  @Test func `a code that expires while it is verified is verified all the same`() async throws {
    let model = try await model(.sms(lifetime: .seconds(30)))
    await world.clock.waitForSleepers()
    world.answer(.failure(.wrongCode))
    world.provider.hold(.signIn)
    model.code = "123456"
    model.submit()
    world.clock.advance(by: .seconds(30))
    #expect(model.isWorking)
    world.provider.release(.signIn)
    await model.finished()
    guard case .expired = model.state else {
      Issue.record("Not expired: \(model.state)")
      return
    }
  }

  @Test func `an expired code says so, and another one is one tap`() async throws {
    let model = try await model(.sms(lifetime: .seconds(60)))
    await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(60))
    await model.waited { if case .expired = model.state { true } else { false } }
    #expect(model.announcement?.text == "The code is no longer accepted.")
    #expect(model.announcement?.isAssertive == true)
    #expect(model.canResend)
    world.answer(.success(.challenge(.sms("second", lifetime: .seconds(60)))))
    model.resend()
    await model.finished()
    guard case .editing = model.state else {
      Issue.record("Not editing: \(model.state)")
      return
    }
  }

  @Test func `seconds are shown, and said at thirty, at ten, and at the end`() async throws {
    let model = try await model(.sms(lifetime: .seconds(60), resendDelay: nil))
    await world.clock.waitForSleepers()
    var said: [String] = []
    for _ in 1...60 {
      if let text = model.announcement?.text, said.last != text { said.append(text) }
      world.clock.advance(by: .seconds(1))
    }
    await model.waited { if case .expired = model.state { true } else { false } }
    said.append(model.announcement?.text ?? "")
    #expect(
      said == [
        "The code is accepted for 30 more seconds.", "The code is accepted for 10 more seconds.",
        "The code is no longer accepted.",
      ])
  }

  // Impossible: an error state that nothing can leave.
  @Test func `after too many wrong codes a new attempt leads on`() async throws {
    let model = try await model()
    world.answer(.failure(.tooManyAttempts.with(\.retryAfter, .seconds(60))))
    model.code = "123456"
    model.submit()
    await model.finished()
    #expect(model.state == .spent(until: Deadline(in: .seconds(60), by: world.clock)))
    model.startAgain()
    #expect(model.state == .ended)
    await world.flows.attempts.current?.finished()
    #expect(await world.pending.pending() == nil)
  }

  // Impossible: the screen says one step while the provider asks for another.
  @Test func `another step that the provider asks for is not this screen's`() async throws {
    let model = try await model()
    let next = Challenge(kind: .newPassword, handle: Secret("next"))
    world.answer(.success(.challenge(next)))
    model.code = "123456"
    model.submit()
    await model.finished()
    guard case .next(next) = model.state else {
      Issue.record("Not the next step: \(model.state)")
      return
    }
    #expect(model.entry == nil)
  }

  @Test func `a code is in no dump`() async throws {
    let model = try await model()
    model.code = "918273"
    var text = "\(model.state)"
    dump(model.state, to: &text)
    #expect(!text.contains("918273"))
  }
}
