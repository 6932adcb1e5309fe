import AuthenticationAccount
import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// Account services that take a proof with their request, as Matrix's user-interactive authentication does.
@Suite(.timeLimit(.minutes(10))) struct AccountProofTests {
  let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
  let factor = EnrolledFactor(id: "1", kind: .oneTimePassword)
  let phone = RemoteSession(id: "phone", isCurrent: false)

  private func challenge(of call: () async throws -> Void) async throws -> Challenge {
    do {
      try await call()
    } catch let error as AuthenticationError where error == .challengeRequired {
      return try #require(error.challenge)
    }
    throw Failure(what: "No challenge.")
  }

  @Test func `an account is deleted by the request that carries the proof, and by no other`() async throws {
    let provider = InteractiveProvider(upstream: bench.provider)
    let account = AccountServices(provider, of: bench.manager)
    let asked = try await challenge { try await account.perform(.deleteAccount) }
    #expect(asked.handle == Secret("uia-1"))
    await #expect(throws: AuthenticationError.invalidCredentials) {
      try await account.perform(.deleteAccount, proof: ChallengeAnswer(to: asked, .newPassword(Secret("wrong"))))
    }
    #expect(bench.manager.state.user == .ada)
    try await account.perform(.deleteAccount, proof: ChallengeAnswer(to: asked, .newPassword(Secret("correct horse"))))
    #expect(bench.manager.state == .signedOut(.accountDeleted))
    #expect(provider.log.lines == ["delete", "delete uia-1 wrong", "delete uia-1 correct horse"])
  }

  @Test func `another session, a factor and a password take a proof, too`() async throws {
    let provider = InteractiveProvider(upstream: bench.provider)
    let account = AccountServices(provider, of: bench.manager)
    let asked = try await challenge { try await account.perform(.end(phone)) }
    let proof = ChallengeAnswer(to: asked, .newPassword(Secret("correct horse")))
    try await account.perform(.end(phone), proof: proof)
    _ = try await challenge { try await account.perform(.remove(factor)) }
    try await account.perform(.remove(factor), proof: proof)
    _ = try await challenge { _ = try await account.perform(.enrol(.oneTimePassword)) }
    #expect(try await account.perform(.enrol(.oneTimePassword), proof: proof) == .done)
    _ = try await challenge { _ = try await account.perform(.changePassword(from: Secret("a"), to: Secret("b"))) }
    #expect(try await account.perform(.changePassword(from: Secret("a"), to: Secret("b")), proof: proof) == .done)
    #expect(provider.log.lines.count == 8)
  }

  @Test func `a proof is sent again with a refreshed token`() async throws {
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    var provider = InteractiveProvider(upstream: bench.provider)
    provider.refused = bench.session().accessToken
    let account = AccountServices(provider, of: bench.manager)
    let asked = Challenge(kind: .password, handle: Secret("uia-1"))
    try await account.perform(.end(phone), proof: ChallengeAnswer(to: asked, .newPassword(Secret("correct horse"))))
    #expect(provider.log.lines == ["end uia-1 correct horse", "end uia-1 correct horse"])
  }

  @Test func `a proof that cannot be right is not sent, and one that no service takes is refused`() async throws {
    await bench.manager.restore()
    let provider = InteractiveProvider(upstream: bench.provider)
    let asked = Challenge(kind: .password, handle: Secret("uia-1"))
    await #expect(throws: AuthenticationError.emptyPassword) {
      try await AccountServices(provider, of: bench.manager)
        .perform(.deleteAccount, proof: ChallengeAnswer(to: asked, .newPassword(Secret(""))))
    }
    #expect(provider.log.lines == [])
    let other = ScriptedAccountProvider(upstream: bench.provider)
    await #expect(throws: AuthenticationError(.unsupportedMethod, "")) {
      try await AccountServices(other, of: bench.manager)
        .perform(.deleteAccount, proof: ChallengeAnswer(to: asked, .newPassword(Secret("correct horse"))))
    }
    #expect(other.log.lines == [])
    #expect(bench.manager.state.user == .ada)
  }
}

private struct Failure: Error { let what: String }

/// Asks for the password of "correct horse" with each request. It keeps nothing between two calls.
private struct InteractiveProvider: AccountProvider {
  let accountAbilities: Set<AccountAbility> = [.changePassword, .factors, .sessions, .delete]
  let takesProofs = true
  let upstream: ScriptedAuthProvider
  /// An access token that it no longer accepts.
  var refused: AccessToken?
  let log = Log()

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    try await upstream.signIn(request)
  }
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await upstream.refresh(session)
  }
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    try await upstream.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
  }

  private func check(_ what: String, _ session: AuthSession, _ proof: ChallengeAnswer?) throws(AuthenticationError) {
    guard let proof, case .newPassword(let password) = proof.content else {
      log.append(what)
      throw .challengeRequired(Challenge(kind: .password, handle: Secret("uia-1")))
    }
    log.append("\(what) \(proof.challenge.handle.reveal()) \(password.reveal())")
    if session.accessToken == refused { throw .accessTokenRefused }
    if password.reveal() != "correct horse" { throw .invalidCredentials }
  }

  func perform(
    _ request: AccountRequest, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    guard let session else { throw .notSignedIn }
    let name =
      switch request.change {
      case .changePassword: "password"
      case .enrol: "enrol"
      case .remove: "remove"
      case .end: "end"
      case .deleteAccount: "delete"
      default: "other"
      }
    try check(name, session, request.proof)
    return .done
  }
}
