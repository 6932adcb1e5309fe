import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
import AuthenticationPasskeys
@testable import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct SupabasePasskeyTests {
  let authenticator = SoftwareAuthenticator(origin: "http://localhost")

  func bench(_ options: (inout LoopbackSupabase.Options) -> Void = { _ in }) async throws -> SupabaseBench {
    try await SupabaseBench(options) { $0.methods = [.password, .passkey, .anonymous] }
  }

  func answer(_ challenge: Challenge) async throws -> ChallengeAnswer {
    try await authenticator.answer(challenge, relyingPartyID: "localhost")
  }

  /// A passkey of the signed-in user.
  @discardableResult
  func register(_ account: any AccountUseCase, _ kind: Challenge.Kind = .passkey) async throws -> AccountOutcome {
    let asked = try #require(await account.perform(.enrol(kind)).challenge)
    #expect(asked.kind == .passkeyRegistration)
    return try await account.perform(.answer(try await answer(asked)))
  }

  /// An app whose button for a passkey asks the authenticator.
  func signIn(_ root: MainRoot) async throws -> SignInOutcome {
    guard case .challenge(let asked) = try await root.useCase.signIn(SignInRequest(.passkey)) else { throw Missing() }
    #expect(asked.kind == .passkey)
    return try await root.useCase.signIn(SignInRequest(try await answer(asked)))
  }

  private struct Missing: Error {}

  @Test func `a user registers a passkey, and signs in with it`() async throws {
    let bench = try await bench()
    let user = try await bench.signedIn()
    #expect(try await register(bench.root.manager.account) == .done)
    let other = try bench.relaunchedElsewhere()
    guard case .session(let session) = try await signIn(other) else { throw Missing() }
    #expect(session.user.id == user.id)
    #expect(bench.level(of: session.accessToken.value) == "aal1")
    #expect(try bench.body("passkeys authentication/options") == [:])
  }

  @Test func `passkeys are listed, named and removed`() async throws {
    let bench = try await bench()
    try await bench.signedIn()
    let account = bench.root.manager.account
    try await register(account)
    let passkey = try #require(await account.factors().first)
    #expect(passkey.kind == .passkey && passkey.label == nil && passkey.createdAt != nil)
    #expect(bench.requests("GET passkeys").last?.path == "/auth/v1/passkeys/")
    #expect(try await account.perform(.rename(passkey, to: "Laptop")).isDone)
    #expect(try await account.factors().map(\.label) == ["Laptop"])
    #expect(await code { try await account.perform(.rename(passkey, to: " ")) } == .invalidRequest)
    try await account.perform(.remove(passkey))
    #expect(try await account.factors().isEmpty)
    // The authenticator still has it, and the service does not believe it.
    #expect(await code { try await signIn(bench.relaunchedElsewhere()) } == .security)
  }

  @Test func `the device is told nothing of credentials that are not listed, and creates none`() async throws {
    let bench = try await bench()
    try await bench.signedIn()
    try await register(bench.root.manager.account)
    let attempt = try bench.root.attempts.begin(.password)
    attempt.submit(SignInInput([.userName: "ada@example.com", .password: "correct horse"]))
    await attempt.finished()
    let passkeys = DevicePasskeys(of: bench.root.manager, relyingPartyID: "localhost", authenticator: authenticator)
    #expect(try await passkeys.synchronize() == false)
    #expect(await passkeys.upgrade(after: attempt) == .unsupported)
    #expect(authenticator.signals.isEmpty && authenticator.credentialIDs.count == 1)
  }

  @Test func `a factor that is no passkey has the name that it got`() async throws {
    let bench = try await bench()
    try await bench.signedIn()
    let factor = EnrolledFactor(id: "f-1", kind: .oneTimePassword)
    #expect(
      await code { try await bench.root.manager.account.perform(.rename(factor, to: "x")) } == .unsupportedMethod)
  }

  @Test func `a challenge is answered within 5 minutes, and asked again after that`() async throws {
    let bench = try await bench()
    try await bench.signedIn()
    try await register(bench.root.manager.account)
    let attempt = try await bench.begin(bench.relaunchedElsewhere())
    let challenge = try #require(attempt.state.challenge)
    #expect(attempt.timeLeft() == .seconds(300))
    bench.clock.advance(by: .seconds(301))
    attempt.answer(try await answer(challenge))
    #expect(await attempt.finished().failure == .codeExpired)
    attempt.resend()
    attempt.answer(try await answer(try #require(await attempt.finished().challenge)))
    #expect(await attempt.finished().isEnded)
  }

  @Test func `an account without an address, and the eleventh passkey, are refused`() async throws {
    let bench = try await bench()
    _ = try await bench.root.useCase.signIn(with: .anonymous)
    #expect(await code { try await bench.root.manager.account.perform(.enrol(.passkey)) } == .invalidRequest)
    try await bench.signedIn()
    for _ in 0..<10 {
      try await register(bench.root.manager.account)
      authenticator.removeAll()
    }
    let error = await code { try await bench.root.manager.account.perform(.enrol(.passkey)) }
    #expect(error == .declined && error?.providerCode == "too_many_passkeys")
  }

  @Test func `a session that is too weak registers and removes no passkey`() async throws {
    let bench = try await SupabaseBench({ _ in }) {
      $0.methods = [.password, .passkey]
      $0.requiresSecondFactor = false
    }
    bench.addAda(factorSecret: SupabaseBench.secret)
    try await bench.root.useCase.login(username: "ada@example.com", password: "correct horse")
    let error = await code { try await bench.root.manager.account.perform(.enrol(.passkey)) }
    #expect(error == .insufficientUserAuthentication && error?.requirements?.acrValues == ["aal2"])
  }

  @Test func `where passkeys are turned off nothing is asked`() async throws {
    let bench = try await bench { $0.hasPasskeys = false }
    #expect(await code { try await bench.root.useCase.signIn(SignInRequest(.passkey)) } == .unsupportedMethod)
    let without = try await SupabaseBench()
    try await without.signedIn()
    #expect(try await without.root.manager.account.factors().isEmpty)
    #expect(without.requests("GET passkeys").isEmpty)
  }

  @Test func `text that is no response of an authenticator is not sent`() async throws {
    let bench = try await bench()
    guard case .challenge(let asked) = try await bench.root.useCase.signIn(SignInRequest(.passkey)) else {
      throw Missing()
    }
    let garbage = ChallengeAnswer(to: asked, .passkey(Secret("{")))
    #expect(await code { try await bench.root.useCase.signIn(SignInRequest(garbage)) } == .invalidRequest)
    #expect(bench.requests("passkeys authentication/verify").isEmpty)
  }

  // MARK: The second factor

  /// Ada, whose only second factor is a passkey, signs in with her password.
  func ada(_ bench: SupabaseBench) async throws -> SignInAttempt {
    try await bench.signedIn()
    guard case .session(let session) = try await register(bench.root.manager.account, .webAuthn) else {
      throw Missing()
    }
    #expect(bench.level(of: session.accessToken.value) == "aal2")
    try await bench.root.manager.signOut()
    return try await bench.begin(.password, [.userName: "ada@example.com", .password: "correct horse"])
  }

  @Test func `a user whose only factor is a passkey reaches the second level with it`() async throws {
    let bench = try await bench()
    let attempt = try await ada(bench)
    let challenge = try #require(attempt.state.challenge)
    #expect(challenge.kind == .passkey && bench.root.currentUser == nil)
    attempt.answer(try await answer(challenge))
    #expect(await attempt.finished().isEnded)
    #expect(bench.level(of: try await bench.root.manager.validSession().accessToken.value) == "aal2")
    let factors = try await bench.root.manager.account.factors()
    #expect(factors.map(\.kind) == [.webAuthn])
    try await bench.root.manager.account.perform(.remove(factors[0]))
    #expect(try await bench.root.manager.account.factors().isEmpty)
  }

  @Test func `a signature that is refused leaves the step open, and another challenge is signed`() async throws {
    let bench = try await bench()
    let attempt = try await ada(bench)
    let challenge = try #require(attempt.state.challenge)
    let signed = try await answer(challenge)
    guard case .passkey(let response) = signed.content else { throw Missing() }
    // No sequence of ASN.1 begins so.
    let spoiled = response.reveal().replacing(/"signature":"..../) { _ in #""signature":"AAAA"# }
    attempt.answer(ChallengeAnswer(to: challenge, .passkey(Secret(spoiled))))
    let failed = await attempt.finished()
    #expect(failed.failure == .security && failed.challenge != nil)
    #expect(bench.root.currentUser == nil)
    attempt.resend()
    let asked = try #require(await attempt.finished().challenge)
    #expect(asked.passkeyRequest != challenge.passkeyRequest)
    attempt.answer(try await answer(asked))
    #expect(await attempt.finished().isEnded)
  }

  @Test func `a passkey is one of several factors`() async throws {
    let bench = try await bench()
    let attempt = try await ada(bench)
    attempt.answer(try await answer(try #require(attempt.state.challenge)))
    await attempt.finished()
    let account = bench.root.manager.account
    let asked = try #require(await account.perform(.enrol(.enrolment)).challenge)
    let secret = try #require(asked.enrolment?.secret)
    let code = { Secret(OneTimePassword.code(secret: secret.reveal(), at: bench.clock.now)) }
    try await account.perform(.answer(ChallengeAnswer(to: asked, code: code())))
    try await bench.root.manager.signOut()
    let again = try await bench.begin(.password, [.userName: "ada@example.com", .password: "correct horse"])
    let choices = try #require(again.state.challenge).choices
    #expect(choices.map(\.kind) == [.passkey, .oneTimePassword])
    again.choose(try #require(choices.first))
    again.answer(try await answer(try #require(await again.finished().challenge)))
    #expect(await again.finished().isEnded)
  }

  @Test func `a passkey that begins a sign-in does not satisfy the second factor`() async throws {
    let bench = try await bench()
    let attempt = try await ada(bench)
    attempt.answer(try await answer(try #require(attempt.state.challenge)))
    await attempt.finished()
    try await register(bench.root.manager.account)
    guard case .challenge(let second) = try await signIn(bench.relaunchedElsewhere()) else { throw Missing() }
    #expect(second.kind == .passkey)
  }

  @Test func `a service that asks for a new key in place of a signature is not believed`() async throws {
    let bench = try await bench()
    try await bench.signedIn()
    try await register(bench.root.manager.account, .webAuthn)
    try await bench.root.manager.signOut()
    bench.loopback.traffic.set(
      .body(#"{"id":"c-1","type":"webauthn","webauthn":{"type":"create","credential_options":{"publicKey":{}}}}"#),
      on: "factors/challenge")
    let attempt = try await bench.begin(.password, [.userName: "ada@example.com", .password: "correct horse"])
    #expect(attempt.state.failure == .unexpectedResponse)
  }
}

extension SupabaseBench {
  /// Begins with a passkey, which the test answers by hand.
  fileprivate func begin(_ root: MainRoot) async throws -> SignInAttempt {
    let process = SignInProcess(.passkey) { _ throws(AuthenticationError) in PasskeyCredentials() }
    let attempts = SignInAttempts([process], useCase: root.useCase, manager: root.manager, clock: clock)
    let attempt = try attempts.begin(.passkey)
    attempt.submit()
    await attempt.finished()
    return attempt
  }
}
