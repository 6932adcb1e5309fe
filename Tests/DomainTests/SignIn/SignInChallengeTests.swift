import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignInChallengeTests {
  let bench = AttemptBench()
  var provider: ScriptedAuthProvider { bench.provider }
  var session: AuthSession { bench.bench.session() }
  let second = Challenge(kind: .smsCode, handle: Secret("second"), format: .digits(6), resendDelay: .seconds(60))

  @Test func `a code that is right signs in, however it was typed`() async throws {
    let attempt = try await bench.challenged()
    provider.answerSignIn(.success(.session(session)))
    attempt.answer(code: Secret(" １２３-٤٥٦ "))
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(bench.sent == ["123456"])
    #expect(bench.signedIn.lines == [User.ada.id])
  }

  @Test func `a wrong code keeps the attempt, and says how many are left`() async throws {
    let attempt = try await bench.challenged()
    let left = Challenge.sms.leaving(attempts: 2)
    provider.answerSignIn(.failure(.wrongCode.with(\.attemptsLeft, 2)), .success(.session(session)))
    attempt.answer(code: Secret("000000"))
    #expect(await attempt.finished() == .challenged(left, .wrongCode))
    #expect(attempt.state.challenge?.attemptsLeft == 2)
    attempt.answer(ChallengeAnswer(to: left, code: Secret("123456")))
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
  }

  @Test(arguments: ["12345", "1234567", "12345a", "——"])
  func `a code that cannot be right is not sent`(_ code: String) async throws {
    let attempt = try await bench.challenged()
    attempt.answer(code: Secret(code))
    #expect(attempt.state.challenge == .sms)
    #expect(attempt.state.failure == (code == "——" ? .emptyCode : .malformedCode))
    #expect(bench.sent == [])
  }

  @Test func `another code is sent once the wait is over, and not by a double tap`() async throws {
    let attempt = try await bench.challenged()
    attempt.resend()
    #expect(attempt.state.failure == .rateLimited)
    #expect(attempt.state.failure?.retryAfter == .seconds(60))
    bench.bench.clock.advance(by: .seconds(60))
    provider.answerSignIn(.success(.challenge(second)))
    provider.hold(.signIn)
    attempt.resend()
    attempt.resend()
    provider.release(.signIn)
    #expect(await attempt.finished() == .challenged(second, nil))
    attempt.resend()
    #expect(bench.sent == ["resend first"])
  }

  @Test func `the time to wait does not follow the device's clock`() async throws {
    let attempt = try await bench.challenged()
    bench.bench.clock.jumpWallClock(by: .seconds(3_600))
    #expect(attempt.timeToResend() == .seconds(60))
    #expect(attempt.timeLeft() == .seconds(300))
  }

  @Test func `an answer to the challenge before the resend is not sent`() async throws {
    let attempt = try await bench.challenged()
    bench.bench.clock.advance(by: .seconds(60))
    provider.answerSignIn(.success(.challenge(second)))
    attempt.resend()
    await attempt.finished()
    attempt.answer(ChallengeAnswer(to: .sms, code: Secret("123456")))
    #expect(attempt.state == .challenged(second, .challengeReplaced))
    #expect(bench.sent == ["resend first"])
  }

  @Test func `an expired code offers another one`() async throws {
    let attempt = try await bench.challenged()
    provider.answerSignIn(.failure(.codeExpired))
    bench.bench.clock.advance(by: .seconds(301))
    attempt.answer(code: Secret("123456"))
    #expect(await attempt.finished() == .challenged(.sms, .codeExpired))
    #expect(attempt.timeToResend().map { $0 <= .zero } == true)
  }

  @Test func `one challenge leads to another, as long as the provider asks`() async throws {
    let attempt = try await bench.challenged()
    let totp = Challenge.Factor(id: "totp", kind: .oneTimePassword)
    let choice = Challenge(kind: .choice, handle: Secret("third"), choices: [totp])
    let code = Challenge(kind: .oneTimePassword, handle: Secret("fourth"), format: .digits(6))
    provider.answerSignIn(.success(.challenge(choice)), .success(.challenge(code)), .success(.session(session)))
    attempt.answer(code: Secret("123456"))
    #expect(await attempt.finished() == .challenged(choice, nil))
    attempt.choose(Challenge.Factor(id: "sms", kind: .smsCode))
    #expect(attempt.state == .challenged(choice, AuthenticationError(.invalidRequest, "")))
    attempt.choose(totp)
    #expect(await attempt.finished() == .challenged(code, nil))
    attempt.answer(code: Secret("654321"))
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(bench.sent == ["123456", "choose totp", "654321"])
  }

  @Test func `a process answers the challenges of its own method`() async throws {
    let request = Challenge(kind: .passkey, handle: Secret("request"), passkeyRequest: Secret("{}"))
    let bench = AttemptBench([
      SignInProcess(
        .passkey, answer: { _, _ throws(AuthenticationError) in .passkey(Secret("{\"id\":\"x\"}")) },
        credentials: { _ throws(AuthenticationError) in PasskeyCredentials() })
    ])
    bench.provider.answerSignIn(.success(.challenge(request)), .success(.session(session)))
    let attempt = try bench.attempts.begin(.passkey)
    attempt.submit()
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(bench.provider.messages == [.signIn(.passkey), .signIn(.challengeAnswer)])
  }

  @Test func `an outage keeps the challenge`() async throws {
    let attempt = try await bench.challenged()
    provider.answerSignIn(.failure(.unreachable))
    attempt.answer(code: Secret("123456"))
    #expect(await attempt.finished() == .challenged(.sms, .unreachable))
  }

  @Test func `an attempt that the provider no longer knows begins anew`() async throws {
    let attempt = try await bench.challenged()
    provider.answerSignIn(.failure(.signInExpired))
    attempt.answer(code: Secret("123456"))
    #expect(await attempt.finished() == .failed(.signInExpired))
    provider.answerSignIn(.success(.challenge(second)))
    attempt.submit(.phone)
    #expect(await attempt.finished() == .challenged(second, nil))
  }

  @Test func `cancelling at a challenge leaves no step to answer`() async throws {
    let attempt = try await bench.challenged()
    #expect(bench.bench.manager.state == .challenged(.sms))
    attempt.cancel()
    #expect(attempt.state == .ended(.cancelled))
    await attempt.finished()
    #expect(bench.bench.manager.state == .signedOut(.absent))
    #expect(await bench.pending.pending() == nil)
  }
}
