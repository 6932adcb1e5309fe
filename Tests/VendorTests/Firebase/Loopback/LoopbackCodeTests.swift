import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Codes by text message, and links by e-mail.
@Suite(.timeLimit(.minutes(10))) struct LoopbackCodeTests {
  func askedForCode(_ bench: LoopbackBench) async throws -> SignInAttempt {
    try await bench.begin(.phoneCode, [.phoneNumber: "+491701234567"], attributes: LoopbackBench.proof)
  }

  @Test func `a code by text message signs a new user in, after a wrong one`() async throws {
    let bench = try await LoopbackBench()
    let attempt = try await askedForCode(bench)
    #expect(attempt.state.challenge?.kind == .smsCode)
    attempt.answer(code: Secret("000000"))
    #expect(await attempt.finished().failure == .wrongCode)
    attempt.answer(code: bench.lastCode)
    #expect(await attempt.finished().isEnded)
    #expect(bench.root.currentUser?.phoneNumber == "+491701234567")
    #expect(bench.root.currentUser?.isNew == true)
  }

  @Test func `nothing is sent for an app that does not show that it is itself`() async throws {
    let bench = try await LoopbackBench()
    let attempt = try await bench.begin(.phoneCode, [.phoneNumber: "+491701234567"])
    #expect(attempt.state == .failed(.captchaRequired))
    let fake = try await bench.begin(
      .phoneCode, [.phoneNumber: "+491701234567"], attributes: ["recaptchaToken": Secret("wrong")])
    #expect(fake.state == .failed(.captchaRequired))
    #expect(bench.loopback.messages.isEmpty)
  }

  @Test func `a code that came too late ends the attempt: a new one signs in`() async throws {
    let bench = try await LoopbackBench()
    let late = try await askedForCode(bench)
    bench.clock.advance(by: .seconds(301))
    late.answer(code: bench.lastCode)
    #expect(await late.finished().failure == .signInExpired)
    #expect(late.state.challenge == nil)
    let attempt = try await askedForCode(bench)
    attempt.answer(code: bench.lastCode)
    #expect(await attempt.finished().isEnded)
    #expect(bench.loopback.messages.count == 2)
  }

  @Test func `a link by e-mail signs in where it was asked for, once`() async throws {
    let bench = try await LoopbackBench()
    let id = bench.addAda()
    let attempt = try await bench.begin(.emailLink, [.emailAddress: "ada@example.com"])
    #expect(attempt.state.challenge?.kind == .link)
    let link = Secret(try bench.lastLink.absoluteString)
    let opened = try await bench.root.attempts.open(link)
    #expect(await opened.finished().isEnded)
    #expect(bench.root.currentUser?.id == id)
    // Another user finds it afterwards, and knows the address.
    let other = try bench.rootElsewhere()
    let late = try await other.attempts.open(link)
    late.submit(SignInInput([.emailAddress: "ada@example.com"]))
    #expect(await late.finished().failure == .wrongCode)
  }

  @Test func `on another device a link asks for the address, and for the right one`() async throws {
    let bench = try await LoopbackBench()
    bench.addAda()
    _ = try await bench.begin(.emailLink, [.emailAddress: "ada@example.com"])
    let other = try bench.rootElsewhere()
    let attempt = try await other.attempts.open(Secret(bench.lastLink.absoluteString))
    #expect(attempt.state == .collecting)
    attempt.submit(SignInInput([.emailAddress: "eve@example.com"]))
    #expect(await attempt.finished().failure == .invalidEmailAddress)
    attempt.submit(SignInInput([.emailAddress: "ada@example.com"]))
    #expect(await attempt.finished().isEnded)
    #expect(other.currentUser?.email == "ada@example.com")
  }

  @Test func `a link that is too old is not accepted`() async throws {
    let bench = try await LoopbackBench()
    let attempt = try await bench.begin(.emailLink, [.emailAddress: "ada@example.com"])
    bench.clock.advance(by: .seconds(3_601))
    let challenge = try #require(attempt.state.challenge)
    attempt.answer(ChallengeAnswer(to: challenge, .link(try bench.lastLink)))
    #expect(await attempt.finished().failure == .signInExpired)
  }
}
