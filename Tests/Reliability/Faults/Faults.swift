import ArgumentParser
import Interposer

/// The fault, the caller's result, and the fate of the session.
struct Faults: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Breaks the network, the disk and the clock under running processes.")

  @Option(help: "For each measurement of availability.") var seconds = 40
  @Option(help: "Of the answers that are dropped.") var seed: UInt64 = 1
  @Option(help: "Lets the disk fail from each step on, or from every so many.") var stride = 1

  func run() async throws {
    guard interposer_is_available() else { throw ValidationError("No call can fail on purpose without glibc.") }
    var facts = Facts()
    try await NetworkFaults.run(&facts)
    try await DiskFaults.run(stride: stride, &facts)
    try await FolderFaults.run(&facts)
    try await ClockJumps.run(&facts)
    try await Availability.run(.seconds(seconds), seed: seed, &facts)
    try facts.end()
  }
}
