import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Testing
import VendorServers

/// Second factors at a sign-in, and how they come and go.
@Suite(.timeLimit(.minutes(10))) struct LoopbackFactorTests {
  @Test func `an authenticator app is asked for after the password`() async throws {
    let bench = try await LoopbackBench()
    let id = bench.addAda(factorSecret: LoopbackBench.secret)
    let attempt = try await bench.ada()
    #expect(attempt.state.challenge?.kind == .oneTimePassword)
    #expect(bench.root.currentUser == nil)
    attempt.answer(code: Secret("000000"))
    #expect(await attempt.finished().failure == .wrongCode)
    attempt.answer(code: bench.oneTimePassword())
    #expect(await attempt.finished().isEnded)
    // Of the user the answer says nothing: it is in the token.
    #expect(bench.root.currentUser?.id == id)
    #expect(bench.root.currentUser?.email == "ada@example.com")
    #expect(try await bench.refreshed().user.id == id)
  }

  @Test func `a phone is asked for after the password`() async throws {
    let bench = try await LoopbackBench()
    let id = bench.addAda(factorPhone: "+15550002222")
    let attempt = try await bench.ada()
    #expect(attempt.state.challenge?.kind == .smsCode)
    #expect(attempt.state.challenge?.destination == "+*******2222")
    attempt.answer(code: bench.lastCode)
    #expect(await attempt.finished().isEnded)
    #expect(bench.root.currentUser?.id == id)
  }

  @Test func `of two factors the user chooses one, and may choose again`() async throws {
    let bench = try await LoopbackBench()
    bench.addAda(factorSecret: LoopbackBench.secret, factorPhone: "+15550002222")
    let attempt = try await bench.ada()
    let choices = try #require(attempt.state.challenge?.choices)
    #expect(attempt.state.challenge?.kind == .choice)
    #expect(choices.map(\.kind) == [.oneTimePassword, .smsCode])
    attempt.answer(
      ChallengeAnswer(to: try #require(attempt.state.challenge), .choice(choices[1].id)),
      SignInInput(attributes: LoopbackBench.proof))
    #expect(await attempt.finished().challenge?.kind == .smsCode)
    #expect(bench.loopback.messages.count == 1)
    attempt.choose(choices[0])
    #expect(await attempt.finished().challenge?.kind == .oneTimePassword)
    attempt.answer(code: bench.oneTimePassword())
    #expect(await attempt.finished().isEnded)
  }

  @Test func `a first factor that was too long ago is begun anew`() async throws {
    let bench = try await LoopbackBench()
    bench.addAda(factorSecret: LoopbackBench.secret)
    let attempt = try await bench.ada()
    bench.clock.advance(by: .seconds(601))
    attempt.answer(code: bench.oneTimePassword())
    #expect(await attempt.finished() == .failed(.signInExpired))
  }

  @Test func `an authenticator app is enrolled and removed, and the user stays signed in`() async throws {
    let bench = try await LoopbackBench()
    let user = try await bench.signedIn()
    let asked = try #require(try await bench.root.manager.account.perform(.enrol(.oneTimePassword)).challenge)
    let secret = try #require(asked.enrolment?.secret).reveal()
    let answer = ChallengeAnswer(to: asked, code: bench.oneTimePassword(secret))
    #expect(try await bench.root.manager.account.perform(.answer(answer)).isDone)
    #expect(bench.root.currentUser == user)
    let factors = try await bench.root.manager.account.factors()
    #expect(factors.map(\.kind) == [.oneTimePassword])
    try await bench.root.manager.account.perform(.remove(try #require(factors.first)))
    #expect(try await bench.root.manager.account.factors().isEmpty)
    // Each of both ended the tokens from before it.
    #expect(try await bench.refreshed().user == user)
  }

  @Test func `only a user who has a verified address and has just signed in enrols a factor`() async throws {
    let bench = try await LoopbackBench()
    try await bench.signedIn(isVerified: false)
    #expect(await failure { try await bench.root.manager.account.perform(.enrol(.oneTimePassword)) } == .notVerified)
    bench.clock.advance(by: .seconds(301))
    #expect(
      await failure { try await bench.root.manager.account.perform(.enrol(.oneTimePassword)) } == .recentSignInRequired)
  }
}
