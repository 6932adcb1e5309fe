import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationBrowser
@testable import AuthenticationOpenID

@Suite struct PendingAuthorizationsTests {
  private let bench = FlowBench()

  private func take(_ state: String = "state", from bench: FlowBench? = nil) -> Result<String, AuthenticationError> {
    let bench = bench ?? self.bench
    do throws(AuthenticationError) {
      guard let taken = try bench.pending.take(state: state, of: bench.client) else { return .failure(.unknownState) }
      return .success(taken.state)
    } catch {
      return .failure(error)
    }
  }

  @Test func `an added transaction is taken whole, in another process too`() throws {
    try bench.pending.add(bench.transaction())
    let taken = try #require(try bench.pending.take(state: "state", of: bench.client))
    #expect(taken.state == "state" && taken.nonce == "nonce" && taken.verifier.reveal() == "verifier")
    #expect(taken.issuer == FlowBench.issuer && taken.clientID == "app" && taken.redirectURI == FlowBench.redirect)
    #expect(taken.startedAt == bench.clock.now && taken.scopes == ["openid"] && taken.expectsIssuer)
    #expect(taken.requirements == AuthenticationRequirements(acrValues: ["gold"], maxAge: .seconds(60)))
    #expect(taken.proofKey == Secret("key"))
  }

  // A process that was killed leaves its verifier behind.
  @Test func `all that was begun can be forgotten, also by whom it was not begun`() throws {
    for number in 1...5 { try bench.pending.add(bench.transaction(state: "state-\(number)")) }
    #expect(stored(bench.storage).count == 5)
    bench.pending.removeAll()
    #expect(stored(bench.storage).isEmpty)
    #expect(throws: AuthenticationError.unknownState) { try take("state-1").get() }
  }

  @Test func `rule 10: a transaction is taken once`() throws {
    try bench.pending.add(bench.transaction())
    #expect((try? take().get()) == "state")
    #expect(throws: AuthenticationError.unknownState) { try take().get() }
  }

  @Test func `rule 10: an unknown state is refused`() {
    guard case .failure(let error) = take("unknown") else { return #expect(Bool(false)) }
    #expect(error.reason == .state)
  }

  @Test(arguments: [(599, true), (600, false), (86_400, false), (-599, true), (-600, false)])
  func `rule 10: elsewhere a transaction lives 10 minutes, whichever way the clock went`(
    seconds: Int, isAlive: Bool
  ) throws {
    try bench.pending.add(bench.transaction())
    bench.clock.jumpWallClock(by: .seconds(seconds))
    #expect((try? take().get()) == (isAlive ? "state" : nil))
    #expect(stored(bench.storage).isEmpty, "An old one is gone as well.")
  }

  // failure row 28
  @Test(arguments: [3_600, -3_600])
  func `rule 10: in one process it lives 10 minutes by uptime, whatever the wall clock does`(jump: Int) throws {
    let pending = bench.pending
    let isOpen = { (state: String) in (try? pending.take(state: state, of: bench.client)) != nil }
    try pending.add(bench.transaction(state: "one"))
    try pending.add(bench.transaction(state: "two"))
    bench.clock.jumpWallClock(by: .seconds(jump))
    try pending.add(bench.transaction(state: "three"))
    bench.clock.advance(by: .seconds(599))
    #expect(isOpen("one"))
    bench.clock.advance(by: .seconds(1))
    bench.clock.jumpWallClock(by: .seconds(-jump - 600))
    #expect(!isOpen("two") && !isOpen("three"))
    #expect(stored(bench.storage).isEmpty)
  }

  @Test func `a state or client ID that looks the same and is spelled differently is not the same`() throws {
    try bench.pending.add(bench.transaction(state: "K"))
    try bench.pending.add(bench.transaction(state: "second", clientID: "K"))
    var client = bench.client
    client.clientID = "\u{212A}"
    #expect(try bench.pending.take(state: "\u{212A}", of: bench.client) == nil)
    #expect(try bench.pending.take(state: "second", of: client) == nil)
    #expect((try? take("K").get()) == "K")
  }

  @Test func `rule 10: where it cannot be removed it is not used, and may be later`() throws {
    let storage = FailingStorage()
    let bench = FlowBench(storage: storage)
    try bench.pending.add(bench.transaction())
    storage.fail(.delete)
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try take(from: bench).get() }
    storage.fail(nil)
    #expect((try? take(from: bench).get()) == "state")
  }

  @Test func `a storage that cannot be read is not one without a transaction`() throws {
    let storage = FailingStorage()
    let bench = FlowBench(storage: storage)
    try bench.pending.add(bench.transaction())
    storage.fail(.read)
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try take(from: bench).get() }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try bench.pending.add(bench.transaction()) }
  }

  @Test func `rule 3: another client's or issuer's transaction never matches, and stays`() throws {
    try bench.pending.add(bench.transaction(issuer: "https://other.example"))
    try bench.pending.add(bench.transaction(state: "second", clientID: "other"))
    #expect((try? take().get()) == nil)
    #expect((try? take("second").get()) == nil)
    #expect(stored(bench.storage).count == 2)
  }

  @Test func `two sign-ins at once do not disturb one another`() throws {
    try bench.pending.add(bench.transaction(state: "one"))
    try bench.pending.add(bench.transaction(state: "two"))
    #expect((try? take("one").get()) == "one")
    #expect((try? take("two").get()) == "two")
  }

  @Test func `of more than 16 the oldest gives way`() throws {
    for number in 0..<17 {
      try bench.pending.add(bench.transaction(state: "state \(number)"))
      bench.clock.advance(by: .seconds(1))
    }
    #expect((try? take("state 0").get()) == nil)
    for number in 1..<17 { #expect((try? take("state \(number)").get()) == "state \(number)") }
  }

  @Test func `the old ones are removed when a new one comes`() throws {
    for number in 0..<5 { try bench.pending.add(bench.transaction(state: "\(number)")) }
    bench.clock.advance(by: .seconds(600))
    try bench.pending.add(bench.transaction(state: "new"))
    #expect(stored(bench.storage).count == 1)
  }

  @Test func `an unreadable transaction is skipped, and its slot is used again`() throws {
    for place in 0..<PendingAuthorizations<AuthorizationTransaction>.slots {
      try bench.storage.write(Data(place % 2 == 0 ? "{".utf8 : "{\"version\":2}".utf8), for: "authorization-\(place)")
    }
    try bench.pending.add(bench.transaction())
    #expect((try? take().get()) == "state")
  }

  @Test func `a transaction of another version is not read`() throws {
    let data = try bench.transaction().encoded()
    let text = String(decoding: data, as: UTF8.self)
    #expect(AuthorizationTransaction(stored: data) != nil)
    #expect(AuthorizationTransaction(stored: Data(text.replacing("\"version\":1", with: "\"version\":2").utf8)) == nil)
  }
}

func stored(_ storage: any SecureStorage) -> [Data] {
  (0..<PendingAuthorizations<AuthorizationTransaction>.slots).compactMap { try? storage.read("authorization-\($0)") }
}
