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
    var times: [(ours: Double, bare: Double)] = []
    for _ in 0..<15 { times.append((try run(ours, folder), try run(bare, file))) }
    return [
      Figure("first restore in a process", times.map(\.ours).median, .microseconds, atMost: 350),
      Figure("  the file and JSONDecoder into a flat struct", times.map(\.bare).median, .microseconds),
    ]
  }

  /// Does what a child is asked for and prints the microseconds; false where this process is no child.
  static func runAsChild(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 3, [ours, bare].contains(arguments[1]) else { return false }
    let url = URL(filePath: arguments[2])
    let start = ContinuousClock.now
    if arguments[1] == ours {
      blackHole(try SecureSessionStore(FileStorage(folder: url)).read())
    } else {
      blackHole(try JSONDecoder().decode(FlatRecord.self, from: try Data(contentsOf: url)))
    }
    print(start.duration(to: .now) / .microseconds(1))
    return true
  }

  private static func run(_ argument: String, _ url: URL) throws -> Double {
    let child = Process()
    let output = Pipe()
    child.executableURL = Bundle.main.executableURL
    child.arguments = [argument, url.path]
    child.standardOutput = output
    try child.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitUntilExit()
    guard let time = Double(text.filter { !$0.isWhitespace }) else { throw CocoaError(.fileReadCorruptFile) }
    return time
  }
}
