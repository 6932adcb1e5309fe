import AuthenticationAccount
import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct AccountServicesTests {
  let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
  let changes = Log()

  func services(_ provider: ScriptedAccountProvider) -> AccountServices {
    AccountServices(provider, of: bench.manager) { [changes] in changes.append($0.rawValue) }
  }

  var provider: ScriptedAccountProvider { ScriptedAccountProvider(upstream: bench.provider) }

  @Test func `an app sees the provider's abilities, and nothing else`() async {
    let all: Set<AccountAbility> = [
      .resetPassword, .changePassword, .verify, .link, .factors, .sessions, .delete, .profile,
    ]
    #expect(services(provider).abilities == all)
    #expect(AccountServices(bench.provider, of: bench.manager).abilities == [.signUp])
    var less = provider
    less.accountAbilities = [.sessions]
    #expect(services(less).abilities == [.sessions])
    await #expect(throws: AuthenticationError(.unsupportedMethod, "")) {
      try await services(less).perform(.deleteAccount)
    }
    #expect(less.log.lines == [])
  }

  @Test func `invalid input is refused before anything is sent`() async {
    let provider = provider
    let account = services(provider)
    await #expect(throws: AuthenticationError.blankUserName) { try await account.perform(.resetPassword(of: " ")) }
    await #expect(throws: AuthenticationError.emptyPassword) {
      try await account.perform(.changePassword(from: Secret("old"), to: Secret("")))
    }
    await #expect(throws: AuthenticationError.invalidEmailAddress) { try await account.perform(.verify(.email("ada"))) }
    await #expect(throws: AuthenticationError.invalidPhoneNumber) { try await account.perform(.verify(.phone("0170"))) }
    await #expect(throws: AuthenticationError.emptyPassword) {
      try await account.perform(.link(.password(userName: "ada", password: Secret(""))))
    }
    #expect(provider.log.lines == [])
  }

  @Test func `a service that asks for a step is done when the step is answered`() async throws {
    let challenge = Challenge(kind: .emailCode, handle: Secret("reset"), format: .digits(6))
    var provider = provider
    provider.outcome = .challenge(challenge)
    let account = services(provider)
    #expect(try await account.perform(.resetPassword(of: "ada@example.com")) == .challenge(challenge))
    #expect(changes.lines == [])
    await #expect(throws: AuthenticationError.malformedCode) {
      try await account.perform(.answer(ChallengeAnswer(to: challenge, code: Secret("1"))))
    }
    #expect(try await account.perform(.answer(ChallengeAnswer(to: challenge, code: Secret("123 456")))) == .done)
    #expect(provider.log.lines == ["reset ada@example.com", "answer \(User.ada.id)"])
  }

  @Test func `a service whose token is refused is asked once more with a refreshed one`() async throws {
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    var provider = provider
    provider.refused = bench.session().accessToken
    #expect(try await services(provider).sessions().map(\.id) == ["1"])
    #expect(provider.log.lines == ["sessions", "sessions"])
    #expect(bench.refreshes == 1)
  }

  @Test func `an account page that is tried again asks the provider at once`() async throws {
    await bench.manager.restore()
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(.serverFailed))
    // Until a call is refused without a request.
    var before = -1
    for _ in 0..<1_000 where before < bench.refreshes {
      before = bench.refreshes
      bench.clock.advance(by: .seconds(1))
      _ = try? await bench.manager.validSession()
    }
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await services(provider).linkedMethods().count == 1)
  }

  @Test func `a deleted account is signed out here, and nothing is revoked`() async throws {
    try await services(provider).perform(.deleteAccount)
    #expect(bench.manager.state == .signedOut(.accountDeleted))
    #expect(await bench.revokedTokens() == [])
    #expect(changes.lines == ["delete"])
  }

  @Test(arguments: [User.grace, User(id: "guest", isAnonymous: true)])
  func `deleting an account leaves a user who has signed in meanwhile`(user: User) async throws {
    let other = bench.session(2, of: user)
    var provider = provider
    provider.meanwhile = { [bench] in try? await bench.signIn(as: other) }
    try await services(provider).perform(.deleteAccount)
    #expect(bench.manager.state == .using(other))
    #expect(bench.store.record?.session == other)
    #expect(changes.lines == ["delete"])
  }

  @Test func `an account that needs a fresh sign-in first is not deleted`() async {
    var provider = provider
    provider.failure = .recentSignInRequired
    await #expect(throws: AuthenticationError.recentSignInRequired) {
      try await services(provider).perform(.deleteAccount)
    }
    #expect(bench.manager.state.user == .ada)
    #expect(changes.lines == [])
  }

  @Test func `the user that the provider now returns is stored and shown, with the tokens as they are`() async throws {
    var provider = provider
    provider.user = User(id: User.ada.id, name: "Countess", isEmailVerified: true, claims: ["plan": "pro"])
    #expect(try await services(provider).refreshUser() == provider.user)
    #expect(bench.manager.state.user == provider.user)
    #expect(bench.store.record?.session == AuthSession(user: provider.user, tokens: bench.tokens(1)))
  }

  @Test func `refreshing the user leaves the tokens that another process has refreshed meanwhile`()
    async throws
  {
    let (elsewhere, lock) = (ScriptedAuthProvider(), ScriptedSessionLock())
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now), lock: lock)
    elsewhere.answerRefresh(.success(bench.tokens(2)))
    let other = AuthManager(provider: elsewhere, store: bench.store, lock: lock, clock: bench.clock, policy: .bench())
    var provider = ScriptedAccountProvider(upstream: bench.provider)
    provider.user = User(id: User.ada.id, name: "Countess")
    provider.meanwhile = {
      _ = try? await other.validSession(rejecting: bench.session().accessToken)
    }
    try await AccountServices(provider, of: bench.manager).refreshUser()
    #expect(elsewhere.refreshes.count == 1)
    let session = AuthSession(user: provider.user, tokens: bench.tokens(2))
    #expect(bench.store.record?.session == session)
    #expect(bench.manager.state == .using(session))
  }

  @Test func `a profile of another user is refused`() async throws {
    var provider = provider
    provider.user = .grace
    await #expect(throws: AuthenticationError.refused(by: .subject, "")) { try await services(provider).refreshUser() }
    await #expect(throws: AuthenticationError.refused(by: .subject, "")) {
      try await services(provider).update(ProfileChanges(name: "Grace"))
    }
    #expect(bench.manager.state.user == .ada)
  }

  @Test func `an upgraded account keeps its user id, and uses its new tokens`() async throws {
    var provider = provider
    provider.upgraded = bench.session(2)
    try await services(provider).perform(.link(.password(userName: "ada", password: Secret("correct horse"))))
    #expect(bench.manager.state == .using(bench.session(2)))
    #expect(bench.store.record?.session == bench.session(2))
    #expect(try await bench.manager.validSession() == bench.session(2))
  }

  @Test func `the tokens of a new password are kept like those of a link`() async throws {
    var provider = provider
    provider.outcome = .session(bench.session(2))
    #expect(
      try await services(provider).perform(.changePassword(from: Secret("old"), to: Secret("new"))) == provider.outcome)
    #expect(bench.store.record?.session == bench.session(2))
    #expect(changes.lines == ["change-password"])
  }

  @Test func `the tokens that come with the removal of a factor are kept`() async throws {
    var provider = provider
    provider.upgraded = bench.session(2)
    try await services(provider).perform(.remove(EnrolledFactor(id: "1", kind: .oneTimePassword)))
    #expect(bench.store.record?.session == bench.session(2))
    #expect(changes.lines == ["factors"])
  }

  @Test func `a session that a link returns after a sign-out is stored nowhere, and revoked`() async {
    var provider = provider
    provider.upgraded = bench.session(2)
    provider.meanwhile = { [bench] in try? await bench.manager.clear() }
    await #expect(throws: AuthenticationError.notSignedIn) { try await services(provider).perform(.link(.anonymous)) }
    #expect(bench.manager.state.session == nil)
    #expect(await bench.revokedTokens() == [bench.tokens(2)])
  }

  @Test func `a session that a link returns after another user signed in is revoked, too`() async throws {
    var provider = provider
    provider.upgraded = bench.session(2)
    provider.meanwhile = { [bench] in
      bench.provider.answerSignIn(.success(.session(bench.session(3, of: .grace))))
      _ = try? await bench.manager.signIn(with: .anonymous)
    }
    await #expect(throws: AuthenticationError.superseded) { try await services(provider).perform(.link(.anonymous)) }
    #expect(bench.manager.state.user == .grace)
    #expect(await bench.revokedTokens().contains(bench.tokens(2)))
  }

  @Test func `a link that returns another user's session changes nothing`() async {
    var provider = provider
    provider.upgraded = bench.session(2, of: .grace)
    await #expect(throws: AuthenticationError.refused(by: .subject, "")) {
      try await services(provider).perform(.link(.anonymous))
    }
    #expect(await bench.manager.restore() == .using(bench.session()))
  }

  @Test func `an answer is not sent without a user because the provider cannot be reached`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    bench.clock.advance(by: .seconds(7_200))
    bench.provider.answerRefresh(.failure(.unreachable))
    let provider = ScriptedAccountProvider(upstream: bench.provider)
    let answer = ChallengeAnswer(to: Challenge(kind: .emailCode, handle: Secret("h")), code: Secret("123456"))
    await #expect(throws: AuthenticationError.unreachable) {
      try await AccountServices(provider, of: bench.manager).perform(.answer(answer))
    }
    #expect(provider.log.lines == [])
    let signedOut = AccountServices(provider, of: Bench().manager)
    #expect(try await signedOut.perform(.answer(answer)) == .done)
    #expect(provider.log.lines == ["answer none"])
  }
}

/// A provider around another one, which has an ability that this one does not.
private struct WrappedProvider: WrappingAuthProvider {
  let upstream: any RemoteAuthProvider

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    try await upstream.signIn(request)
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await upstream.refresh(session)
  }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    try await upstream.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
  }
}

@Suite struct WrappedProviderTests {
  @Test func `a sign-up is sent to the wrapped provider`() async throws {
    let bench = Bench()
    let provider = WrappedProvider(upstream: bench.provider)
    let manager = AuthManager(provider: provider, store: ScriptedSessionStore(), clock: bench.clock)
    #expect(AccountServices(provider, of: manager).abilities == [.signUp])
    bench.provider.answerSignIn(.success(.session(bench.session())))
    #expect(try await manager.signUp(with: .sample) == .ada)
    #expect(bench.provider.messages == [.signUp(.password)])
  }
}
