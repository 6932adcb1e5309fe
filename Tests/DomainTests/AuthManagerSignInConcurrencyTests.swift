import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// Calls that arrive while a sign-in is in flight.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerSignInConcurrencyTests {
  enum SigningOut: CaseIterable, Sendable {
    case out, silently

    func callAsFunction(_ manager: AuthManager) async throws {
      switch self {
      case .out: try await manager.signOut()
      case .silently: try await manager.clear()
      }
    }
  }

  // failure row 20
  @Test(arguments: SigningOut.allCases, [AuthSession?.none, .sample(0, receivedAt: .noon)])
  func `a session signed out while signing in is not resurrected`(signOut: SigningOut, earlier: AuthSession?)
    async throws
  {
    let bench = Bench(stored: earlier)
    let late = bench.session(1)
    bench.provider.answerSignIn(.success(.session(late)))
    bench.provider.hold(.signIn)
    let attempt = bench.startSignIn()
    await bench.provider.waitForArrival(of: .signIn)
    try await signOut(bench.manager)
    bench.provider.release(.signIn)

    #expect(await attempt.value == .failure(.superseded))
    #expect(bench.manager.state == .signedOut(.requested))
    let revoked = await bench.revokedTokens()
    #expect(revoked.contains(late.tokens))
    #expect(revoked.count == (signOut == .out && earlier != nil ? 2 : 1))
    #expect(bench.store.record?.holdsNothing != false)
  }

  @Test func `of two sign-ins the later one counts, whichever is answered first`() async throws {
    for answeredFirst in [ScriptedAuthProvider.Call.signIn, .signUp] {
      let bench = Bench()
      let (ada, grace) = (bench.session(1), bench.session(2, of: .grace))
      bench.provider.answerSignIn(.success(.session(ada)), .success(.session(grace)))
      bench.provider.hold(.signIn)
      bench.provider.hold(.signUp)
      let earlier = bench.startSignIn()
      await bench.provider.waitForArrival(of: .signIn)
      let later = bench.start { manager async throws(AuthenticationError) in try await manager.signUp(with: .sample) }
      await bench.provider.waitForArrival(of: .signUp)
      bench.provider.release(answeredFirst)
      _ = await (answeredFirst == .signIn ? earlier : later).value
      bench.provider.release(answeredFirst == .signIn ? .signUp : .signIn)

      #expect(await earlier.value == .failure(.superseded))
      #expect(await later.value == .success(.grace))
      #expect(bench.manager.state == .using(grace))
      #expect(await bench.revokedTokens() == [ada.tokens])
      #expect(bench.store.record?.withoutIDs == SessionRecord(session: grace, signedInAt: .noon))
    }
  }

  // origin C3
  @Test func `a cancelled sign-in changes nothing, and its late tokens are revoked`() async throws {
    let bench = Bench(stored: .sample(0, receivedAt: .noon))
    let late = bench.session(1)
    bench.provider.answerSignIn(.success(.session(late)))
    bench.provider.hold(.signIn)
    let attempt = bench.startSignIn()
    await bench.provider.waitForArrival(of: .signIn)
    var events = bench.manager.events().makeAsyncIterator()
    attempt.cancel()
    bench.provider.release(.signIn)

    #expect(await attempt.value == .failure(.cancelled))
    #expect(bench.manager.state == .using(bench.session(0)))
    // The caller does not wait for the provider; the test does.
    #expect(await events.next()?.name == .signIn)
    #expect(await bench.revokedTokens() == [late.tokens])
    #expect(bench.store.record?.withoutIDs == SessionRecord(session: bench.session(0)).withoutIDs)
  }

  // origin C3
  @Test func `a cancelled sign-in asks for no second step`() async throws {
    let bench = Bench()
    bench.provider.answerSignIn(.success(.challenge(Challenge(kind: .smsCode, handle: Secret("handle")))))
    bench.provider.hold(.signIn)
    let attempt = bench.startSignIn()
    await bench.provider.waitForArrival(of: .signIn)
    attempt.cancel()
    bench.provider.release(.signIn)
    #expect(await attempt.value == .failure(.cancelled))
    #expect(bench.manager.state == .signedOut(.absent))
  }

  @Test func `a second step of an attempt that was overtaken is not shown`() async throws {
    let bench = Bench()
    bench.provider.answerSignIn(.success(.challenge(Challenge(kind: .smsCode, handle: Secret("handle")))))
    bench.provider.hold(.signIn)
    let attempt = bench.startSignIn()
    await bench.provider.waitForArrival(of: .signIn)
    try await bench.manager.signOut()
    bench.provider.release(.signIn)
    #expect(await attempt.value == .failure(.superseded))
    #expect(bench.manager.state == .signedOut(.requested))
  }

  // failure row 1
  @Test func `a sign-in overtaken while the store is locked does not overwrite the stored record`() async throws {
    let kept = SessionRecord(session: .sample(0, receivedAt: .noon))
    let bench = Bench(store: ScriptedSessionStore(kept))
    bench.store.failReads(with: .locked)
    let late = bench.session(1)
    bench.provider.answerSignIn(.success(.session(late)), .failure(.invalidCredentials))
    bench.provider.answerRevocation(.failure(.unreachable), .success(()))
    bench.provider.hold(.signIn)
    let earlier = bench.startSignIn()
    await bench.provider.waitForArrival(of: .signIn)
    let later = bench.startSignIn()
    await bench.provider.waitForArrival(of: .signIn, count: 2)
    bench.provider.release(.signIn)
    #expect(await earlier.value == .failure(.superseded))
    #expect(await later.value == .failure(.invalidCredentials))
    #expect(await bench.revokedTokens().first == late.tokens)
    #expect(bench.store.record?.withoutIDs == kept.withoutIDs)

    bench.store.failReads(with: nil)
    #expect(await bench.manager.restore() == .using(bench.session(0)))
    #expect(await bench.revokedTokens().contains(late.tokens))
    #expect(bench.store.record?.withoutIDs == kept.withoutIDs)
  }
}
