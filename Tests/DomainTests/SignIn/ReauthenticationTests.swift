import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReauthenticationTests {
  let bench = Bench(stored: .sample(receivedAt: ManualClock().now))

  @Test func `another user who signs in as a proof replaces nothing, and that user's tokens are revoked`() async throws
  {
    let before = await bench.manager.restore()
    let stored = bench.store.record
    bench.provider.answerSignIn(.success(.session(bench.session(2, of: .grace))))
    await #expect(throws: AuthenticationError.userMismatch) {
      try await bench.manager.reauthenticate(as: .ada, with: .sample)
    }
    #expect(bench.manager.state == before)
    #expect(try await bench.manager.validSession() == bench.session())
    #expect(await bench.revokedTokens() == [bench.tokens(2)])
    #expect(bench.store.record?.session == bench.session())
    #expect(bench.store.record?.withoutIDs == stored?.withoutIDs)
    #expect(bench.manager.state == before)
  }

  @Test(arguments: [SignInMethod.anonymous, .unlock, .existingSession])
  func `credentials that identify no user are refused before anything is sent`(method: SignInMethod) async {
    let credentials: any Credentials =
      switch method {
      case .anonymous: BareCredentials.anonymous
      case .unlock: BareCredentials.unlock
      default: ExistingSession(bench.session(2))
      }
    await #expect(throws: AuthenticationError.unsupportedMethod(method)) {
      try await bench.manager.reauthenticate(as: .ada, with: credentials)
    }
    #expect(bench.provider.messages == [])
    #expect(await bench.manager.restore() == .using(bench.session()))
  }

  @Test func `the tokens of a proof replace those of the session in one write, and the earlier ones are revoked`()
    async throws
  {
    await bench.manager.restore()
    bench.provider.hold(.revoke)
    bench.provider.answerSignIn(.success(.session(bench.session(2))))
    #expect(try await bench.manager.reauthenticate(as: .ada, with: .sample) == .ada)
    let writes = bench.store.messages.filter { $0 != .read }
    #expect(writes.count == 1)
    #expect(bench.store.record?.session == bench.session(2))
    #expect(bench.store.record?.pendingRevocations.map(\.tokens.access) == [bench.tokens(1).access])
    #expect(bench.manager.state == .using(bench.session(2)))
    bench.provider.release(.revoke)
    #expect(await bench.revokedTokens() == [bench.tokens(1)])
  }

  @Test func `a second step of a proof is answered like the first, and shows in no state`() async throws {
    let before = await bench.manager.restore()
    bench.provider.answerSignIn(.success(.challenge(.sms)), .success(.session(bench.session(2))))
    await #expect(throws: AuthenticationError.challengeRequired(.sms)) {
      try await bench.manager.reauthenticate(as: .ada, with: .sample)
    }
    #expect(bench.manager.state == before)
    try await bench.manager.reauthenticate(as: .ada, with: ChallengeAnswer(to: .sms, code: Secret("123456")))
    #expect(bench.manager.state == .using(bench.session(2)))
  }

  @Test func `a proof that ends after the sign-out signs no user in`() async throws {
    await bench.manager.restore()
    bench.provider.answerSignIn(.success(.session(bench.session(2))))
    bench.provider.hold(.signIn)
    let proof = Task { [bench] in try await bench.manager.reauthenticate(as: .ada, with: .sample) }
    await bench.provider.waitForArrival(of: .signIn)
    try await bench.manager.signOut()
    bench.provider.release(.signIn)
    await #expect(throws: AuthenticationError.notSignedIn) { try await proof.value }
    #expect(bench.manager.state == .signedOut(.requested))
    #expect(bench.store.record?.session == nil)
    #expect(Set(await bench.revokedTokens().map(\.access)) == [bench.tokens(1).access, bench.tokens(2).access])
  }

  @Test func `a proof for a user who is not signed in is not asked for`() async {
    await #expect(throws: AuthenticationError.superseded) {
      try await bench.manager.reauthenticate(as: .grace, with: .sample)
    }
    let signedOut = Bench()
    await #expect(throws: AuthenticationError.notSignedIn) {
      try await signedOut.manager.reauthenticate(as: .ada, with: .sample)
    }
    #expect(bench.provider.messages + signedOut.provider.messages == [])
  }

  @Test(arguments: [Rebuilding.Way.new, .unlocking, .inTask])
  func `a use case that makes a new request of a proof signs no other user in`(way: Rebuilding.Way) async throws {
    let before = await bench.manager.restore()
    let useCase = Rebuilding(upstream: bench.manager.addValidation(), way: way)
    await #expect(throws: AuthenticationError(.invalidRequest, "")) {
      try await useCase.addValidation().reauthenticate(as: .ada, with: .sample)
    }
    #expect(bench.provider.messages == [])
    #expect(bench.manager.state == before)
    // Any other sign-in works as before.
    bench.provider.answerSignIn(.success(.session(bench.session(2, of: .grace))))
    #expect(try await useCase.signIn(with: .sample).id == "grace")
  }

  @Test func `a proof as another user is an error, whatever the use case does`() async throws {
    await bench.manager.restore()
    bench.provider.answerSignIn(.success(.session(bench.session(2, of: .grace))))
    await #expect(throws: AuthenticationError.superseded) {
      try await Rebuilding(upstream: bench.manager, way: .detached).reauthenticate(as: .ada, with: .sample)
    }
  }

  @Test func `a copy with other credentials and attributes is still a proof`() async throws {
    await bench.manager.restore()
    let useCase = Rebuilding(upstream: bench.manager, way: .copy)
    bench.provider.answerSignIn(
      .success(.session(bench.session(2, of: .grace))), .success(.session(bench.session(3))))
    await #expect(throws: AuthenticationError.userMismatch) {
      try await useCase.reauthenticate(as: .ada, with: .phone("+491701234567"))
    }
    #expect(bench.manager.state.user == .ada)
    try await useCase.reauthenticate(as: .ada, with: .phone("+491701234567"))
    #expect(bench.provider.messages.filter { $0 == .signIn(.password) }.count == 2)
  }

  @Test func `an interceptor that runs after a proof may sign another user in elsewhere`() async throws {
    await bench.manager.restore()
    let other = Bench()
    other.provider.answerSignIn(.success(.session(other.session(5, of: .grace))))
    bench.provider.answerSignIn(.success(.session(bench.session(2))))
    let useCase = bench.manager.intercept { _ in _ = try? await other.manager.signIn(with: .sample) }
    try await useCase.reauthenticate(as: .ada, with: .sample)
    #expect(other.manager.state.user?.id == "grace")
  }

  @Test func `a sign-in that is in progress elsewhere goes on after a proof`() {
    var machine = SessionMachine()
    let now = bench.clock.now
    _ = machine.handle(.storeRead(.success(SessionRecord(session: bench.session())), at: now))
    _ = machine.handle(.signInStarted)
    let attempt = machine.attempt
    _ = machine.handle(.userProved(bench.session(2), at: now))
    _ = machine.handle(.signInCompleted(attempt: attempt, .success(.session(bench.session(3, of: .grace))), at: now))
    #expect(machine.state == .using(bench.session(3, of: .grace)))
  }
}

