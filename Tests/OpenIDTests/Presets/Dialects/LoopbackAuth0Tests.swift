import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationPasskeys
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct LoopbackAuth0Tests {
  private static let ada = PasswordCredentials(userName: "ada@example.com", password: Secret("correct horse"))
  private static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
  private let clock = ManualClock()

  private func bench(
    _ server: LoopbackAuth0, methods: [SignInMethod] = [.browser, .password, .emailCode, .phoneCode]
  ) async throws -> DialectBench {
    try await server.start()
    let client = OpenIDClient.auth0(
      domain: "tenant.eu.auth0.com", clientID: "app", methods: methods, endpoint: server.issuer)
    return try DialectBench(.openIDConnect(client), at: server, clock: clock)
  }

  private func server(
    _ change: (inout LoopbackAuth0.Options) -> Void = { _ in }, factorSecret: String? = nil, phone: String? = nil,
    recoveryCode: String? = nil
  ) -> LoopbackAuth0 {
    var options = LoopbackAuth0.Options()
    change(&options)
    let server = LoopbackAuth0(options, clock: clock)
    server.addAccount(
      .ada, phone: phone, factorSecret: factorSecret, hasPhoneFactor: phone != nil, recoveryCode: recoveryCode)
    return server
  }

  @Test func `an authenticator app is asked for, and a wrong code may be typed again`() async throws {
    let bench = try await bench(server(factorSecret: Self.secret))
    let challenge = try await bench.challenge(Self.ada)
    #expect(challenge.kind == .oneTimePassword)
    let wrong = ChallengeAnswer(to: challenge, code: Secret("000000"))
    #expect(await failure { try await bench.provider.signIn(with: wrong) } == .wrongCode)
    let code = Secret(OneTimePassword.code(secret: Self.secret, at: clock.now))
    #expect(try await bench.signIn(ChallengeAnswer(to: challenge, code: code)).user.id == "248289761001")
  }

  @Test func `after ten minutes the sign-in is over`() async throws {
    let bench = try await bench(server(factorSecret: Self.secret))
    let challenge = try await bench.challenge(Self.ada)
    clock.advance(by: .seconds(601))
    let late = ChallengeAnswer(to: challenge, code: Secret("000000"))
    #expect(await failure { try await bench.provider.signIn(with: late) } == .signInExpired)
  }

  @Test func `of two factors one is chosen, and a message brings its code`() async throws {
    let server = server(factorSecret: Self.secret, phone: "+491701234567")
    let bench = try await bench(server)
    let choice = try await bench.challenge(Self.ada)
    let phone = try #require(choice.choices.first { $0.kind == .smsCode })
    let challenge = try await bench.challenge(ChallengeAnswer(to: choice, .choice(phone.id)))
    #expect(challenge.kind == .smsCode)
    let code = Secret(try #require(server.messages.last?.code))
    _ = try await bench.signIn(ChallengeAnswer(to: challenge, code: code))
  }

  @Test func `a user who has no factor where one is required enrols it, and it is asked for from then on`() async throws
  {
    let bench = try await bench(server { $0.requiresFactor = true })
    let enrolment = try await bench.challenge(Self.ada)
    let secret = try #require(enrolment.enrolment).secret.reveal()
    let code = Secret(OneTimePassword.code(secret: secret, at: clock.now))
    _ = try await bench.signIn(ChallengeAnswer(to: enrolment, code: code))
    #expect(try await bench.challenge(Self.ada).kind == .oneTimePassword)
  }

  @Test func `a user signs up with a passkey, which signs in from then on, each answer once`() async throws {
    let bench = try await bench(LoopbackAuth0(clock: clock), methods: [.passkey])
    let authenticator = SoftwareAuthenticator(origin: "http://localhost")
    let attributes = ["email": Secret("ada@example.com")]
    let creation = try #require(
      try await bench.provider.signUp(with: PasskeyCredentials(), attributes: attributes).challenge)
    let made = try await bench.signIn(authenticator.answer(creation, relyingPartyID: "localhost"))
    #expect(made.user.email == "ada@example.com")

    let answer = try await authenticator.answer(
      try await bench.challenge(PasskeyCredentials()), relyingPartyID: "localhost")
    let session = try await bench.signIn(answer)
    #expect(session.user.id == made.user.id)
    #expect(try await bench.refresh(session).user.id == made.user.id)
    #expect(await failure { try await bench.provider.signIn(with: answer) } != nil)
  }

  @Test func `a passkey without an account signs no user in`() async throws {
    let bench = try await bench(LoopbackAuth0(clock: clock), methods: [.passkey])
    let elsewhere = try await self.bench(LoopbackAuth0(clock: clock), methods: [.passkey])
    let authenticator = SoftwareAuthenticator(origin: "http://localhost")
    let attributes = ["email": Secret("ada@example.com")]
    let creation = try #require(
      try await elsewhere.provider.signUp(with: PasskeyCredentials(), attributes: attributes).challenge)
    _ = try await elsewhere.signIn(authenticator.answer(creation, relyingPartyID: "localhost"))
    let answer = try await authenticator.answer(
      try await bench.challenge(PasskeyCredentials()), relyingPartyID: "localhost")
    #expect(await failure { try await bench.provider.signIn(with: answer) } == .invalidCredentials)
  }

  @Test func `a refresh token that is used twice ends the sign-in, unless it is within the leeway`() async throws {
    let strict = try await bench(server())
    let session = try await strict.signIn(Self.ada)
    _ = try await strict.refresh(session)
    #expect(await strict.refreshFailure(session) == .sessionRejected)

    let lenient = try await bench(server { $0.leeway = .seconds(3) })
    let other = try await lenient.signIn(Self.ada)
    _ = try await lenient.refresh(other)
    _ = try await lenient.refresh(other)
  }

  @Test func `without rotation the refresh token stays`() async throws {
    let bench = try await bench(server { $0.rotatesRefreshTokens = false })
    let session = try await bench.signIn(Self.ada)
    #expect(try await bench.refresh(session).tokens.refresh == session.tokens.refresh)
  }

  @Test func `a refresh that asks for a factor keeps the session`() async throws {
    let server = server()
    let bench = try await bench(server)
    let session = try await bench.signIn(Self.ada)
    server.traffic.set(.error("mfa_required: Multifactor authentication required"), on: "token refresh_token", times: 1)
    #expect(await bench.refreshFailure(session) == .insufficientUserAuthentication)
    _ = try await bench.refresh(session)
  }
}
