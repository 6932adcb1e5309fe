import Foundation

/// Measures the library, and compares it with its goals: all of it, or the groups named as arguments.
///
/// Exits with 1 where a goal is missed by more than double, or where a forbidden event happened.
@main
enum Benchmarks {
  private typealias Group = (name: String, figures: @Sendable () async throws -> [Figure])

  private static let groups: [Group] = [
    ("read", TokenRead.figures),
    ("storm", RefreshStorm.figures),
    ("transport", TransportCost.figures),
    ("restore", Restore.figures),
    ("token", TokenMapping.figures),
    ("idtoken", IDTokenValidation.figures),
    ("command", TokenCommand.figures),
  ]

  static func main() async throws {
    if KeepAliveServer.runAsChild(CommandLine.arguments) { return }
    if try await FirstRestore.runAsChild(CommandLine.arguments) { return }
    guard await Allocations.selfTest() else { fatalError("The allocation counter does not count what it must.") }
    let names = CommandLine.arguments.dropFirst()
    guard names.allSatisfy(groups.map(\.name).contains) else {
      print("The groups are: \(groups.map(\.name).joined(separator: " "))")
      exit(64)
    }
    var table = Table()
    table.printHeader()
    for group in groups where names.isEmpty || names.contains(group.name) {
      // Away from the main thread, whose executor is not the one that an app's requests run on.
      table.add(try await Task.detached { try await group.figures() }.value)
    }
    if table.worst >= .missedByMoreThanDouble { exit(1) }
  }
}
