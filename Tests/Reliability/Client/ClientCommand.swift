import ArgumentParser
import AuthenticationKit
import Foundation
import Interposer

/// One device as a process: does what each line on stdin says, and answers it with one line.
struct ClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "client", shouldDisplay: false)

  @Option var server: String
  @Option var folder: String
  /// Seconds for one exchange with the server.
  @Option var deadline = 30
  /// Milliseconds: the longest first wait before something is tried again.
  @Option var backoff = 1_000
  /// How many times faster than the machine's this client's clock goes: the longest wait is 60 seconds of it.
  @Option var haste = 1
  /// Whose process this becomes before it does anything.
  @Option var user: UInt32?

  func run() async throws {
    if let user, setgid(user) != 0 || setuid(user) != 0 { throw ExitCode.failure }
    unsafe folder.withCString { unsafe interposer_watch($0) }
    let client = try Client(
      server: server, folder: URL(filePath: folder, directoryHint: .isDirectory), deadline: .seconds(deadline),
      backoff: Backoff(base: .milliseconds(backoff)), clock: haste > 1 ? HastyClock(haste) : SystemClock())
    while let line = readLine() {
      Output.say(await client.answer(line.split(separator: " ").map(String.init)))
    }
  }
}

/// Lines to the parent, unbuffered: a process that is killed has said what it said.
enum Output {
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
