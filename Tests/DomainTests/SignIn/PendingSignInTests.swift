import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

@Suite(.timeLimit(.minutes(10))) struct PendingSignInTests {
  let bench = AttemptBench()

  /// The same app after a relaunch.
  func relaunched(after time: Duration = .zero) -> AttemptBench {
    let next = AttemptBench(sharing: bench.pending)
    next.bench.clock.advance(by: time)
    return next
  }

  @Test func `a pending step survives a relaunch, and restoring it sends nothing`() async throws {
    let before = try await bench.challenged()
    let next = relaunched(after: .seconds(100))
    let attempt = try #require(await next.attempts.resume())
    #expect(attempt.id == before.id)
    #expect(attempt.method == .phoneCode)
    #expect(attempt.state == .challenged(.sms, nil))
    #expect(attempt.timeLeft() == .seconds(200))
    #expect(next.provider.messages == [])
    next.provider.answerSignIn(.success(.session(next.bench.session())))
    attempt.answer(code: Secret("123456"))
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(await bench.pending.pending() == nil)
  }

  @Test(arguments: [
    #"correct "horse""#, #"{"step":"mfa","body":"correct \"horse\""}"#, "name=ada&password=correct%20%22horse%22",
    "eyJwYXNzd29yZCI6ImNvcnJlY3QgXCJob3JzZVwiIn0",
  ])
  func `a step whose handle holds the typed password is not kept, and no step after it`(_ handle: String) async throws {
    let leaking = Challenge(kind: .choice, handle: Secret(handle))
    bench.provider.answerSignIn(.success(.challenge(leaking)))
    let attempt = try bench.attempts.begin(.password)
    attempt.submit(SignInInput([.userName: "ada", .password: #"correct "horse""#]))
    #expect(await attempt.finished() == .challenged(leaking, nil))
    #expect(await bench.pending.pending() == nil)
    let next = Challenge(kind: .smsCode, handle: Secret(handle + "-2"))
    bench.provider.answerSignIn(.success(.challenge(next)))
    attempt.answer(ChallengeAnswer(to: leaking, .approval))
    #expect(await attempt.finished() == .challenged(next, nil))
    #expect(await bench.pending.pending() == nil)
  }

  @Test func `a step that was kept is removed when the next one holds the code that was typed`() async throws {
    let attempt = try await bench.challenged()
    #expect(await bench.pending.pending() != nil)
    let next = Challenge(kind: .newPassword, handle: Secret(#"{"code":"123456"}"#))
    bench.provider.answerSignIn(.success(.challenge(next)))
    attempt.answer(code: Secret("123 456"))
    #expect(await attempt.finished() == .challenged(next, nil))
    #expect(await bench.pending.pending() == nil)
  }

  @Test func `a handle that holds a short password by chance is kept`() async throws {
    let asked = Challenge(kind: .smsCode, handle: Secret("dd1dd7"))
    bench.provider.answerSignIn(.success(.challenge(asked)))
    let attempt = try bench.attempts.begin(.password)
    attempt.submit(SignInInput([.userName: "ada", .password: "d1d"]))
    #expect(await attempt.finished() == .challenged(asked, nil))
    #expect(await bench.pending.pending()?.challenge == asked)
  }

  @Test(arguments: [Duration.seconds(300), .seconds(-1)])
  func `a step that is no longer accepted, or from the future, is not continued`(_ time: Duration) async throws {
    _ = try await bench.challenged()
    let next = relaunched()
    next.bench.clock.jumpWallClock(by: time)
    #expect(await next.attempts.resume() == nil)
    #expect(await bench.pending.pending() == nil)
  }

  @Test(arguments: [-1e300, 1e300, 1e18])
  func `a step of an absurd date is not continued`(_ seconds: Double) async {
    let step = PendingSignIn(
      attempt: "a", method: "phone-code", challenge: Challenge(kind: .smsCode, handle: Secret("h")),
      receivedAt: Date(timeIntervalSince1970: seconds))
    await bench.pending.save(step)
    #expect(await bench.attempts.resume() == nil)
  }

  @Test func `a step of a method that the app no longer offers is not continued`() async throws {
    _ = try await bench.challenged()
    let next = AttemptBench([.password], sharing: bench.pending)
    #expect(await next.attempts.resume() == nil)
    #expect(await bench.pending.pending() == nil)
  }

  @Test func `the end of an attempt leaves the step of the next one`() async throws {
    let first = try await bench.challenged()
    let second = try await bench.challenged()
    #expect(await first.finished() == .ended(.replaced))
    #expect(await bench.pending.pending()?.attempt == second.id)
  }

  @Test func `a resend replaces the pending step`() async throws {
    let attempt = try await bench.challenged()
    let another = Challenge(kind: .smsCode, handle: Secret("second"))
    bench.bench.clock.advance(by: .seconds(60))
    bench.provider.answerSignIn(.success(.challenge(another)))
    attempt.resend()
    await attempt.finished()
    #expect(await bench.pending.pending()?.challenge == another)
  }

  @Test func `a step that has expired is not continued, although another process has a newer one`()
    async throws
  {
    let attempt = try await bench.challenged()
    let other = relaunched(after: .seconds(200))
    let same = try #require(await other.attempts.resume())
    let another = Challenge(kind: .smsCode, handle: Secret("second"), lifetime: .seconds(300))
    other.provider.answerSignIn(.success(.challenge(another)))
    same.resend()
    await same.finished()
    bench.bench.clock.advance(by: .seconds(299))
    #expect(await bench.attempts.resume() === attempt)
    bench.bench.clock.advance(by: .seconds(1))
    #expect(await bench.attempts.resume() == nil)
    #expect(await bench.pending.pending()?.challenge == another)
  }

  @Test func `a factor that was chosen is kept, although the provider's handle is the same`() async throws {
    let factors = [Challenge.Factor(id: "r", kind: .recoveryCode)]
    let attempt = try await bench.challenged(
      Challenge(kind: .oneTimePassword, handle: Secret("first"), format: .digits(6), choices: factors))
    let chosen = Challenge(kind: .recoveryCode, handle: Secret("first"), choices: factors)
    bench.provider.answerSignIn(.success(.challenge(chosen)))
    attempt.choose(factors[0])
    await attempt.finished()
    #expect(await bench.pending.pending()?.challenge == chosen)
  }

  @Test func `no password and no code is kept`() async throws {
    let attempt = try await bench.challenged()
    bench.provider.answerSignIn(.failure(.wrongCode))
    attempt.answer(code: Secret("271828"))
    await attempt.finished()
    let kept = try #require(await bench.pending.pending())
    #expect(kept.challenge == .sms)
    let labels = Mirror(reflecting: kept).children.compactMap(\.label)
    #expect(Set(labels) == ["attempt", "method", "challenge", "receivedAt"])
  }
}
