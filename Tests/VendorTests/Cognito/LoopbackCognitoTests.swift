import AuthenticationAccount
import AuthenticationCognito
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// The adapter at a pool that keeps accounts and sessions, over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct LoopbackCognitoTests {
  static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
  let clock = ManualClock()

  func app(
    _ methods: [SignInMethod] = [.plainPassword], _ change: (inout LoopbackCognito.Options) -> Void = { _ in }
  ) async throws -> (root: MainRoot, pool: LoopbackCognito) {
    var options = LoopbackCognito.Options()
    change(&options)
    let server = LoopbackCognito(options, clock: clock)
    let pool = CognitoUserPool(
      id: options.poolID, clientID: options.clientID, endpoint: try await server.start().absoluteString,
      methods: methods)
    let root = try MainRoot(.cognito(pool)) { [clock] in
      $0.storage = .inMemory
      $0.clock = clock
      $0.refreshPolicy = .onDemand
    }
    return (root, server)
  }

  func ada(_ root: MainRoot, password: String = "correct horse") async throws -> SignInAttempt {
    let attempt = try root.attempts.begin(.plainPassword)
    attempt.submit(SignInInput([.userName: "ada", .password: password]))
    await attempt.finished()
    return attempt
  }

  @Test(arguments: [true, false]) func `a session is refreshed, with and without rotation`(rotates: Bool) async throws {
    let (root, pool) = try await app { $0.rotatesRefreshTokens = rotates }
    let subject = pool.addAccount("ada", password: "correct horse", email: "ada@example.com")
    #expect(try await ada(root).state.isEnded)
    #expect(root.currentUser?.id == subject && root.currentUser?.email == "ada@example.com")
    let before = try await root.manager.validSession()
    clock.advance(by: .seconds(3_601))
    let after = try await root.manager.validSession()
    #expect(after.accessToken.value != before.accessToken.value)
    #expect((after.tokens.refresh != before.tokens.refresh) == rotates)
    try await root.manager.signOut()
    #expect(await root.manager.deliverRevocations().isEmpty)
    #expect(pool.liveSessions == 0)
  }

  @Test func `a pool that lacks the newer refresh is asked by the older one`() async throws {
    let (root, pool) = try await app { $0.knowsNewerRefresh = false }
    pool.addAccount("ada", password: "correct horse")
    _ = try await ada(root)
    clock.advance(by: .seconds(3_601))
    _ = try await root.manager.validSession()
    #expect(
      pool.traffic.operations.suffix(2) == ["GetTokensFromRefreshToken", "InitiateAuth"])
  }

  @Test func `an administrator ends the session`() async throws {
    for end in [{ $0.revokeAllSessions() }, { $0.setDisabled(true, account: "ada") }] as [(LoopbackCognito) -> Void] {
      let (root, pool) = try await app()
      pool.addAccount("ada", password: "correct horse")
      _ = try await ada(root)
      end(pool)
      clock.advance(by: .seconds(3_601))
      #expect(await failure { try await root.manager.validSession() } == .sessionRejected)
      #expect(root.currentUser == nil)
    }
  }

  @Test func `a new password, then a chosen factor`() async throws {
    let (root, pool) = try await app()
    pool.addAccount(
      "ada", password: "temporary", phone: "+491701234567", factorSecret: Self.secret, hasPhoneFactor: true,
      mustChangePassword: true)
    let attempt = try await ada(root, password: "temporary")
    attempt.answer(
      ChallengeAnswer(to: try #require(attempt.state.challenge), .newPassword(Secret("correct horse"))))
    #expect(await attempt.finished().challenge?.kind == .choice)
    attempt.choose(try #require(attempt.state.challenge?.choices.first { $0.kind == .oneTimePassword }))
    await attempt.finished()
    attempt.answer(code: Secret("000000"))
    #expect(await attempt.finished().failure == .wrongCode)
    attempt.answer(code: Secret(OneTimePassword.code(secret: Self.secret, at: clock.now)))
    #expect(await attempt.finished().isEnded)
  }

  @Test func `a step that took too long begins anew`() async throws {
    let (root, pool) = try await app()
    pool.addAccount("ada", password: "correct horse", phone: "+491701234567", hasPhoneFactor: true)
    let attempt = try await ada(root)
    clock.advance(by: .seconds(181))
    attempt.answer(code: Secret(pool.messages.last?.code ?? ""))
    #expect(await attempt.finished() == .failed(.signInExpired))
  }

  @Test func `a user who signs up by an address confirms it, and is sent a code to sign in`() async throws {
    let (root, pool) = try await app([.emailCode])
    let attempt = try root.attempts.begin(.emailCode)
    attempt.submit(SignInInput([.emailAddress: "grace@example.com"]), createsAccount: true)
    #expect(await attempt.finished().challenge?.kind == .confirmation)
    attempt.answer(code: Secret(pool.messages.last?.code ?? ""))
    #expect(await attempt.finished().challenge?.kind == .emailCode)
    attempt.answer(code: Secret(pool.messages.last?.code ?? ""))
    #expect(await attempt.finished().isEnded)
    #expect(root.currentUser?.email == "grace@example.com")
  }

  @Test func `a forgotten password is replaced by way of a code`() async throws {
    let (root, pool) = try await app()
    pool.addAccount("ada", password: "correct horse", email: "ada@example.com")
    guard case .challenge(let sent) = try await root.manager.account.perform(.resetPassword(of: "ada")),
      case .challenge(let asked) = try await root.manager.account.perform(
        .answer(
          ChallengeAnswer(to: sent, code: Secret(pool.messages.last?.code ?? ""))))
    else { throw AuthenticationError.unexpectedResponse }
    let step = try await root.manager.account.perform(
      .answer(ChallengeAnswer(to: asked, .newPassword(Secret("battery staple")))))
    #expect(step == .done)
    #expect(try await ada(root, password: "battery staple").state.isEnded)
  }

  @Test func `a proof of a password is refused where the app client does not allow it`() async throws {
    let (root, pool) = try await app([.password])
    pool.addAccount("ada", password: "correct horse")
    let error = await failure { try await root.useCase.login(username: "ada", password: "correct horse") }
    #expect(error == .clientRejected)
  }
}
