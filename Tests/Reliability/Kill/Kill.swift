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
    let table = Table([24, 11, 11, 12, 7, 15, 19, 10])
    table.print(Tally.heading)
    var world = try await World(grace: grace)
    for work in Work.allCases {
      judge(try NumberedSteps.run(work, in: &world), "each step: \(work.rawValue)", grace, table, &facts)
    }
    let random = try RandomMoments.run(moments, seed: seed, in: &world)
    judge(random, "random moments", grace, table, &facts)
    await world.end()
  }

  private func judge(_ tally: Tally, _ name: String, _ grace: Duration, _ table: Table, _ facts: inout Facts) {
    table.print(tally.row(name))
    for (reason, count) in tally.lost.sorted(by: { $0.key < $1.key }) { print("  lost \(count): \(reason)") }
    let lost = grace > .zero ? tally.lostCount : tally.lost.filter { !$0.key.isAmbiguousLoss }.values.reduce(0, +)
    facts.expect(tally.killed > 0, "\(name): somebody was killed")
    facts.expect(lost == 0, "\(name): no session is lost, but to a server that says so of a token sent twice")
    facts.expect(tally.corrupt == 0, "\(name): no file is corrupt")
    facts.expect(tally.leaks == 0, "\(name): no file but the session's holds a secret")
    facts.expect(tally.leftovers == 0, "\(name): nothing is left behind")
  }
}

extension String {
  /// The caller was told so, and the state says so.
  fileprivate var isAmbiguousLoss: Bool { hasSuffix("ambiguous_loss, signed-out ambiguous_loss former:ada") }
}
