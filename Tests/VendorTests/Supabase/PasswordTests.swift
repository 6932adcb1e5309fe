import AuthenticationDomain
import AuthenticationKit
@testable import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct PasswordTests {
  @Test func `a user signs in with address and password`() async throws {
    let bench = try await SupabaseBench()
    let id = bench.addAda(metadata: ["full_name": "Ada Lovelace", "avatar_url": "https://example.com/ada.png"])
    let user = try await bench.root.useCase.login(username: "ada@example.com", password: "correct horse")
    #expect(user.id == id)
    #expect(user.name == "Ada Lovelace")
    #expect(user.email == "ada@example.com")
    #expect(user.isEmailVerified == true)
    #expect(user.phoneNumber == "+491701234567")
    #expect(user.picture == "https://example.com/ada.png")
    #expect(user.createdAt == .init(timeIntervalSince1970: 1_750_000_000))
    #expect(!user.isNew && !user.isAnonymous)
  }

  @Test func `every call names the project and its version`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let request = try #require(bench.requests("token password").first)
    #expect(request.path == "/auth/v1/token")
    #expect(request.query == "grant_type=password")
    #expect(request.header("apikey") == "anon-key")
    #expect(request.header("Authorization") == "Bearer anon-key")
    #expect(request.header("X-Supabase-Api-Version") == "2024-01-01")
    #expect(try bench.body("token password") == ["email": "ada@example.com", "password": "correct horse"])
  }

  @Test func `a phone number serves as user name`() async throws {
    let bench = try await SupabaseBench()
    let id = bench.addAda()
    #expect(try await bench.root.useCase.login(username: "+491701234567", password: "correct horse").id == id)
  }

  @Test func `a user name that is no address is refused before anything is sent`() async throws {
    let bench = try await SupabaseBench()
    #expect(
      await code { try await bench.root.useCase.login(username: "ada", password: "x") } == .invalidEmailAddress)
    #expect(bench.loopback.traffic.operations.isEmpty)
  }

  @Test func `a wrong password is refused, and nothing is stored`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda()
    let attempt = try await bench.begin(.password, [.userName: "ada@example.com", .password: "wrong"])
    #expect(attempt.state.failure == .invalidCredentials)
    #expect(bench.root.currentUser == nil)
  }

  @Test func `a new address is confirmed by the code that came`() async throws {
    let bench = try await SupabaseBench()
    let new = PasswordCredentials(userName: "grace@example.com", password: Secret("battery staple"))
    let challenge = try await bench.confirmation(of: new)
    #expect(challenge.kind == .confirmation)
    #expect(challenge.destination == "grace@example.com")
    let wrong = ChallengeAnswer(to: challenge, code: Secret("000000"))
    #expect(await code { try await bench.root.useCase.signIn(with: wrong) } == .wrongCode)
    let user = try await bench.root.useCase.signIn(with: .answer(to: challenge, code: bench.lastCode))
    #expect(user.isNew && user.email == "grace@example.com" && user.isEmailVerified == true)
    #expect(bench.root.currentUser == user)
  }

  @Test func `a new phone number is confirmed by a text message`() async throws {
    let bench = try await SupabaseBench()
    let new = PasswordCredentials(userName: "+15550001111", password: Secret("battery staple"))
    let challenge = try await bench.confirmation(of: new)
    let user = try await bench.root.useCase.signIn(with: .answer(to: challenge, code: bench.lastCode))
    #expect(user.phoneNumber == "+15550001111")
    #expect(try bench.body("verify")["type"] == "sms")
  }

  @Test func `a user who did not confirm is asked at the sign-in, and may have another code sent`() async throws {
    let bench = try await SupabaseBench()
    let new = PasswordCredentials(userName: "grace@example.com", password: Secret("battery staple"))
    _ = try await bench.confirmation(of: new)
    let attempt = try await bench.begin(.password, [.userName: "grace@example.com", .password: "battery staple"])
    #expect(attempt.state.challenge?.kind == .confirmation)
    #expect(bench.requests("resend").isEmpty)
    bench.clock.advance(by: .seconds(60))
    attempt.resend()
    await attempt.finished()
    #expect(try bench.body("resend") == ["type": "signup", "email": "grace@example.com"])
    attempt.answer(code: bench.lastCode)
    #expect(await attempt.finished().isEnded)
    #expect(bench.root.currentUser?.email == "grace@example.com")
  }

  @Test func `a project that confirms by links sends one that works on this device alone`() async throws {
    let bench = try await SupabaseBench({ _ in }, { $0.confirmation = .link })
    let new = PasswordCredentials(userName: "grace@example.com", password: Secret("battery staple"))
    let challenge = try await bench.confirmation(of: new)
    #expect(challenge.kind == .link)
    let mail = try #require(bench.loopback.messages.last?.link)
    let link = try #require(bench.loopback.follow(mail))
    let user = try await bench.root.useCase.signIn(with: ChallengeAnswer(to: challenge, .link(link)))
    #expect(user.email == "grace@example.com")
  }

  @Test func `a project that confirms nothing signs a new user in at once`() async throws {
    let bench = try await SupabaseBench({ $0.confirmsAddresses = false })
    let user = try await bench.root.useCase.signUp(
      with: .password(userName: "grace@example.com", password: Secret("battery staple")))
    #expect(user.isNew)
  }

  @Test func `an address that is taken is said to be`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda()
    let taken = PasswordCredentials(userName: "ada@example.com", password: Secret("battery staple"))
    #expect(await code { try await bench.root.useCase.signUp(with: taken) } == .accountExists)
  }

  @Test func `a weak password is refused with the project's rules`() async throws {
    let bench = try await SupabaseBench()
    await #expect {
      try await bench.root.useCase.signUp(with: .password(userName: "grace@example.com", password: Secret("short")))
    } throws: {
      let error = $0 as? AuthenticationError
      return error == .weakPassword && error?.passwordRules == ["length"]
    }
  }

  @Test func `a captcha's token goes where the app supplied one`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda()
    let attempt = try bench.root.attempts.begin(.password)
    let fields: [SignInMethod.Need: String] = [.userName: "ada@example.com", .password: "correct horse"]
    attempt.submit(SignInInput(fields, attributes: ["captcha_token": Secret("wrong")]))
    #expect(await attempt.finished().failure == .captchaRequired)
    attempt.submit(SignInInput(fields, attributes: ["captcha_token": Secret("solved")]))
    await attempt.finished()
    #expect(try bench.body("token password")["gotrue_meta_security"] == ["captcha_token": "solved"])
    #expect(bench.root.currentUser != nil)
  }
}

extension SupabaseBench {
  /// The questions of a sign-up.
  func confirmation(of credentials: PasswordCredentials) async throws -> Challenge {
    var asked: Challenge?
    do throws(AuthenticationError) {
      try await root.useCase.signUp(with: credentials)
    } catch {
      asked = error.challenge
    }
    return try #require(asked)
  }
}
