import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthManagerSignOutConfirmationTests {
  static let guest = User(id: "guest", isAnonymous: true)

  @Test(arguments: [true, false])
  func `signing out of an account without a name asks for a confirmation by name`(onlyHere: Bool) async throws {
    let bench = Bench(stored: .sample(of: Self.guest, receivedAt: ManualClock().now))
    await #expect(throws: AuthenticationError.confirmationRequired(losing: .anonymousAccount)) {
      if onlyHere { try await bench.manager.clear() } else { try await bench.manager.signOut() }
    }
    await #expect(throws: AuthenticationError.confirmationRequired(losing: .anonymousAccount)) {
      try await bench.manager.signOut(losing: SignOutLoss("something else"))
    }
    #expect(bench.manager.state.user == Self.guest)
    #expect(bench.store.record?.session?.user == Self.guest)
    #expect(try await bench.manager.validSession().user == Self.guest)
    #expect(bench.provider.messages == [])

    if onlyHere {
      try await bench.manager.clear(losing: .anonymousAccount)
    } else {
      try await bench.manager.signOut(losing: .anonymousAccount)
    }
    #expect(bench.manager.state == .signedOut(.requested))
    #expect(await bench.revokedTokens() == (onlyHere ? [] : [bench.tokens(1)]))
  }

  @Test func `the error names the loss, so that a screen can ask about it`() async throws {
    let bench = Bench(stored: .sample(of: Self.guest, receivedAt: ManualClock().now))
    do throws(AuthenticationError) {
      try await bench.manager.signOut()
      Issue.record("There is no loss to confirm.")
    } catch {
      #expect(error.loss == .anonymousAccount)
    }
    #expect(AuthenticationError.confirmationRequired(losing: SignOutLoss("drafts")).loss == SignOutLoss("drafts"))
  }

  @Test func `an unneeded confirmation changes nothing`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    try await bench.manager.signOut(losing: .anonymousAccount)
    #expect(bench.manager.state == .signedOut(.requested))
  }

  @Test func `a provider that ends the session of an account without a name asks no user`() async throws {
    let bench = Bench(stored: .sample(of: Self.guest, receivedAt: ManualClock().now))
    bench.provider.answerRefresh(.failure(.sessionRejected))
    let session = try await bench.manager.validSession()
    await #expect(throws: AuthenticationError.sessionRejected) {
      try await bench.manager.validSession(rejecting: session.accessToken)
    }
    #expect(bench.manager.state == .signedOut(.rejected))
  }

  @Test func `a session whose credential was revoked ends for that reason, and is revoked`() async throws {
    let bench = Bench(stored: .sample(of: Self.guest, receivedAt: ManualClock().now))
    let asked = Log()
    try await bench.manager.endSession(because: .credentialRevoked) { session in
      asked.append(session.user.id)
      return true
    }
    #expect(asked.lines == ["guest"])
    #expect(bench.manager.state == .signedOut(.credentialRevoked))
    #expect(bench.store.record?.session == nil)
    #expect(await bench.revokedTokens() == [bench.tokens(1)])
  }

  @Test func `a credential that still stands ends nothing`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    try await bench.manager.endSession(because: .credentialRevoked) { _ in false }
    #expect(bench.manager.state.user == .ada)
  }

  @Test func `a decision about a former sign-in does not end the next one`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    let manager = bench.manager
    try await manager.endSession(because: .credentialRevoked) { _ in
      try? await bench.signIn(as: bench.session(2))
      return true
    }
    #expect(manager.state == .using(bench.session(2)))
  }

  @Test func `a refresh while the vendor is asked does not save a revoked session`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    try await bench.manager.endSession(because: .credentialRevoked) { session in
      _ = try? await bench.manager.validSession(rejecting: session.accessToken)
      return true
    }
    #expect(bench.manager.state == .signedOut(.credentialRevoked))
    #expect(await bench.revokedTokens() == [bench.tokens(2)])
  }

  @Test func `no session is asked about while no user is signed in`() async throws {
    let bench = Bench()
    try await bench.manager.endSession(because: .credentialRevoked) { _ in
      Issue.record("There is no session to ask about.")
      return true
    }
    #expect(bench.manager.state == .signedOut(.absent))
  }
}
