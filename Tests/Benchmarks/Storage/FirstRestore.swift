import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation

/// The first restore of a process, in separate processes: this program, started again with an argument.
enum FirstRestore {
  private static let ours = "--first-restore"
  private static let bare = "--first-decode"

  static func figures(_ folder: URL, _ session: AuthSession) throws -> [Figure] {
    let file = folder.appending(path: "flat")
    try JSONEncoder().encode(FlatRecord(session)).write(to: file)
    var times: [(ours: Double, bare: Double)] = []
    for _ in 0..<15 { times.append((try run(ours, folder).microseconds, try run(bare, file).microseconds)) }
    return [
      Figure(
        "first restore in a process", times.map(\.ours).median, .microseconds, atMost: 350,
        allocations: try run(ours, folder, counting: true).allocations),
      Figure(
        "  the file and JSONDecoder into a flat struct", times.map(\.bare).median, .microseconds,
        allocations: try run(bare, file, counting: true).allocations),
    ]
  }

  /// Runs a child's task and prints its cost; false where this process is no child.
  static func runAsChild(_ arguments: [String]) async throws -> Bool {
    guard arguments.count == 4, [ours, bare].contains(arguments[1]) else { return false }
    let url = URL(filePath: arguments[2])
    let body = {
      if arguments[1] == ours {
        blackHole(try FileStorage(folder: url).sessionStore().read())
      } else {
        blackHole(try JSONDecoder().decode(FlatRecord.self, from: try Data(contentsOf: url)))
      }
    }
    let start = ContinuousClock.now
    let allocations = arguments[3] == "counting" ? try await Allocations.during { try body() } : nil
    if allocations == nil { try body() }
    let cost = Cost(microseconds: start.duration(to: .now) / .microseconds(1), allocations: allocations)
    print(String(decoding: try JSONEncoder().encode(cost), as: UTF8.self))
    return true
  }

  private static func run(_ argument: String, _ url: URL, counting: Bool = false) throws -> Cost {
    let child = ChildProcess()
    let output = Pipe()
    child.executableURL = Bundle.main.executableURL
    child.arguments = [argument, url.path, counting ? "counting" : "timing"]
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
