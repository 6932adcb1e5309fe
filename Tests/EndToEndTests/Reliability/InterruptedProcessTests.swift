import AuthenticationTestingServers
import Foundation
import ReliabilityWorld
import Testing

/// Real processes that share a folder and a server, and are killed or stopped while they refresh.
@Suite(.serialized) struct InterruptedProcessTests {
  /// A process whose refresh the server has processed, and whose response is in flight.
  private func midway(_ world: World) async throws -> ClientProcess {
    try world.signIn("ada")
    world.server.resetCounters()
    world.server.hold(.refresh)
    let process = try world.client()
    process.tell("refresh")
    await world.server.waitForRequest(on: .refresh)
    return process
  }

  // failure row 14, failure row 16
  @Test(arguments: [Duration.seconds(300), .seconds(600)])
  func `a process killed in the middle of a refresh leaves a session that the next one refreshes`(
    grace: Duration
  ) async throws {
    try await World.run(grace: grace) { world in
      try await midway(world).kill()
      world.server.release(.refresh)
      let next = try world.client()
      #expect(try next.answer("refresh") == "ok")
      #expect(try next.answer("state") == "signed-in ada fresh saved")
      #expect(world.server.counters.familiesRevoked == 0)
    }
  }

  // failure row 16
  @Test func `where the server has no grace, a session lost with its process is told from a rejected one`()
    async throws
  {
    try await World.run(grace: .zero) { world in
      try await midway(world).kill()
      world.server.release(.refresh)
      #expect(try world.client().answer("refresh") == "ambiguous_loss")
      #expect(try world.client().answer("state") == "signed-out ambiguous_loss former:ada")
    }
  }

  // failure row 14
  @Test func `a process stopped in the middle of a refresh is waited for, and its token is not used twice`()
    async throws
  {
    try await World.run(grace: .zero) { world in
      let stopped = try await midway(world)
      stopped.signal(SIGSTOP)
      let other = try world.client("--haste", "600")
      #expect(try other.answer("refresh") == "timed_out")
      #expect(try other.answer("state").hasPrefix("signed-in ada"))
      world.server.release(.refresh)
      stopped.signal(SIGCONT)
      #expect(try stopped.line() == "ok")
      // Its timeout is over within 100 ms, which a busy machine may need to let the lock go.
      var answer = try other.answer("refresh")
      for _ in 1...100 where answer == "timed_out" { answer = try other.answer("refresh") }
      #expect(answer == "ok")
      #expect(world.server.counters.refreshesRefused == 0)
    }
  }

  // failure row 14, failure row 20
  @Test func `a user who signs out while another process is stopped in a refresh stays signed out`()
    async throws
  {
    try await World.run(grace: .zero) { world in
      let stopped = try await midway(world)
      stopped.signal(SIGSTOP)
      let other = try world.client()
      #expect(try other.answer("sign-out") == "ok")
      world.server.release(.refresh)
      stopped.signal(SIGCONT)
      #expect(try stopped.line() == "not_signed_in")
      #expect(try other.answer("stored") == "none")
      _ = try stopped.answer("deliver")
      #expect(world.server.counters.liveFamilies == 0)
      #expect(try SecretScan(world).secretsInSession == 0)
    }
  }

  // failure row 10
  @Test func `a token that a caller has got is on the disk, whatever happens to the process then`() async throws {
    try await World.run(grace: .zero) { world in
      try world.signIn("ada")
      for _ in 0..<5 {
        let process = try world.client()
        #expect(try process.answer("refresh") == "ok")
        process.kill()
      }
      #expect(world.server.counters.refreshesGranted == 5)
      #expect(world.server.counters.refreshesRefused == 0)
    }
  }
}
