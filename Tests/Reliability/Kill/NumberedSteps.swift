import AuthenticationTestingServers
import ReliabilityWorld

/// A process for each step of the work, killed right before that step.
enum NumberedSteps {
  static func run(_ work: Work, in world: inout World) async throws -> Tally {
    var tally = Tally()
    for number in 1... {
      world.makeNewFolder()
      try await work.prepare(world)
      let families = world.server.counters.liveFamilies
      let client = try world.client("--backoff", "20")
      _ = try client.ask("die-before \(number)")
      let answer = try client.ask(work.command)
      client.kill()
      guard let answer, answer.hasPrefix("interrupted") else {
        guard number > 1, let answer, work.endings.contains(answer) else { throw Unexpected(answer) }
        return tally
      }
      tally.add(try Aftermath(world, after: work, families: families), place: answer)
    }
    return tally
  }

  /// The work ended otherwise than with success or a kill.
  struct Unexpected: Error {
    let answer: String?
    init(_ answer: String?) { self.answer = answer }
  }
}
