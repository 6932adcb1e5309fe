import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Testing
import VendorServers

/// The account services.
@Suite(.timeLimit(.minutes(10))) struct LoopbackAccountTests {
  @Test func `a name and a picture are kept`() async throws {
    let bench = try await LoopbackBench()
    try await bench.signedIn()
    let picture = "https://example.com/ada.png"
    let user = try await bench.root.manager.account.update(ProfileChanges(name: "Countess", picture: picture))
    #expect(user.name == "Countess" && user.picture == picture)
    #expect(bench.root.currentUser == user)
    #expect(try await bench.root.manager.account.refreshUser() == user)
  }

  @Test func `a new password keeps the session, and ends the others`() async throws {
    let bench = try await LoopbackBench()
    let user = try await bench.signedIn()
    let other = try bench.rootElsewhere()
    try await other.manager.login(username: "ada@example.com", password: "correct horse")
    #expect(
      try await bench.root.manager.account.perform(
        .changePassword(from: Secret("correct horse"), to: Secret("battery staple"))
      )
      .isDone)
    #expect(try await bench.refreshed().user.id == user.id)
    #expect(await failure { try await other.manager.validSession() } == .sessionRejected)
    #expect(
      await failure {
        try await bench.root.manager.account.perform(
          .changePassword(from: Secret("correct horse"), to: Secret("third one")))
      } == .invalidCredentials)
  }

  @Test func `a forgotten password is replaced by way of a link`() async throws {
    let bench = try await LoopbackBench()
    let id = bench.addAda()
    let sent = try #require(
      try await bench.root.manager.account.perform(.resetPassword(of: "ada@example.com")).challenge)
    let opened = ChallengeAnswer(to: sent, .link(try bench.lastLink))
    let asked = try #require(try await bench.root.manager.account.perform(.answer(opened)).challenge)
    #expect(asked.kind == .newPassword)
    let weak = ChallengeAnswer(to: asked, .newPassword(Secret("short")))
    #expect(await failure { try await bench.root.manager.account.perform(.answer(weak)) } == .weakPassword)
    let new = ChallengeAnswer(to: asked, .newPassword(Secret("battery staple")))
    #expect(try await bench.root.manager.account.perform(.answer(new)).isDone)
    #expect(try await bench.root.useCase.login(username: "ada@example.com", password: "battery staple").id == id)
  }

  @Test(arguments: [true, false])
  func `a reset does not tell whether there is such an account`(hides: Bool) async throws {
    let bench = try await LoopbackBench({ $0.hidesAccounts = hides })
    #expect(
      try await bench.root.manager.account.perform(.resetPassword(of: "unknown@example.com")).challenge?.kind == .link)
    #expect(bench.loopback.mails.isEmpty)
  }

  @Test func `an address is verified by way of a link`() async throws {
    let bench = try await LoopbackBench()
    #expect(try await bench.signedIn(isVerified: false).isEmailVerified == false)
    let sent = try #require(try await bench.root.manager.account.perform(.verify(.email("ada@example.com"))).challenge)
    #expect(
      try await bench.root.manager.account.perform(.answer(ChallengeAnswer(to: sent, .link(try bench.lastLink)))).isDone
    )
    #expect(try await bench.root.manager.account.refreshUser().isEmailVerified == true)
  }

  @Test func `a new address is confirmed first, and ends every session`() async throws {
    let bench = try await LoopbackBench()
    let user = try await bench.signedIn()
    let sent = try #require(
      try await bench.root.manager.account.perform(.verify(.email("countess@example.com"))).challenge)
    #expect(bench.loopback.mails.last?.address == "countess@example.com")
    #expect(
      try await bench.root.manager.account.perform(.answer(ChallengeAnswer(to: sent, .link(try bench.lastLink)))).isDone
    )
    #expect(await failure { try await bench.refreshed() } == .sessionRejected)
    let again = try await bench.root.useCase.login(username: "countess@example.com", password: "correct horse")
    #expect(again.id == user.id)
  }

  @Test func `a phone number is changed by its code`() async throws {
    let bench = try await LoopbackBench()
    let user = try await bench.signedIn()
    let asked = try #require(
      try await bench.root.manager.account.perform(
        AccountRequest(.verify(.phone("+491701234567")), attributes: LoopbackBench.proof)
      ).challenge)
    #expect(
      try await bench.root.manager.account.perform(.answer(ChallengeAnswer(to: asked, code: bench.lastCode))).isDone)
    #expect(bench.root.currentUser?.id == user.id)
    #expect(bench.root.currentUser?.phoneNumber == "+491701234567")
  }

  @Test func `an account is deleted soon after a sign-in, and Apple's grant with it`() async throws {
    let bench = try await LoopbackBench()
    try await bench.signedIn()
    bench.clock.advance(by: .seconds(301))
    #expect(await failure { try await bench.root.manager.account.perform(.deleteAccount) } == .recentSignInRequired)
    try await bench.root.useCase.login(username: "ada@example.com", password: "correct horse")
    try await bench.root.manager.account.perform(
      AccountRequest(.deleteAccount, attributes: ["appleAuthorizationCode": Secret("c-1")]))
    #expect(bench.loopback.revokedAppleCodes == ["c-1"])
    #expect(bench.loopback.accountIDs.isEmpty)
    #expect(bench.root.currentUser == nil)
  }
}
