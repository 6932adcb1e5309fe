import AuthenticationKit
import AuthenticationTesting
import Foundation
import ReliabilityWorld
import Testing

/// Real processes on one store, at the same time.
@Suite(.serialized) struct SharedStoreTests {
  // failure row 13
  @Test func `processes that share a store renew it once for each expiry`() async throws {
    let world = try await World(grace: .zero)
    try world.signIn("ada")
    let expiries = Expiries(world.server)
    let processes = (0..<4).map { _ in RotatingProcess(world, 5, expiries) }
    for process in processes {
      let outcome = process.outcome()
      #expect(outcome.isSignedIn)
      #expect(outcome.errors == 0)
    }
    #expect(expiries.count == 20)
    #expect(world.server.counters.refreshesGranted == 20)
    #expect(world.server.counters.refreshesRefused == 0)
    await world.end()
  }

  // failure row 8
  @Test func `a process that reads while another one writes always finds a session`() async throws {
    let world = try await World(grace: .zero)
    try world.signIn("ada")
    let writer = try world.client()
    writer.tell("loop")
    _ = try writer.line()
    let store = SessionStorage.files(in: world.folder.url).place("api \(world.wire.url)").store
    var tokens: Set<AuthSession> = []
    while tokens.count < 20 {
      let record = try store.read()
      tokens.insert(try #require(record?.session))
    }
    writer.kill()
    await world.end()
  }
}
