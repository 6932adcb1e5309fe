import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
@testable import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct LinkingTests {
  let apple = NativeCredentials(
    method: .apple, identityToken: Secret(VendorToken.make(["sub": "apple-1", "email": "ada@privaterelay.example"])))

  func anonymous(_ bench: SupabaseBench) async throws -> User {
    let user = try await bench.root.useCase.signIn(with: .anonymous)
    #expect(try bench.body("signup") == [:])
    #expect(user.isAnonymous && user.isNew && user.email == nil)
    return user
  }

  @Test func `an anonymous account gets an address, and keeps its id`() async throws {
    let bench = try await SupabaseBench()
    let user = try await anonymous(bench)
    let asked = try #require(await bench.root.manager.account.perform(.link(.emailCode("ada@example.com"))).challenge)
    #expect(
      try await bench.root.manager.account.perform(.answer(ChallengeAnswer(to: asked, code: bench.lastCode))).isDone)
    let upgraded = try #require(bench.root.currentUser)
    #expect(upgraded.id == user.id && !upgraded.isAnonymous && upgraded.email == "ada@example.com")
  }

  @Test func `an anonymous account gets a password when its address is confirmed`() async throws {
    let bench = try await SupabaseBench()
    let user = try await anonymous(bench)
    let password = PasswordCredentials(userName: "ada@example.com", password: Secret("correct horse"))
    let asked = try #require(await bench.root.manager.account.perform(.link(password)).challenge)
    #expect(!asked.handle.reveal().contains("horse"))
    #expect(
      try await bench.root.manager.account.perform(.answer(ChallengeAnswer(to: asked, code: bench.lastCode))).isDone)
    let other = try bench.relaunchedElsewhere()
    #expect(try await other.manager.login(username: "ada@example.com", password: "correct horse").id == user.id)
  }

  @Test func `an anonymous account is upgraded by an identity token`() async throws {
    let bench = try await SupabaseBench()
    let user = try await anonymous(bench)
    #expect(try await bench.root.manager.account.perform(.link(apple)).isDone)
    #expect(bench.root.currentUser?.id == user.id)
    #expect(bench.root.currentUser?.isAnonymous == false)
    #expect(try bench.body("token id_token")["link_identity"] == true)
    _ = try await bench.root.manager.account.refreshUser()
  }

  @Test func `an identity of another user is not linked, and the account stays as it is`() async throws {
    let bench = try await SupabaseBench()
    try await bench.relaunchedElsewhere().manager.signIn(with: apple)
    let user = try await anonymous(bench)
    #expect(await code { try await bench.root.manager.account.perform(.link(apple)) } == .alreadyLinked)
    #expect(bench.root.currentUser == user)
  }

  @Test func `an address of another user is not linked`() async throws {
    let bench = try await SupabaseBench()
    bench.addAda()
    _ = try await anonymous(bench)
    #expect(
      await code { try await bench.root.manager.account.perform(.link(.emailCode("ada@example.com"))) }
        == .alreadyLinked)
  }

  @Test func `linked methods are listed and removed, but not the last one`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let account = bench.root.manager.account
    try await account.perform(.link(apple))
    let methods = try await account.linkedMethods()
    #expect(methods.map(\.method) == [.password, .apple])
    #expect(methods.map(\.label) == ["ada@example.com", "ada@privaterelay.example"])
    try await account.perform(.unlink(methods[1]))
    #expect(try await account.linkedMethods().map(\.method) == [.password])
    #expect(await code { try await account.perform(.unlink(methods[0])) } == .lastMethod)
  }

  // MARK: Factors

  @Test func `an authenticator app is enrolled, and the session is stronger from then on`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let account = bench.root.manager.account
    let asked = try #require(await account.perform(.enrol(.enrolment)).challenge)
    let secret = try #require(asked.enrolment).secret
    #expect(asked.enrolment?.uri?.reveal().hasPrefix("otpauth://totp/") == true)
    let code = OneTimePassword.code(secret: secret.reveal(), at: bench.clock.now)
    #expect(try await account.perform(.answer(ChallengeAnswer(to: asked, code: Secret(code)))).isDone)
    #expect(bench.level(of: try await bench.root.manager.validSession().accessToken.value) == "aal2")
    let factors = try await account.factors()
    #expect(factors.map(\.kind) == [.oneTimePassword])
    try await account.perform(.remove(factors[0]))
    #expect(try await account.factors().isEmpty)
  }

  @Test func `the account's phone is enrolled`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let asked = try #require(await bench.root.manager.account.perform(.enrol(.smsCode)).challenge)
    #expect(asked.destination == "+491701234567")
    #expect(
      try await bench.root.manager.account.perform(.answer(ChallengeAnswer(to: asked, code: bench.lastCode))).isDone)
    #expect(try await bench.root.manager.account.factors().map(\.kind) == [.smsCode])
  }

  @Test func `a factor is not removed by a session that is too weak`() async throws {
    let bench = try await SupabaseBench({ _ in }, { $0.requiresSecondFactor = false })
    bench.addAda(factorSecret: SupabaseBench.secret)
    try await bench.root.useCase.login(username: "ada@example.com", password: "correct horse")
    let factor = try #require(await bench.root.manager.account.factors().first)
    await #expect {
      try await bench.root.manager.account.perform(.remove(factor))
    } throws: {
      let error = $0 as? AuthenticationError
      return error == .insufficientUserAuthentication && error?.requirements?.acrValues == ["aal2"]
    }
  }
}
