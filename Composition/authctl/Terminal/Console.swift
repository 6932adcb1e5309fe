import AuthenticationKit
import Foundation

/// stdout is for machines, stderr for people.
struct Console: Sendable {
  let isJSON: Bool

  /// One line for scripts.
  func out(_ line: String) { out(Data((line + "\n").utf8)) }

  /// Ends the process where nothing can be printed: a script must not take silence for success.
  func out(_ data: Data) {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      say("authctl: The output cannot be written. Check where standard output goes.")
      exit(ExitStatus.unexpected.rawValue)
    }
  }

  /// One JSON object on a line of its own, keys in order.
  func out(json value: some Encodable) {
    if let line = Self.line(json: value) { out(line) }
  }

  /// An event about a failure that is told already.
  func tryOut(json value: some Encodable) {
    guard let line = Self.line(json: value) else { return }
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  /// One sentence for people.
  func say(_ line: String) { ask(line.printable + "\n") }

  func ask(_ prompt: String) { try? FileHandle.standardError.write(contentsOf: Data(prompt.utf8)) }

  private static func line(json value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self).escapingUnprintable }
  }
}
