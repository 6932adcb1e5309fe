import AuthenticationData
import AuthenticationDomain
import Foundation

/// The first restore of a process, in processes of its own: this program, started again with an argument.
enum FirstRestore {
  private static let ours = "--first-restore"
  private static let bare = "--first-decode"

  static func figures(_ folder: URL, _ session: AuthSession) throws -> [Figure] {
    let file = folder.appending(path: "flat")
    try JSONEncoder().encode(FlatRecord(session)).write(to: file)
    var costs: [(ours: Cost, bare: Cost)] = []
    for _ in 0..<15 { costs.append((try run(ours, folder), try run(bare, file))) }
    return [
      Figure(
        "first restore in a process", costs.map(\.ours.microseconds).median, .microseconds, atMost: 350,
        allocations: costs.map(\.ours).allocations),
      Figure(
        "  the file and JSONDecoder into a flat struct", costs.map(\.bare.microseconds).median, .microseconds,
        allocations: costs.map(\.bare).allocations),
    ]
  }

  /// Does what a child is asked for and prints what it cost; false where this process is no child.
  static func runAsChild(_ arguments: [String]) async throws -> Bool {
    guard arguments.count == 3, [ours, bare].contains(arguments[1]) else { return false }
    let url = URL(filePath: arguments[2])
    var time = Duration.zero
    let allocations = try await Allocations.during {
      let start = ContinuousClock.now
      if arguments[1] == ours {
        blackHole(try SecureSessionStore(FileStorage(folder: url)).read())
      } else {
        blackHole(try JSONDecoder().decode(FlatRecord.self, from: try Data(contentsOf: url)))
      }
      time = start.duration(to: .now)
    }
    let cost = Cost(microseconds: time / .microseconds(1), allocations: allocations)
    print(String(decoding: try JSONEncoder().encode(cost), as: UTF8.self))
    return true
  }

  private static func run(_ argument: String, _ url: URL) throws -> Cost {
    let child = Process()
    let output = Pipe()
    child.executableURL = Bundle.main.executableURL
    child.arguments = [argument, url.path]
    child.standardOutput = output
    try child.run()
    let cost = output.fileHandleForReading.readDataToEndOfFile()
    child.waitUntilExit()
    return try JSONDecoder().decode(Cost.self, from: cost)
  }
}

private struct Cost: Codable {
  let microseconds: Double
  let allocations: Double?
}

extension [Cost] {
  /// The median; nil where they were not counted.
  fileprivate var allocations: Double? {
    let counted = compactMap(\.allocations)
    return counted.isEmpty ? nil : counted.median
  }
}
