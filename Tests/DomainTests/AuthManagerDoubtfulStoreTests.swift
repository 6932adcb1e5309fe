import AuthenticationDomain
import AuthenticationTesting
import Testing

/// A store that says one thing and has done another. // failure row 9
@Suite(.timeLimit(.minutes(1))) struct AuthManagerDoubtfulStoreTests {
  let lock = ScriptedSessionLock()

  /// Once what could not be saved, as it seemed, was tried again.
  func triedAgain(_ bench: Bench) async {
    bench.store.failAfterSaves(with: nil)
    await bench.clock.waitForSleepers()
    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    bench.clock.advance(by: .seconds(60))
    _ = await states.next()
  }

  @Test(arguments: [nil, User.ada, .grace])
  func `a sign-in that was stored, and said not to be, revokes nobody's new tokens`(before: User?) async throws {
    let bench = Bench(lock: lock)
    if let before { try await bench.signIn(as: bench.session(1, of: before)) }
    bench.store.failAfterSaves(with: .full)
    let session = bench.session(2)
    try await bench.signIn(as: session)
    await triedAgain(bench)
    #expect(bench.manager.state == .using(session))
    #expect(await !bench.revokedTokens().contains(session.tokens))
    #expect(bench.store.record == SessionRecord(session: session))
  }

  @Test func `a revocation that cannot be taken out of the queue does not take the others with it`() async throws {
    let bench = Bench(lock: lock)
    bench.provider.answerRevocation(.failure(.unreachable))
    for number in 1...2 {
      try await bench.signIn(as: bench.session(number))
      try await bench.manager.signOut()
    }
    _ = await bench.revokedTokens()
    bench.provider.answerRevocation(.success(()), .failure(.unreachable))
    bench.store.failSaves(with: .full)
    _ = await bench.revokedTokens()
    #expect(bench.store.record?.pendingRevocations.count == 2)
  }
}
