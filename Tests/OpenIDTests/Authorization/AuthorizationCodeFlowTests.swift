import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationOpenID

@Suite struct AuthorizationCodeFlowTests {
  private static let closed = AuthenticationError(.cancelled, "")

  /// Begins a sign-in and loses the process in the browser; answers the state.
  private func abandon(_ bench: FlowBench) throws -> String {
    var transaction = AuthorizationTransaction(
      BrowserSignIn(), of: bench.client, in: bench.environment, expectsIssuer: true)
    transaction.redirectURI = FlowBench.redirect
    try bench.pending.add(transaction)
    return transaction.state
  }

  @Test func `an app killed in the browser finishes after its relaunch, once`() async throws {
    let folder = TemporaryFolder()
    let first = FlowBench(storage: FileStorage(folder: folder.url))
    let state = try abandon(first)
    // Another process: only the files are the same.
    let relaunched = FlowBench(storage: FileStorage(folder: folder.url))
    let url = "\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: state))"
    let grant = try relaunched.flow.accept(URL(string: url)!)
    #expect(grant.code.reveal() == "the-code" && grant.transaction.state == state)
    #expect(grant.transaction.verifier.reveal().utf8.count == 43)
    #expect(await relaunched.resumeFailure(url)?.reason == .state)
  }

  @Test func `the transaction is stored while the page is shown, and gone after`() async throws {
    let storage = InMemoryStorage()
    let during = Mutex<[Data]>([])
    let bench = FlowBench(
      storage: storage,
      presenter: ScriptedPresenter { state in
        during.withLock { $0 = stored(storage) }
        return .success("\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: state))")
      })
    _ = try await bench.flow.authorize(BrowserSignIn())
    #expect(during.withLock { $0 }.count == 1 && stored(storage).isEmpty)
  }

  // failure row 28
  @Test(arguments: [3_600, -3_600])
  func `a wall clock that is set right while the page is open ends no sign-in`(seconds: Int) async throws {
    var bench = FlowBench()
    bench.client.presenter = ScriptedPresenter { [clock = bench.clock] state in
      clock.jumpWallClock(by: .seconds(seconds))
      return .success("\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: state))")
    }
    #expect(try await bench.flow.authorize(BrowserSignIn()).code.reveal() == "the-code")
  }

  @Test func `a sign-out while the page is open ends the sign-in, and is no attack`() async {
    let storage = InMemoryStorage()
    let bench = FlowBench(
      storage: storage,
      presenter: ScriptedPresenter { state in
        // As another process does: it has the storage alone.
        PendingAuthorizations<AuthorizationTransaction>(storage, clock: ManualClock()).removeAll()
        return .success("\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: state))")
      })
    #expect(await bench.failure() == .superseded)
  }

  @Test func `an answer after 10 minutes is too late, however far back the wall clock went`() async {
    var bench = FlowBench()
    bench.client.presenter = ScriptedPresenter { [clock = bench.clock] state in
      clock.advance(by: .seconds(600))
      clock.jumpWallClock(by: .seconds(-600))
      return .success("\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: state))")
    }
    #expect(await bench.failure()?.reason == .state)
  }

  @Test func `rule 10: a state that only looks the same is refused`() async {
    let bytes: @Sendable (Int) -> [UInt8] = { [UInt8](repeating: 0x28, count: $0) }
    var bench = FlowBench()
    let environment = AuthProviderConfiguration.Environment(
      httpClient: bench.http, clock: bench.clock, storage: bench.storage, randomBytes: bytes)
    bench.client.presenter = ScriptedPresenter { state in
      #expect(state.hasPrefix("KCgo"))
      return .success("\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: "%E2%84%AA" + state.dropFirst()))")
    }
    let flow = AuthorizationCodeFlow(client: bench.client, environment: environment, pending: bench.pending) {
      [metadata = bench.metadata] () async throws(AuthenticationError) in metadata
    }
    let error = await failure { try await flow.authorize(BrowserSignIn()) }
    #expect(error?.reason == .state)
  }

  @Test func `a page that was closed leaves nothing behind`() async {
    let bench = FlowBench(presenter: ScriptedPresenter { _ in .failure(Self.closed) })
    #expect(await bench.failure() == .cancelled)
    #expect(stored(bench.storage).isEmpty)
  }

  @Test func `nothing is shown where the transaction cannot be stored`() async {
    let storage = FailingStorage()
    storage.fail(.write)
    let bench = FlowBench(storage: storage)
    #expect(await bench.failure() == .storageUnavailable)
    #expect(bench.presenter.urls.isEmpty)
  }

  @Test func `rule 10: where the transaction cannot be removed its code is not used`() async {
    let storage = FailingStorage()
    let bench = FlowBench(
      storage: storage,
      presenter: ScriptedPresenter { state in
        storage.fail(.delete)
        return .success("\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: state))")
      })
    #expect(await bench.failure() == .storageUnavailable)
  }

  @Test func `rules 3 and 10: one sign-in is not ended by another's answer, which stays good`() async throws {
    let storage = InMemoryStorage()
    let other = try abandon(FlowBench(storage: storage))
    var bench = FlowBench(
      storage: storage, presenter: ScriptedPresenter(query: { _ in ScriptedPresenter.answer(to: other) }))
    // Its own bytes must differ from those of the sign-in that waits.
    _ = bench.environment.randomBytes(1)
    #expect(await bench.failure()?.reason == .state)
    bench.client.presenter = nil
    let url = "\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: other))"
    #expect(try bench.flow.accept(URL(string: url)!).transaction.state == other)
  }

  @Test func `a redirect that was answered in the meantime is not taken twice`() async throws {
    let storage = InMemoryStorage()
    let bench = FlowBench(
      storage: storage,
      presenter: ScriptedPresenter { state in
        let url = "\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: state))"
        #expect(await FlowBench(storage: storage).resumeFailure(url) == nil)
        return .success(url)
      })
    #expect(await bench.failure() == .superseded)
  }

  @Test func `rule 10: a relaunch after 10 minutes is too late`() async throws {
    let bench = FlowBench()
    let state = try abandon(bench)
    bench.clock.advance(by: .seconds(600))
    #expect(
      await bench.resumeFailure("\(FlowBench.redirect)?\(ScriptedPresenter.answer(to: state))")?.reason == .state)
  }

  @Test func `rule 11: a relaunched app remembers that the issuer announced its name`() async throws {
    let bench = FlowBench()
    let state = try abandon(bench)
    #expect(await bench.resumeFailure("\(FlowBench.redirect)?code=a&state=\(state)")?.reason == .issuer)
  }

  @Test func `rule 9: a wrong address after a relaunch is refused, and the attempt is over`() async throws {
    let bench = FlowBench()
    let state = try abandon(bench)
    let answer = ScriptedPresenter.answer(to: state)
    #expect(await bench.resumeFailure("com.example.app:/other?\(answer)")?.reason == .redirect)
    #expect(await bench.resumeFailure("\(FlowBench.redirect)?\(answer)")?.reason == .state)
  }

  @Test func `no secret of a transaction is printed with it`() throws {
    var text = ""
    dump(FlowBench().transaction(), to: &text)
    #expect(!text.contains("verifier\"") && !text.contains("\"key\""))
  }
}
