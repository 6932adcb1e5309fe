import ArgumentParser

/// Shows that a session is not lost: with real processes that share it, are killed, and meet faults.
///
/// Each subcommand prints its counts, and exits with 1 where a fact does not hold.
@main
struct Reliability: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reliability", abstract: "Counts how often a session is lost, with real processes.",
    subcommands: [SharedStore.self, Kill.self, Stop.self, Faults.self, ClientCommand.self])
}
