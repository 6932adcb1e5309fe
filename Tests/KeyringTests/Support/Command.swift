import AuthenticationTesting
import Foundation

/// A program that is run to its end.
enum Command {
  struct Outcome {
    let status: Int32
    let out: String
    let err: String
  }

  /// With the environment of the tests, changed as told; nil takes a variable away.
  static func run(
    _ program: String, _ arguments: [String], input: String = "", changing: [String: String?] = [:]
  ) throws -> Outcome {
    let files = TemporaryFolder()
    for (name, text) in ["in": input, "out": "", "err": ""] {
      try Data(text.utf8).write(to: files.url.appending(path: name))
    }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(changing.compactMapValues { $0 }) { $1 }
      .filter { changing[$0.key] != .some(nil) }
    process.standardInput = try FileHandle(forReadingFrom: files.url.appending(path: "in"))
    process.standardOutput = try FileHandle(forWritingTo: files.url.appending(path: "out"))
    process.standardError = try FileHandle(forWritingTo: files.url.appending(path: "err"))
    try process.runAlone()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, out: try text("out", in: files), err: try text("err", in: files))
  }

  private static func text(_ name: String, in files: TemporaryFolder) throws -> String {
    String(decoding: try Data(contentsOf: files.url.appending(path: name)), as: UTF8.self)
  }
}
