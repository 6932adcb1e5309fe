import AuthenticationTesting
import Foundation

/// A process whose output is read while it runs.
struct RunningCommand {
  let lines: AsyncStream<String>
  private let process: ChildProcess
  private let ended: AsyncStream<Void>

  /// - Parameter input: the input of the process; by default nothing.
  init(_ process: ChildProcess, input: Pipe? = nil) throws {
    let pipe = Pipe()
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.standardOutput = pipe
    process.standardInput = input ?? FileHandle.nullDevice
    process.terminationHandler = { _ in end.finish() }
    try process.runAlone()
    self.process = process
    self.ended = ended
    lines = pipe.lines()
  }

  /// As control-C does; answers the exit code.
  func interrupt() async -> Int32 {
    process.interrupt()
    return await status()
  }

  func send(_ signal: Int32) { _ = Foundation.kill(process.processIdentifier, signal) }

  /// As the system does that has no memory left; answers the signal.
  func kill() async -> Int32 {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    return await status()
  }

  /// Waits for the end; answers the exit code.
  func status() async -> Int32 {
    for await _ in ended {}
    return process.terminationStatus
  }
}

extension Pipe {
  /// The lines that are written into it, until its last writer is closed.
  func lines() -> AsyncStream<String> {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let file = fileHandleForReading
    Thread.detachNewThread {
      var rest = ""
      while case let data = file.availableData, !data.isEmpty {
        rest += String(decoding: data, as: UTF8.self)
        let parts = rest.split(separator: "\n", omittingEmptySubsequences: false)
        for part in parts.dropLast() { line.yield(String(part)) }
        rest = String(parts.last ?? "")
      }
      line.finish()
    }
    return lines
  }
}
