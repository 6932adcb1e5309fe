import AuthenticationTestingServers
import ReliabilityWorld

/// The wall clock jumps by an hour, under a running process and before a process is started.
// failure row 26, failure row 28
enum ClockJumps {
  static func run(_ facts: inout Facts) async throws {
    print("\nThe wall clock; tokens of ten minutes")
    let table = Table([34, 20, 30, 16])
    table.print(["jump", "the caller got", "the session", "an API call", "refreshes"])
    var world = try await World(grace: .zero, accessTokenLifetime: .seconds(600))
    for hours in [1, -1] {
      world.makeNewFolder()
      let running = try world.client()
      _ = try running.ask("sign-in ada")
      for (name, seconds) in [("live", hours * 3_600), ("live, and back", 0)] {
        let row = try meet("\(hours) h \(name)", seconds, running, world)
        table.print(row.cells)
        facts.expect(row.isGood, "\(row.name): the session is kept and good")
        facts.expect(row.refreshes == 0, "\(row.name): nothing is refreshed for it")
      }
      let launched = try world.client()
      let row = try meet("\(hours) h before a launch", hours * 3_600, launched, world)
      table.print(row.cells)
      facts.expect(row.isGood, "\(row.name): the session is kept and good")
      facts.expect(row.refreshes <= 1, "\(row.name): it is refreshed at most once")
    }
    facts.expect(world.server.counters.familiesRevoked == 0, "the clock: no family is revoked")
    await world.end()
  }

  private struct Row {
    let name: String
    let got: String
    let state: String
    let call: String
    let refreshes: Int

    var isGood: Bool { got == "ok" && state == "signed-in ada fresh saved" && call == "200" }
    var cells: [String] { [name, got, state, call, "\(refreshes)"] }
  }

  /// Asks three times, since a clock that is wrong must not make each call refresh.
  private static func meet(_ name: String, _ seconds: Int, _ client: ClientProcess, _ world: World) throws -> Row {
    world.server.resetCounters()
    _ = try client.ask("shift \(seconds)")
    _ = try client.answer("token")
    return Row(
      name: name, got: try client.answer("token"), state: try client.answer("state"),
      call: try client.answer("call"), refreshes: world.server.counters.refreshesGranted)
  }
}
