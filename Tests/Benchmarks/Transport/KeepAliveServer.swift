import AuthenticationTesting
import Counters
import Foundation

/// A server that keeps connections, in C and in a separate process: this program, started again with an argument.
final class KeepAliveServer {
  private static let argument = "--keep-alive-server"
  private let process = ChildProcess()
  private let input = Pipe()
  let url: URL

  init() throws {
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [Self.argument]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) {
      line += byte
    }
    let port = String(decoding: line.dropLast(), as: UTF8.self)
    guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw URLError(.badURL) }
    self.url = url
  }

  /// It ends with its input.
  deinit { try? input.fileHandleForWriting.close() }

  /// Serves until its input ends; false where this process is no child.
  static func runAsChild(_ arguments: [String]) -> Bool {
    guard arguments.dropFirst().first == argument else { return false }
    bare_server_run()
    return true
  }
}
