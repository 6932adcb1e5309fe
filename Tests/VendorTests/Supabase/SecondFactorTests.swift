import AuthenticationDomain
import AuthenticationKit
@testable import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct SecondFactorTests {
  func ada(_ bench: SupabaseBench) async throws -> SignInAttempt {
    try await bench.begin(.password, [.userName: "ada@example.com", .password: "correct horse"])
  }

  @Test func `a user with an authenticator app is signed in after its code`() async throws {
    let bench = try await SupabaseBench()
    let id = bench.addAda(factorSecret: SupabaseBench.secret)
    let attempt = try await ada(bench)
    #expect(attempt.state.challenge?.kind == .oneTimePassword)
    #expect(bench.root.currentUser == nil)
    #expect(bench.requests("factors/challenge").isEmpty)
    attempt.answer(code: Secret("000000"))
    await attempt.finished()
    #expect(attempt.state.failure == .wrongCode)
    attempt.answer(code: bench.oneTimePassword)
    #expect(await attempt.finished().isEnded)
    #expect(bench.root.currentUser?.id == id)
    let token = try await bench.root.manager.validSession().accessToken.value
    #expect(bench.level(of: token) == "aal2")
  }

  @Test func `the second step survives a relaunch`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda(factorSecret: SupabaseBench.secret)
    _ = try await ada(bench)
    let root = try bench.relaunched()
    let attempt = try #require(await root.attempts.resume())
    attempt.answer(code: bench.oneTimePassword)
    await attempt.finished()
    #expect(root.currentUser != nil)
  }

  @Test func `a text message is sent to a phone that is the only factor`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda(factorPhone: "+15550002222")
    let attempt = try await ada(bench)
    #expect(attempt.state.challenge?.kind == .smsCode)
    #expect(bench.loopback.messages.map(\.address) == ["15550002222"])
    attempt.answer(code: bench.lastCode)
    await attempt.finished()
    #expect(bench.root.currentUser != nil)
  }

  @Test func `of several factors the user chooses one, and may change the mind`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda(factorSecret: SupabaseBench.secret, factorPhone: "+15550002222")
    let attempt = try await ada(bench)
    let choices = try #require(attempt.state.challenge).choices
    #expect(attempt.state.challenge?.kind == .choice)
    #expect(choices.map(\.kind) == [.oneTimePassword, .smsCode])
    #expect(bench.loopback.messages.isEmpty)
    attempt.choose(choices[1])
    await attempt.finished()
    #expect(attempt.state.challenge?.kind == .smsCode)
    attempt.choose(choices[0])
    await attempt.finished()
    attempt.answer(code: bench.oneTimePassword)
    await attempt.finished()
    #expect(bench.root.currentUser != nil)
  }

  @Test func `a code that came too late is asked for again`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda(factorPhone: "+15550002222")
    let attempt = try await ada(bench)
    bench.clock.advance(by: .seconds(301))
    attempt.answer(code: bench.lastCode)
    await attempt.finished()
    #expect(attempt.state.failure == .codeExpired)
    // The challenge is gone at the service now, which says so in another way.
    attempt.answer(code: bench.lastCode)
    await attempt.finished()
    #expect(attempt.state.failure == .codeExpired)
    attempt.resend()
    await attempt.finished()
    attempt.answer(code: bench.lastCode)
    await attempt.finished()
    #expect(bench.root.currentUser != nil)
  }

  @Test func `a first step that has expired begins anew`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda(factorSecret: SupabaseBench.secret)
    let attempt = try await ada(bench)
    bench.clock.advance(by: .seconds(3_601))
    attempt.answer(code: bench.oneTimePassword)
    await attempt.finished()
    #expect(attempt.state == .failed(.signInExpired))
  }

  @Test func `a project may do without the second factor`() async throws {
    let bench = try await SupabaseBench({ _ in }, { $0.requiresSecondFactor = false })
    let id = bench.addAda(factorSecret: SupabaseBench.secret)
    _ = try await ada(bench)
    #expect(bench.root.currentUser?.id == id)
  }

  @Test func `a session that is no stronger than before is refused`() async throws {
    let bench = try await SupabaseBench()
    let id = bench.addAda(factorSecret: SupabaseBench.secret)
    let attempt = try await ada(bench)
    for (claims, expected) in [
      (["sub": .string(id), "aal": "aal1"], .unexpectedResponse), (["sub": "another", "aal": "aal2"], .security),
    ] as [([String: JSONValue], AuthenticationError)] {
      let subject = claims["sub"]?.text ?? ""
      bench.loopback.traffic.set(
        .body(
          #"{"access_token":"\#(VendorToken.make(claims))","refresh_token":"r","user":{"id":"\#(subject)"}}"#),
        on: "factors/verify")
      attempt.answer(code: bench.oneTimePassword)
      await attempt.finished()
      #expect(attempt.state.failure == expected)
    }
    #expect(bench.root.currentUser == nil)
  }

  @Test func `a code of an authenticator app works once`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda(factorSecret: SupabaseBench.secret)
    let first = try await ada(bench)
    let used = bench.oneTimePassword
    first.answer(code: used)
    await first.finished()
    let second = try await ada(bench)
    second.answer(code: used)
    await second.finished()
    #expect(second.state.failure == .wrongCode)
  }
}

extension SupabaseBench {
  /// `aal` of an access token.
  func level(of token: Secret) -> String? { VendorToken.claims(token.reveal())?["aal"]?.text }
}
