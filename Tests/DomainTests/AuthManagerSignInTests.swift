import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthManagerSignInTests {
  // origin B9
  @Test func `sign in, kill, reopen: still signed in`() async throws {
    let first = Bench()
    let session = first.session()
    try await first.signIn(as: session)

    let second = Bench(store: first.store)
    #expect(await second.manager.restore() == .using(session))
    #expect(try await second.manager.validSession() == session)
    #expect(second.provider.messages == [])
  }

  // origin B4
  @Test func `signing in returns the user, stores the session and makes it current`() async throws {
    let bench = Bench()
    let session = bench.session()
    bench.provider.answerSignIn(.success(.session(session)))
    #expect(try await bench.manager.login(username: "ada", password: "correct horse") == .ada)
    #expect(bench.store.messages.count == 2)
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: session, signedInAt: .noon))
    #expect(bench.manager.state == .using(session))
    #expect(bench.provider.messages == [.signIn(.password)])
  }

  @Test func `a refused sign-in changes nothing`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    bench.provider.answerSignIn(.failure(.invalidCredentials))
    await #expect(throws: AuthenticationError.invalidCredentials) { try await bench.manager.signIn(with: .sample) }
    #expect(bench.manager.state == .using(bench.session()))
    #expect(bench.store.messages == [.read])
  }

  @Test func `signing in as another user revokes the first user's tokens`() async throws {
    let bench = Bench()
    let ada = bench.session(1)
    try await bench.signIn(as: ada)
    bench.provider.answerSignIn(.success(.session(bench.session(2, of: .grace))))
    try await bench.manager.signUp(with: .sample)
    #expect(bench.manager.state.user == .grace)
    #expect(await bench.revokedTokens() == [ada.tokens])
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(2, of: .grace), signedInAt: .noon))
  }

  @Test func `signing in again as the same user ends the session before`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    try await bench.signIn(as: bench.session(2))
    #expect(await bench.revokedTokens() == [bench.tokens(1)])
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(2), signedInAt: .noon))
  }

  // failure row 9
  @Test func `a full disk keeps the session in memory, says so, and saves it later`() async throws {
    let bench = Bench()
    bench.store.failWrites(with: .full)
    try await bench.signIn(as: bench.session())
    #expect(bench.manager.state == .using(bench.session(), unsaved: .full))
    #expect(try await bench.manager.validSession() == bench.session())
    #expect(bench.store.record?.holdsNothing != false)

    var states = bench.manager.states().makeAsyncIterator()
    #expect(await states.next()?.activeSession?.unsaved == .full)
    // The first try after half a second fails too; the next is a second later.
    await bench.clock.waitForSleeper(wakingWithin: .milliseconds(500))
    bench.clock.advance(by: .milliseconds(500))
    await bench.clock.waitForSleeper(wakingWithin: .seconds(1))
    bench.store.failWrites(with: nil)
    bench.clock.advance(by: .seconds(1))
    #expect(await states.next()?.activeSession?.unsaved == nil)
    #expect(bench.store.record?.session?.user == .ada)
    #expect(bench.store.messages.filter { $0 != .read }.count == 3)
  }

  // failure row 1
  @Test func `signing in while the store is locked works, and is stored once it can be read`() async throws {
    let bench = Bench()
    bench.store.failReads(with: .locked)
    let session = bench.session()
    try await bench.signIn(as: session)
    #expect(bench.manager.state == .using(session, unsaved: .locked))
    #expect(bench.store.record == nil)
    // No other process can have refreshed the token of a store that is not shared.
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    let refreshed = try await bench.manager.validSession(rejecting: session.accessToken)
    #expect(refreshed.tokens == bench.tokens(2))
    bench.store.failReads(with: nil)
    await bench.clock.waitForSleeper(wakingWithin: .seconds(1))
    bench.clock.advance(by: .seconds(1))
    for await state in bench.manager.states() where state == .using(refreshed) { break }
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: refreshed, signedInAt: .noon))
  }

  @Test func `a provider that cannot sign up is not asked to`() async {
    let manager = AuthManager(provider: SignInOnly(), store: ScriptedSessionStore(), clock: ManualClock())
    await #expect(throws: AuthenticationError.signUpUnsupported) { try await manager.signUp(with: .sample) }
  }

  @Test func `a second step is shown as a state, and its answer signs in`() async throws {
    let bench = Bench()
    let challenge = Challenge(kind: .smsCode, destination: "•••• 42", handle: Secret("handle"))
    bench.provider.answerSignIn(.success(.challenge(challenge)), .success(.session(bench.session())))
    let error = await #expect(throws: AuthenticationError.self) { try await bench.manager.signIn(with: .sample) }
    #expect(error == .challengeRequired)
    #expect(error?.challenge == challenge)
    #expect(bench.manager.state == .challenged(challenge))
    #expect(bench.store.record?.holdsNothing != false)

    try await bench.manager.signIn(with: .answer(to: challenge, code: Secret("123456")))
    #expect(bench.manager.state == .using(bench.session()))
    #expect(bench.provider.messages == [.signIn(.password), .signIn(.challengeAnswer)])
  }

  // origin C4
  @Test func `a wrong code can be corrected`() async throws {
    let bench = Bench()
    let challenge = Challenge(kind: .smsCode, handle: Secret("handle"))
    bench.provider.answerSignIn(.success(.challenge(challenge)), .failure(.invalidCredentials))
    _ = try? await bench.manager.signIn(with: .sample)
    _ = try? await bench.manager.signIn(with: .answer(to: challenge, code: Secret("000000")))
    #expect(bench.manager.state == .challenged(challenge))
    try await bench.manager.signOut()
    #expect(bench.manager.state == .signedOut(.requested))
  }

  @Test func `a challenge ends when its time is over, and stays when the provider cannot be reached`() async throws {
    let challenge = Challenge(kind: .smsCode, handle: Secret("handle"))
    let answer = ChallengeAnswer(to: challenge, code: Secret("000000"))
    let bench = Bench()
    bench.provider.answerSignIn(
      .success(.challenge(challenge)), .failure(.unreachable), .failure(AuthenticationError(.signInExpired, "Late.")))
    _ = try? await bench.manager.signIn(with: .sample)
    _ = try? await bench.manager.signIn(with: answer)
    #expect(bench.manager.state == .challenged(challenge))
    _ = try? await bench.manager.signIn(with: answer)
    #expect(bench.manager.state == .signedOut(.absent))
  }

  @Test func `a challenge does not outlast a store that was locked and has a session`() async throws {
    let bench = Bench(stored: .sample(receivedAt: ManualClock().now))
    bench.store.failReads(with: .full)
    bench.provider.answerSignIn(.success(.challenge(Challenge(kind: .smsCode, handle: Secret("handle")))))
    _ = try? await bench.manager.signIn(with: .sample)
    bench.store.failReads(with: nil)
    #expect(await bench.manager.restore() == .using(bench.session()))
    bench.provider.answerRefresh(.failure(.sessionRejected))
    _ = try? await bench.manager.validSession(rejecting: bench.session().accessToken)
    #expect(bench.manager.state == .signedOut(.rejected))
  }

  @Test func `a challenge ends when another process signs in, and does not come back when it signs out`() async throws {
    let store = ScriptedSessionStore()
    let one = Bench(store: store, lock: ScriptedSessionLock())
    one.provider.answerSignIn(.success(.challenge(Challenge(kind: .smsCode, handle: Secret("handle")))))
    _ = try? await one.manager.signIn(with: .sample)
    let two = Bench(store: store, clock: one.clock)
    try await two.signIn(as: two.session(1))
    #expect(await one.manager.restore() == .using(two.session(1)))
    try await two.manager.signOut()
    _ = try? await one.manager.validSession(rejecting: two.session(1).accessToken)
    #expect(one.manager.state == .signedOut(.elsewhere))
  }

  // origin A6
  @Test(arguments: [
    (PasswordCredentials(userName: " ", password: Secret("correct horse")), AuthenticationError.blankUserName),
    (PasswordCredentials(userName: "ada", password: Secret("")), .emptyPassword),
  ])
  func `blank credentials are refused before the manager is asked`(
    credentials: PasswordCredentials, error: AuthenticationError
  ) async {
    let bench = Bench()
    let useCase = bench.manager.addValidation()
    await #expect(throws: error) { try await useCase.signIn(with: credentials) }
    await #expect(throws: error) { try await useCase.signUp(with: credentials) }
    #expect(bench.provider.messages == [])
  }

  @Test func `a follower of a manager hears when it is deallocated`() async {
    var bench: Bench? = Bench()
    var states = bench?.manager.states().makeAsyncIterator()
    #expect(await states?.next() == .unknown)
    bench = nil
    #expect(await states?.next() == nil)
  }

  @Test func `two managers in one process keep their accounts apart`() async throws {
    let one = Bench()
    let two = Bench(clock: one.clock)
    try await one.signIn(as: one.session(1))
    try await two.signIn(as: two.session(2, of: .grace))
    try await one.manager.signOut()
    #expect(one.manager.state == .signedOut(.requested))
    #expect(try await two.manager.validSession().user == .grace)
    #expect(two.store.record?.withoutIDs == SessionRecord(session: two.session(2, of: .grace), signedInAt: .noon))
  }
}

private struct SignInOnly: RemoteAuthProvider {
  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    throw .invalidCredentials
  }
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens { throw .sessionRejected }
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {}
}
