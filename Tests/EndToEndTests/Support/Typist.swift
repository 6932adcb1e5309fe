import AuthenticationTesting
import Foundation

/// A process that a test types to, line by line.
struct Typist {
  private let command: RunningCommand
  private let keyboard = Pipe()

  init(_ process: ChildProcess) throws { command = try RunningCommand(process, input: keyboard) }

  func type(_ text: String) { try? keyboard.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// The next line of the output, a JSON object; nil at the end.
  func nextEvent() async -> [String: String]? {
    for await line in command.lines {
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?.mapValues { "\($0)" }
    }
    return nil
  }

  func kill() async -> Int32 { await command.kill() }
  func status() async -> Int32 { await command.status() }
}
