import ArgumentParser
import AuthenticationKit
import Foundation
import Interposer
import ReliabilityWorld

/// One device as a process: runs the command of each line on stdin, and answers it with one line.
struct ClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "client", shouldDisplay: false)

  @Option var server: String
  @Option var folder: String
  /// Where the time is kept that passes for all processes of a trial.
  @Option var time: String
  /// Seconds for one exchange with the server; patient, since tests share the machine.
  @Option var deadline = 300
  /// Milliseconds: the longest first wait before something is tried again.
  @Option var backoff = 1_000
  /// How many times faster than the machine's this client's clock goes: the longest wait is 60 seconds of it.
  @Option var haste = 1
  /// Hides the writes of others from the process, unless it reads.
  @Flag var blind = false
  /// Whose process this becomes before it does anything.
  @Option var user: UInt32?

  func run() async throws {
    if let user, setgid(user) != 0 || setuid(user) != 0 { throw ExitCode.failure }
    if blind { interposer_refuse_watching() }
    unsafe folder.withCString { unsafe interposer_watch($0) }
    let client = try Client(
      server: server, folder: URL(filePath: folder, directoryHint: .isDirectory), deadline: .seconds(deadline),
      backoff: Backoff(base: .milliseconds(backoff)), clock: SharedClock(PassedTime(URL(filePath: time)), haste: haste))
    while let line = readLine() {
      Output.say(await client.answer(line.split(separator: " ").map(String.init)))
    }
  }
}

/// Lines to the parent, unbuffered: the lines of a process that is killed have arrived.
enum Output {
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
