import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import ReliabilityWorld
import Testing

/// Real processes on one store, at the same time.
@Suite(.serialized) struct SharedStoreTests {
  // failure row 13
  @Test func `processes that share a store refresh it once for each expiry`() async throws {
    try await World.run(grace: .zero) { world in
      try world.signIn("ada")
      #expect(try Rotations(20, by: 4, in: world).errors.isEmpty)
      #expect(world.server.counters.refreshesGranted == 20)
      #expect(world.server.counters.refreshesRefused == 0)
    }
  }

  // failure row 8
  @Test func `a process that reads while another one writes always finds a session`() async throws {
    try await World.run(grace: .zero) { world in
      try world.signIn("ada")
      let writer = try world.client()
      writer.tell("loop")
      _ = try writer.line()
      let store = StorageLocation.files(in: world.folder.url).realm("api \(world.wire.url)").store
      var tokens: Set<AuthSession> = []
      while tokens.count < 20 {
        let record = try store.read()
        tokens.insert(try #require(record?.session))
      }
      writer.kill()
    }
  }
}
