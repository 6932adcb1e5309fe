#if canImport(Glibc)
import AuthenticationTestingServers
import Glibc
import ReliabilityWorld
import Testing

/// A process whose disk or clock fails while it runs.
@Suite(.serialized) struct FailingMachineTests {
  // failure row 9
  @Test(arguments: [ENOSPC, EROFS])
  func `a session that the disk refuses is used on, marked, and stored once the disk works`(
    error: Int32
  ) async throws {
    try await World.run(grace: .zero) { world in
      let process = try world.client("--backoff", "20")
      #expect(try process.answer("sign-in ada") == "ok")
      #expect(try process.answer("refresh") == "ok")
      _ = try process.answer("die-before 0")
      // From the second step on, so that the lock can still be opened.
      #expect(try process.answer("fail \(error) 2") == "ok")
      #expect(try process.answer("refresh") == "ok")
      #expect(try process.answer("state") == "signed-in ada fresh unsaved:storage_unavailable")
      #expect(try process.answer("stored") == "ada other")
      #expect(try process.answer("fail 0 0") == "ok")
      #expect(try process.answer("saved") == "signed-in ada fresh saved")
      process.kill()
      #expect(try world.client().answer("refresh") == "ok")
      #expect(world.server.counters.refreshesRefused == 0)
    }
  }

  // failure row 26, failure row 28
  @Test(arguments: [3_600, -3_600])
  func `a wall clock that jumps under a running process refreshes nothing and signs no user out`(
    seconds: Int
  ) async throws {
    try await World.run(grace: .zero, accessTokenLifetime: .seconds(600)) { world in
      let process = try world.client()
      #expect(try process.answer("sign-in ada") == "ok")
      for jump in [seconds, 0] {
        #expect(try process.answer("shift \(jump)") == "ok")
        #expect(try process.answer("token") == "ok")
        #expect(try process.answer("state") == "signed-in ada fresh saved")
        #expect(try process.answer("call") == "200")
      }
      #expect(world.server.counters.requests(on: .refresh) == 0)
    }
  }

  // failure row 26
  @Test(arguments: [3_600, -3_600])
  func `a process launched with a wrong clock refreshes at most once`(seconds: Int) async throws {
    try await World.run(grace: .zero, accessTokenLifetime: .seconds(600)) { world in
      try world.signIn("ada")
      let process = try world.client()
      #expect(try process.answer("shift \(seconds)") == "ok")
      for _ in 0..<3 { #expect(try process.answer("call") == "200") }
      #expect(try process.answer("state") == "signed-in ada fresh saved")
      #expect(world.server.counters.requests(on: .refresh) <= 1)
    }
  }
}
#endif
