import ArgumentParser
import AuthenticationTestingServers
import Interposer
import ReliabilityWorld

/// A process is stopped at each numbered step of a refresh, as a system suspends an app, and continues after another
/// process has done its work.
// failure row 14
struct Stop: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stops a process at each step of a refresh, while another one works.")

  @Option(help: "Stops it at each step, or at every so many.") var stride = 1

  func run() async throws {
    guard interposer_is_available() else { throw ValidationError("No call can be counted without glibc.") }
    print("SIGSTOP at each step of a refresh while another process works; the server's grace: none")
    let table = Table([24, 10, 44, 44, 16, 8])
    table.print(["the other process", "stops", "which got", "the stopped one got", "longest wait", "broken"])
    var facts = Facts()
    var world = try await World(grace: .zero)
    for work in [Work.refresh, .signOut, .replace] {
      var tally = StopTally()
      for number in Swift.stride(from: 1, to: .max, by: stride) {
        world.makeNewFolder()
        guard try tally.add(work, stoppedBefore: number, in: world) else { break }
      }
      table.print([work.rawValue] + tally.cells)
      for (place, broken) in tally.broken { print("  \(place): \(broken)") }
      facts.expect(tally.stops > 0, "\(work.rawValue): a process was stopped")
      facts.expect(tally.broken.isEmpty, "\(work.rawValue): both are answered, and agree")
      facts.expect(tally.longestWait < .seconds(100), "\(work.rawValue): no caller waits for ever")
    }
    facts.expect(world.server.counters.familiesRevoked == 0, "no family is revoked")
    await world.end()
    try facts.end()
  }
}
