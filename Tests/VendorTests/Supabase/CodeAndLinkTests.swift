import AuthenticationDomain
import AuthenticationKit
@testable import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct CodeAndLinkTests {
  @Test func `a code by e-mail signs a new user in`() async throws {
    let bench = try await SupabaseBench()
    let attempt = try await bench.begin(.emailCode, [.emailAddress: "grace@example.com"])
    #expect(attempt.state.challenge?.kind == .emailCode)
    #expect(try bench.body("otp") == ["email": "grace@example.com", "create_user": true])
    attempt.answer(code: bench.lastCode)
    await attempt.finished()
    #expect(bench.root.currentUser?.email == "grace@example.com")
    #expect(
      try bench.body("verify")
        == ["type": "email", "email": "grace@example.com", "token": .string(bench.lastCode.reveal())])
  }

  @Test func `a code by text message signs in`() async throws {
    let bench = try await SupabaseBench()
    let id = bench.addAda()
    let attempt = try await bench.begin(.phoneCode, [.phoneNumber: "+491701234567"])
    #expect(attempt.state.challenge?.kind == .smsCode)
    attempt.answer(code: bench.lastCode)
    await attempt.finished()
    #expect(bench.root.currentUser?.id == id)
    #expect(try bench.body("verify")["type"] == "sms")
  }

  @Test func `a wrong code keeps the attempt`() async throws {
    let bench = try await SupabaseBench()
    let attempt = try await bench.begin(.emailCode, [.emailAddress: "grace@example.com"])
    attempt.answer(code: Secret("000000"))
    await attempt.finished()
    #expect(attempt.state.failure == .wrongCode)
    attempt.answer(code: bench.lastCode)
    await attempt.finished()
    #expect(bench.root.currentUser != nil)
  }

  @Test func `another code is sent after a minute, and the one before is invalid`() async throws {
    let bench = try await SupabaseBench()
    let attempt = try await bench.begin(.emailCode, [.emailAddress: "grace@example.com"])
    let first = bench.lastCode
    attempt.resend()
    #expect(attempt.state.failure == .rateLimited)
    #expect(bench.requests("otp").count == 1)
    bench.clock.advance(by: .seconds(60))
    attempt.resend()
    await attempt.finished()
    #expect(bench.requests("otp").count == 2)
    attempt.answer(code: first)
    await attempt.finished()
    #expect(attempt.state.failure == .wrongCode)
    attempt.answer(code: bench.lastCode)
    await attempt.finished()
    #expect(bench.root.currentUser != nil)
  }

  @Test(arguments: [6, 8, 10]) func `codes are as long as the project says`(length: Int) async throws {
    let bench = try await SupabaseBench({ $0.codeLength = length }, { $0.codeLength = length })
    let attempt = try await bench.begin(.emailCode, [.emailAddress: "grace@example.com"])
    #expect(attempt.state.challenge?.format == .digits(length))
    attempt.answer(code: bench.lastCode)
    await attempt.finished()
    #expect(bench.root.currentUser != nil)
  }

  @Test func `the wait that the service asks for is read from its words`() async throws {
    let bench = try await SupabaseBench()
    _ = try await bench.begin(.emailCode, [.emailAddress: "grace@example.com"])
    bench.clock.advance(by: .seconds(18))
    let second = try await bench.begin(.emailCode, [.emailAddress: "grace@example.com"])
    #expect(second.state.failure == .rateLimited)
    #expect(second.state.failure?.retryAfter == .seconds(42))
  }

  @Test func `a project that creates no accounts says that there is no such way in`() async throws {
    let bench = try await SupabaseBench({ _ in }, { $0.createsAccounts = false })
    let attempt = try await bench.begin(.emailCode, [.emailAddress: "unknown@example.com"])
    #expect(attempt.state.failure == .unsupportedMethod)
    #expect(bench.loopback.accountIDs.isEmpty)
  }

  // MARK: Links

  @Test func `a link signs in where it was asked for, also after a relaunch`() async throws {
    let bench = try await SupabaseBench()
    let id = bench.addAda()
    _ = try await bench.begin(.emailLink, [.emailAddress: "ada@example.com"])
    let sent = try bench.body("otp")
    #expect(sent["code_challenge_method"] == "s256")
    #expect(bench.requests("otp").last?.query == "redirect_to=https://app.example.com/sign-in")
    let link = try bench.followedLink()
    let root = try bench.relaunched()
    let attempt = try await root.attempts.open(link)
    await attempt.finished()
    #expect(root.currentUser?.id == id)
    let exchange = try bench.body("token pkce")
    #expect(Set(exchange.keys) == ["auth_code", "code_verifier"])
    #expect(exchange["code_verifier"] != sent["code_challenge"])
  }

  @Test func `a link that another device asked for is worth nothing`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda()
    _ = try await bench.begin(.emailLink, [.emailAddress: "ada@example.com"])
    let stolen = try bench.followedLink()
    bench.clock.advance(by: .seconds(60))
    let attempt = try await bench.begin(.emailLink, [.emailAddress: "ada@example.com"])
    _ = try await bench.root.attempts.open(stolen)
    await attempt.finished()
    #expect(attempt.state.failure == .security)
    #expect(bench.root.currentUser == nil)
  }

  @Test(arguments: ["#access_token=a&refresh_token=b&type=magiclink", "?token_hash=x&type=magiclink", ""])
  func `a link without a code signs no user in`(rest: String) async throws {
    let bench = try await SupabaseBench()
    let attempt = try await bench.begin(.emailLink, [.emailAddress: "ada@example.com"])
    _ = try await bench.root.attempts.open(Secret(SupabaseBench.redirect + rest))
    await attempt.finished()
    #expect(attempt.state.failure == .invalidLink)
    #expect(bench.loopback.traffic.operations == ["otp"])
  }

  @Test func `a link that is too old asks for another one`() async throws {
    let bench = try await SupabaseBench()
    let attempt = try await bench.begin(.emailLink, [.emailAddress: "ada@example.com"])
    bench.clock.advance(by: .seconds(3_601))
    let link = try bench.followedLink()
    _ = try await bench.root.attempts.open(link)
    await attempt.finished()
    #expect(attempt.state.failure == .codeExpired)
    #expect(bench.requests("token pkce").isEmpty)
  }

  @Test func `a link for which no attempt waits does not sign in with an address alone`() async throws {
    let bench = try await SupabaseBench()
    let attempt = try await bench.root.attempts.open(Secret(SupabaseBench.redirect + "?code=somebodys"))
    attempt.submit(SignInInput([.emailAddress: "ada@example.com"]))
    #expect(await attempt.finished().failure == .invalidLink)
    #expect(bench.loopback.traffic.operations.isEmpty)
  }

  @Test func `links are not offered without an address of the app's own`() async throws {
    let bench = try await SupabaseBench({ _ in }, { $0.redirectURL = nil })
    #expect(bench.root.methods == [.password, .emailCode, .phoneCode, .anonymous])
  }
}

extension SupabaseBench {
  /// The last mail's link, as it reaches the app.
  func followedLink() throws -> Secret {
    let mail = try #require(loopback.messages.last?.link)
    return Secret(try #require(loopback.follow(mail)).absoluteString)
  }
}