@Suite(.timeLimit(.minutes(10))) struct ReauthenticatingAttemptsTests {
  let bench = AttemptBench([.password, .anonymous, .unlock, .phoneCode, .emailLink])

  private func signIn(_ user: User = .ada) async throws {
    bench.provider.answerSignIn(.success(.session(bench.bench.session(of: user))))
    try await bench.bench.manager.signIn(with: .sample)
  }

  @Test func `a proof offers only methods that identify a user`() async throws {
    let proofs = bench.attempts.reauthenticating(.ada)
    #expect(proofs.methods == [.password, .phoneCode, .emailLink])
    #expect(throws: AuthenticationError.unsupportedMethod(.anonymous)) { try proofs.begin(.anonymous) }
    #expect(bench.attempts.reauthenticating(AuthManagerSignOutConfirmationTests.guest).methods == [])
    #expect(bench.attempts.methods.contains(.anonymous))
  }

  @Test func `an attempt of another user fails, and one of the same user ends it`() async throws {
    try await signIn()
    let attempt = try bench.attempts.reauthenticating(.ada).begin(.password)
    bench.provider.answerSignIn(
      .success(.session(bench.bench.session(2, of: .grace))), .success(.session(bench.bench.session(3))))
    attempt.submit(.password)
    #expect(await attempt.finished() == .failed(.userMismatch))
    #expect(bench.signedIn.lines == [])
    #expect(bench.bench.manager.state.session == bench.bench.session())
    attempt.submit(.password)
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(bench.signedIn.lines == ["ada"])
    #expect(bench.bench.manager.state.session == bench.bench.session(3))
  }

  @Test func `a step of a proof is kept for no relaunch, and leaves the one that is`() async throws {
    try await signIn()
    let earlier = PendingSignIn(
      attempt: "earlier", method: SignInMethod.phoneCode.id, challenge: .sms, receivedAt: bench.bench.clock.now)
    await bench.pending.save(earlier)
    bench.provider.answerSignIn(.success(.challenge(Challenge(kind: .smsCode, handle: Secret("proof")))))
    let attempt = try bench.attempts.reauthenticating(.ada).begin(.phoneCode)
    attempt.submit(.phone)
    #expect(await attempt.finished().challenge != nil)
    #expect(await bench.pending.pending() == earlier)
    #expect(bench.attempts.current == nil)
    attempt.cancel()
    #expect(await attempt.finished() == .ended(.cancelled))
    #expect(await bench.pending.pending() == earlier)
  }

  @Test func `a proof creates no account`() async throws {
    try await signIn()
    let attempt = try bench.attempts.reauthenticating(.ada).begin(.password)
    attempt.submit(.password, createsAccount: true)
    #expect(await attempt.finished() == .failed(.unsupportedMethod(.password)))
    #expect(!bench.provider.messages.contains(.signUp(.password)))
  }

  @Test func `cancelling the attempts ends a proof, too`() async throws {
    try await signIn()
    let attempt = try bench.attempts.reauthenticating(.ada).begin(.password)
    await bench.attempts.cancel()
    #expect(attempt.state == .ended(.cancelled))
  }

  @Test func `a link that a proof waits for goes to the proof`() async throws {
    try await signIn()
    let attempt = try bench.attempts.reauthenticating(.ada).begin(.emailLink)
    bench.provider.answerSignIn(
      .success(.challenge(Challenge(kind: .link, handle: Secret("link"), lifetime: .seconds(900)))),
      .success(.session(bench.bench.session(2, of: .grace))))
    attempt.submit(SignInInput([.emailAddress: "ada@example.com"]))
    #expect(await attempt.finished().challenge?.kind == .link)
    #expect(try await bench.attempts.open(Secret("https://app.example.com/sign-in?code=1")) === attempt)
    #expect(await attempt.finished().failure == .userMismatch)
    #expect(bench.bench.manager.state.user == .ada)
  }

  @Test func `an attempt whose use case makes a new request proves nothing`() async throws {
    let manager = bench.bench.manager
    let useCase = Rebuilding(upstream: manager, way: .new)
    let attempts = SignInAttempts([.password], useCase: useCase, manager: manager)
    let first = try attempts.begin(.password)
    bench.provider.answerSignIn(.success(.session(bench.bench.session())))
    first.submit(.password)
    #expect(await first.finished() == .ended(.signedIn(.ada)))
    let attempt = try attempts.reauthenticating(.ada).begin(.password)
    attempt.submit(.password)
    #expect(await attempt.finished().failure == AuthenticationError(.invalidRequest, ""))
    #expect(manager.state.user == .ada)
  }

  @Test func `a decorator of the app's own passes a proof on`() async throws {
    let manager = bench.bench.manager
    let attempts = SignInAttempts([.password], useCase: Decorator(upstream: manager), manager: manager)
    try await signIn()
    let attempt = try attempts.reauthenticating(.ada).begin(.password)
    bench.provider.answerSignIn(.success(.session(bench.bench.session(2, of: .grace))))
    attempt.submit(.password)
    #expect(await attempt.finished() == .failed(.userMismatch))
    #expect(manager.state.user == .ada)
  }
}

