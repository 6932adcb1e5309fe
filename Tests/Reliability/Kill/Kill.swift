import ArgumentParser
import Interposer
import ReliabilityWorld

/// SIGKILL at every numbered step of the session's work, and at random moments; then a fresh process looks.
struct Kill: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Kills processes at each step of their work, and at random moments.")

  @Option(help: "How many processes are killed at random moments.") var moments = 500
  @Option(help: "Of the random moments.") var seed: UInt64 = 1

  func run() async throws {
    guard interposer_is_available() else { throw ValidationError("No call can be counted without glibc.") }
    var facts = Facts()
    try await run(grace: .seconds(10), &facts)
    try await run(grace: .zero, &facts)
    try facts.end()
  }

  private func run(grace: Duration, _ facts: inout Facts) async throws {
    print("\nSIGKILL, the server's grace for a spent refresh token: \(grace)")
    let table = Table([36, 11, 11, 12, 18, 6, 15, 19])
    table.print(Tally.heading)
    var world = try await World(grace: grace)
    for work in Work.allCases {
      check(try await NumberedSteps.run(work, in: &world), "each step: \(work.rawValue)", grace, table, &facts)
    }
    let random = try RandomMoments.run(moments, seed: seed, in: &world)
    check(random, "random moments", grace, table, &facts)
    await world.end()
  }

  private func check(_ tally: Tally, _ name: String, _ grace: Duration, _ table: Table, _ facts: inout Facts) {
    table.print(tally.row(name))
    for loss in tally.lost { print("  lost: \(loss)") }
    facts.expect(tally.killed > 0, "\(name): a process was killed")
    facts.expect(tally.lost.isEmpty, "\(name): no session is lost")
    if grace > .zero { facts.expect(tally.ambiguousLosses == 0, "\(name): none is lost to the grace") }
    facts.expect(tally.corrupt == 0, "\(name): no file is corrupt")
    facts.expect(tally.leaks == 0, "\(name): no file but the session's holds a secret")
    facts.expect(tally.leftovers == 0, "\(name): nothing is left behind")
  }
}
