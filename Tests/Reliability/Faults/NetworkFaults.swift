import AuthenticationTestingServers
import ReliabilityWorld

/// The road to the server fails at a refresh; a running process and a new one still have the session.
// failure row 16, failure row 18, failure row 19
enum NetworkFaults {
  static func run(_ facts: inout Facts) async throws {
    print("\nThe network, at a refresh")
    let table = Table([34, 20, 30, 20])
    table.print(["fault", "the caller got", "the session meanwhile", "afterwards", "on disk"])
    var world = try await World(grace: .seconds(60))
    for fault in NetworkFault.all {
      world.makeNewFolder()
      let row = try meet(fault, in: world)
      table.print(row.cells)
      facts.expect(fault.codes.contains(row.got), "\(fault.name): the caller gets \(fault.codes.sorted())")
      facts.expect(row.isKept, "\(fault.name): the session is kept, works again, and is stored")
    }
    facts.expect(world.server.counters.familiesRevoked == 0, "the network: no family is revoked")
    await world.end()
  }

  private static func meet(_ fault: NetworkFault, in world: World) throws -> FaultRow {
    var client = try world.client("--backoff", "20", "--deadline", "2")
    _ = try client.ask("sign-in ada")
    if let wire = fault.wire {
      let once = Once()
      world.wire.spoil { path in path == "/auth/refresh" && (!fault.isOnce || once.take()) ? wire : nil }
    } else {
      world.wire.refuse()
    }
    let got = try client.answer("refresh")
    let meanwhile = got == ClientProcess.died ? got : try client.answer("state")
    let launched = try world.client().answer("state")
    if fault.wire == nil { try world.wire.resume() }
    world.wire.spoil { _ in nil }
    if got == ClientProcess.died { client = try world.client() }
    let afterwards = try client.recovered(by: "refresh")
    return FaultRow(
      name: fault.name, got: got, meanwhile: meanwhile, launched: launched, afterwards: afterwards,
      stored: try client.answer("stored"))
  }
}