/// A decorator of the app's own, which knows nothing of proofs.
private struct Decorator: AuthenticationUseCase {
  let upstream: any AuthenticationUseCase

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    try await upstream.signIn(request)
  }
}

/// A use case of an app, which presents something else.
struct Rebuilding: AuthenticationUseCase {
  enum Way { case new, unlocking, inTask, copy, detached }

  let upstream: any AuthenticationUseCase
  let way: Way

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    var copy = request
    copy.credentials = .sample
    copy.attributes["captcha"] = Secret("token")
    let new = SignInRequest(
      request.credentials, attributes: request.attributes, createsAccount: request.createsAccount)
    switch way {
    case .new: return try await upstream.signIn(new)
    case .unlocking:
      if request.reauthenticatedUser == nil { return try await upstream.signIn(request) }
      return try await upstream.signIn(SignInRequest(.unlock))
    case .inTask: return try await Task { await result(of: new) }.value.get()
    case .copy: return try await upstream.signIn(copy)
    case .detached: return try await Task.detached { await result(of: new) }.value.get()
    }
  }

  private func result(of request: SignInRequest) async -> Result<SignInOutcome, AuthenticationError> {
    do throws(AuthenticationError) { return .success(try await upstream.signIn(request)) } catch {
      return .failure(error)
    }
  }
}
