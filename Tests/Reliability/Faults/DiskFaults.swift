import AuthenticationTestingServers
import Foundation
import ReliabilityWorld

/// The disk fails from some step of the work on, and then works again.
// failure row 9
enum DiskFaults {
  private static let errors: [(name: String, number: Int32)] = [
    ("disk full", ENOSPC), ("read-only disk", EROFS), ("disk that fails", EIO),
  ]

  static func run(stride: Int, _ facts: inout Facts) async throws {
    print("\nThe disk, from each step of the work on\(stride > 1 ? " (every \(stride)th)" : "")")
    let table = Table([44, 12, 42, 10, 8, 12, 19])
    table.print(["fault", "from steps", "the caller got", "unsaved", "lost", "not stored", "secrets elsewhere"])
    var world = try await World(grace: .zero)
    for error in errors {
      for work in [Work.signIn, .replace, .refresh, .signOut] {
        let sweep = try DiskSweep(work, error.number, stride: stride, in: &world)
        let name = "\(error.name), \(work.rawValue)"
        table.print([name] + sweep.cells)
        facts.expect(sweep.trials > 0 && sweep.lost == 0, "\(name): memory has what was asked for")
        facts.expect(sweep.notStored == 0, "\(name): the disk has it once it works again")
        facts.expect(sweep.leaks == 0, "\(name): no file but the session's holds a secret")
      }
    }
    facts.expect(world.server.counters.familiesRevoked == 0, "the disk: no family is revoked")
    await world.end()
  }
}
