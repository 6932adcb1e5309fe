import AuthenticationTesting
import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A client as a child process: `reliability client`, which the build puts next to the program that asks for it.
package final class ClientProcess {
  private let process = ChildProcess()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  package init(_ arguments: [String]) throws {
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "reliability")
    process.arguments = ["client"] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.runAlone()
  }

  deinit { kill() }

  /// The answer to a command; nil where the process died of it.
  package func ask(_ command: String) throws -> String? {
    tell(command)
    return try line()
  }

  package func tell(_ line: String) {
    try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// The next line; nil at the end. Throws where it takes longer than anything here may take.
  package func line(within limit: Duration = .seconds(300)) throws -> String? {
    let descriptor = output.fileHandleForReading.fileDescriptor
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = unread[(end + 1)...] }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, Int32(limit / .milliseconds(1))) > 0 else { throw Unanswered() }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread.append(more)
    }
  }

  /// SIGKILL, and the end.
  package func kill() {
    guard process.isRunning else { return }
    signal(SIGKILL)
    process.waitUntilExit()
  }

  package func signal(_ number: Int32) {
    #if canImport(Glibc)
    _ = Glibc.kill(process.processIdentifier, number)
    #elseif canImport(Musl)
    _ = Musl.kill(process.processIdentifier, number)
    #else
    _ = Darwin.kill(process.processIdentifier, number)
    #endif
  }

  /// No caller may wait for ever.
  package struct Unanswered: Error {}
}
