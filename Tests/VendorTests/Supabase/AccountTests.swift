import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
@testable import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct AccountTests {
  @Test func `the service offers all but the deletion of an account`() async throws {
    let abilities = try await SupabaseBench().root.manager.account.abilities
    #expect(
      abilities == [
        .signUp, .resetPassword, .changePassword, .verify, .link, .factors, .sessions, .profile,
      ])
  }

  @Test func `an access token that is refused is refreshed once`() async throws {
    let bench = try await SupabaseBench()
    let user = try await bench.signedIn()
    bench.loopback.traffic.set(.error("bad_jwt"), on: "GET user", times: 1)
    #expect(try await bench.root.manager.account.refreshUser() == user)
    #expect(bench.requests("token refresh_token").count == 1)
  }

  @Test(arguments: ["session_not_found", "session_expired", "user_not_found", "user_banned"])
  func `only the token endpoint ends a session`(vendor: String) async throws {
    let bench = try await SupabaseBench()
    let user = try await bench.signedIn()
    bench.loopback.traffic.set(.error(vendor), on: "GET user")
    #expect(await code { try await bench.root.manager.account.refreshUser() } == .accessTokenRefused)
    #expect(bench.root.currentUser == user)
  }

  @Test func `a profile is changed`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let user = try await bench.root.manager.account.update(
      ProfileChanges(name: "Countess", picture: "https://example.com/c.png", locale: "en-GB", claims: ["title": "Lady"])
    )
    #expect(user.name == "Countess" && user.picture == "https://example.com/c.png" && user.locale == "en-GB")
    #expect(bench.root.currentUser?.name == "Countess")
  }

  @Test func `all other sessions end at once`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let other = try bench.relaunchedElsewhere()
    try await other.manager.login(username: "ada@example.com", password: "correct horse")
    let sessions = try await bench.root.manager.account.sessions()
    #expect(sessions.map(\.isCurrent) == [true, false])
    try await bench.root.manager.account.perform(.end(sessions[1]))
    #expect(bench.requests("logout").map(\.query) == ["scope=others"])
    #expect(bench.loopback.liveSessions == 1)
    try await bench.root.manager.account.refreshUser()
  }

  // MARK: Passwords

  @Test func `a forgotten password is replaced by one that the user chooses`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda()
    let sent = try #require(await bench.root.manager.account.perform(.resetPassword(of: "ada@example.com")).challenge)
    let wrong = ChallengeAnswer(to: sent, code: Secret("000000"))
    #expect(await code { try await bench.root.manager.account.perform(.answer(wrong)) } == .wrongCode)
    let asked = try #require(
      await bench.root.manager.account.perform(.answer(ChallengeAnswer(to: sent, code: bench.lastCode))).challenge)
    #expect(asked.kind == .newPassword)
    let weak = ChallengeAnswer(to: asked, .newPassword(Secret("short")))
    #expect(await code { try await bench.root.manager.account.perform(.answer(weak)) } == .weakPassword)
    let new = ChallengeAnswer(to: asked, .newPassword(Secret("battery staple")))
    #expect(try await bench.root.manager.account.perform(.answer(new)).isDone)
    #expect(bench.root.currentUser == nil && bench.loopback.liveSessions == 0)
    try await bench.root.useCase.login(username: "ada@example.com", password: "battery staple")
  }

  @Test func `the token of a forgotten password's code is in memory alone, and outlives no sign-out`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda()
    let account = bench.root.manager.account
    let sent = try #require(await account.perform(.resetPassword(of: "ada@example.com")).challenge)
    let asked = try #require(await account.perform(.answer(ChallengeAnswer(to: sent, code: bench.lastCode))).challenge)
    #expect(!asked.handle.reveal().contains("eyJ"), "no JWT is in what may be stored")
    let new = ChallengeAnswer(to: asked, .newPassword(Secret("battery staple")))

    bench.clock.advance(by: .seconds(61))
    let relaunched = try await bench.relaunched().manager.account.perform(.answer(new)).challenge
    #expect(relaunched?.kind == .emailCode && bench.loopback.messages.count == 2)

    bench.clock.advance(by: .seconds(61))
    try await bench.root.manager.signOut()
    #expect(try await account.perform(.answer(new)).challenge?.kind == .emailCode)
    #expect(bench.loopback.messages.count == 3)
    #expect(
      await code { try await bench.root.useCase.login(username: "ada@example.com", password: "battery staple") }
        == .invalidCredentials)
  }

  @Test func `a caller does not learn whether there is an account`() async throws {
    let bench = try await SupabaseBench()
    #expect(try await bench.root.manager.account.perform(.resetPassword(of: "unknown@example.com")).challenge != nil)
    #expect(bench.loopback.messages.isEmpty)
  }

  @Test func `a forgotten password may come by link`() async throws {
    let bench = try await SupabaseBench({ _ in }, { $0.confirmation = .link })
    bench.addAda()
    let sent = try #require(await bench.root.manager.account.perform(.resetPassword(of: "ada@example.com")).challenge)
    #expect(sent.kind == .link)
    let mail = try #require(bench.loopback.messages.last?.link)
    let link = try #require(bench.loopback.follow(mail))
    let asked = try await bench.root.manager.account.perform(.answer(ChallengeAnswer(to: sent, .link(link))))
    #expect(asked.challenge?.kind == .newPassword)
  }

  @Test func `a new password is set, and the old one goes along`() async throws {
    let bench = try await SupabaseBench({ $0.asksCurrentPassword = true })
    try await bench.signedIn()
    let account = bench.root.manager.account
    let new = Secret("battery staple")
    #expect(
      await code { try await account.perform(.changePassword(from: Secret("wrong"), to: new)) } == .invalidCredentials)
    #expect(try await account.perform(.changePassword(from: Secret("correct horse"), to: new)).isDone)
    #expect(
      await code { try await account.perform(.changePassword(from: new, to: new)) } == .weakPassword)
  }

  @Test func `a project may ask for a code before it sets a new password`() async throws {
    let bench = try await SupabaseBench({ $0.asksReauthentication = true })
    try await bench.signedIn()
    let account = bench.root.manager.account
    let outcome = try await account.perform(
      .changePassword(from: Secret("correct horse"), to: Secret("battery staple")))
    let asked = try #require(outcome.challenge)
    #expect(asked.kind == .emailCode && asked.destination == "ada@example.com")
    #expect(!asked.handle.reveal().contains("battery"))
    let wrong = ChallengeAnswer(to: asked, code: Secret("000000"))
    #expect(await code { try await account.perform(.answer(wrong)) } == .wrongCode)
    bench.clock.advance(by: .seconds(60))
    let again = try #require(await account.perform(.answer(ChallengeAnswer(to: asked, .resend))).challenge)
    let right = ChallengeAnswer(to: again, code: bench.lastCode)
    #expect(try await account.perform(.answer(right)).isDone)
    // It is not kept any longer than that.
    #expect(await code { try await account.perform(.answer(right)) } == .challengeReplaced)
    try await bench.relaunchedElsewhere().manager.login(username: "ada@example.com", password: "battery staple")
  }

  // MARK: Addresses

  @Test(arguments: [false, true]) func `an address changes when it is confirmed`(both: Bool) async throws {
    let bench = try await SupabaseBench({ $0.confirmsBothAddresses = both })
    let user = try await bench.signedIn()
    let account = bench.root.manager.account
    var asked = try #require(await account.perform(.verify(.email("countess@example.com"))).challenge)
    #expect(asked.destination == "countess@example.com")
    if both {
      let code = bench.loopback.messages.first { $0.address == "countess@example.com" }?.code ?? ""
      asked = try #require(await account.perform(.answer(ChallengeAnswer(to: asked, code: Secret(code)))).challenge)
      #expect(asked.destination == "ada@example.com")
      #expect(bench.root.currentUser?.email == "ada@example.com")
    }
    #expect(try await account.perform(.answer(ChallengeAnswer(to: asked, code: bench.lastCode))).isDone)
    #expect(bench.root.currentUser?.id == user.id)
    #expect(bench.root.currentUser?.email == "countess@example.com")
  }

  @Test func `a phone number changes when it is confirmed`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let asked = try #require(await bench.root.manager.account.perform(.verify(.phone("+15550003333"))).challenge)
    #expect(asked.kind == .smsCode)
    _ = try await bench.root.manager.account.perform(.answer(ChallengeAnswer(to: asked, code: bench.lastCode)))
    #expect(bench.root.currentUser?.phoneNumber == "+15550003333")
  }

  @Test func `an address that is confirmed already needs nothing`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    #expect(try await bench.root.manager.account.perform(.verify(.email("Ada@example.com"))).isDone)
    #expect(bench.loopback.messages.isEmpty)
  }
}
