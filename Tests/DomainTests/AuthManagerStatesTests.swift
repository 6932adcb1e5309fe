import AuthenticationDomain
import AuthenticationDomainTesting
import Synchronization
import Testing
import Foundation

/// The stream of states, and calls made from inside it.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerStatesTests {
  @Test func `a listener hears the state at once, and then every change`() async throws {
    let bench = Bench()
    var states = bench.manager.states().makeAsyncIterator()
    #expect(await states.next() == .unknown)
    await bench.manager.restore()
    #expect(await states.next() == .signedOut(.absent))
    let (first, second) = (bench.session(1), AuthSession.sample(2, receivedAt: .noon + 3_600))
    try await bench.signIn(as: first)
    #expect(await states.next() == .using(first))
    bench.clock.advance(by: .seconds(3_600))
    bench.provider.answerRefresh(.failure(.unreachable), .success(second.tokens))
    _ = try? await bench.manager.validSession()
    #expect(await states.next() == .using(first, .stale))
    _ = try await bench.manager.validSession()
    #expect(await states.next() == .using(second))
    try await bench.manager.signOut()
    #expect(await states.next() == .signedOut(.requested))
  }

  @Test func `two listeners hear the same, and one may leave`() async throws {
    let bench = Bench()
    var stayed = bench.manager.states().makeAsyncIterator()
    do {
      var left = bench.manager.states().makeAsyncIterator()
      #expect(await left.next() == .unknown)
      await bench.manager.restore()
      #expect(await left.next() == .signedOut(.absent))
    }
    #expect(await stayed.next() == .signedOut(.absent))
    try await bench.signIn(as: bench.session())
    #expect(await stayed.next() == .using(bench.session()))
    var late = bench.manager.states().makeAsyncIterator()
    #expect(await late.next() == .using(bench.session()))
  }

  @Test func `a listener that is slow hears the latest state, and none before it`() async throws {
    let bench = Bench()
    var states = bench.manager.states().makeAsyncIterator()
    await bench.manager.restore()
    try await bench.signIn(as: bench.session(1))
    try await bench.signIn(as: bench.session(2))
    #expect(await states.next() == .using(bench.session(2)))
    try await bench.manager.signOut()
    #expect(await states.next() == .signedOut(.requested))
  }

  @Test func `a change that changes nothing is not told`() async throws {
    let bench = Bench(stored: .sample(1, receivedAt: .noon))
    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    bench.store.failReads(with: .locked)
    await bench.manager.restore()
    await bench.manager.restore()
    #expect(await states.next() == .unavailable(.locked))
    bench.store.failReads(with: nil)
    await bench.manager.restore()
    #expect(await states.next() == .using(bench.session(1)))
  }

  // origin B4
  @Test func `a listener that receives a session finds it in the store`() async throws {
    let bench = Bench()
    let states = bench.manager.states()
    let listener = Task {
      for await state in states {
        if let session = state.session { return bench.store.record?.session == session }
      }
      return false
    }
    try await bench.signIn(as: bench.session())
    #expect(await listener.value)
  }

  // failure row 15
  @Test func `a listener may sign out, and ask for a session, from inside`() async throws {
    let bench = Bench()
    let states = bench.manager.states()
    let listener = Task {
      var answers: [AuthSession?] = []
      for await state in states {
        guard case .signedOut(.requested) = state else {
          guard state.session != nil else { continue }
          answers.append(try? await bench.manager.validSession())
          try? await bench.manager.signOut()
          continue
        }
        answers.append(try? await bench.manager.validSession())
        return answers
      }
      return answers
    }
    try await bench.signIn(as: bench.session())
    #expect(await listener.value == [bench.session(), nil])
    #expect(bench.manager.state == .signedOut(.requested))
  }

  // failure row 15
  @Test func `a store may look at the manager while it is written to`() async throws {
    let store = CuriousStore()
    let provider = ScriptedAuthProvider()
    let manager = AuthManager(provider: provider, store: store, clock: ManualClock())
    store.look { manager.state }
    provider.answerSignIn(.success(.session(.sample(receivedAt: .noon))))
    try await manager.signIn(with: .sample)
    #expect(store.seen == [.unknown, .signedOut(.absent)])
  }

  @Test func `a provider says whether the session is still good there`() async throws {
    let bench = Bench()
    #expect(try await bench.manager.isValid() == false)
    try await bench.signIn(as: bench.session(1))
    bench.provider.answerValidity(.success(true))
    #expect(try await bench.manager.isValid())
    // Before it counts as over, it is refreshed once.
    bench.provider.answerValidity(.success(false), .success(true))
    bench.provider.answerRefresh(.success(bench.tokens(2)))
    #expect(try await bench.manager.isValid())
    #expect(bench.refreshes == 1)
    bench.provider.answerValidity(.failure(.unreachable))
    await #expect(throws: AuthenticationError.unreachable) { try await bench.manager.isValid() }
    bench.provider.answerValidity(.success(false))
    bench.provider.answerRefresh(.failure(.sessionRejected))
    #expect(try await bench.manager.isValid() == false)
    #expect(bench.manager.state == .signedOut(.rejected))
  }
}

/// A store that looks at the state whenever it is called.
private final class CuriousStore: SessionStore {
  private let looks = Mutex<(look: (@Sendable () -> AuthenticationState)?, seen: [AuthenticationState])>((nil, []))

  var seen: [AuthenticationState] { looks.withLock { $0.seen } }

  func look(_ look: @escaping @Sendable () -> AuthenticationState) { looks.withLock { $0.look = look } }

  func read() throws(AuthenticationError) -> SessionRecord? {
    note()
    return nil
  }

  func save(_ record: SessionRecord) throws(AuthenticationError) { note() }
  func delete() throws(AuthenticationError) { note() }

  private func note() {
    guard let look = looks.withLock({ $0.look }) else { return }
    let state = look()
    looks.withLock { $0.seen.append(state) }
  }
}
