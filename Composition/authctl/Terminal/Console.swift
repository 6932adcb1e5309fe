import AuthenticationKit
import Foundation

/// stdout is for machines, stderr for people.
struct Console: Sendable {
  let isJSON: Bool

  /// One line for scripts.
  func out(_ line: String) { Self.write(line + "\n", to: .standardOutput) }

  func out(_ data: Data) { FileHandle.standardOutput.write(data) }

  /// One JSON object on a line of its own, keys in order.
  func out(json value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    if let data = try? encoder.encode(value) { out(String(decoding: data, as: UTF8.self)) }
  }

  /// One sentence for people.
  func say(_ line: String) { Self.write(line + "\n", to: .standardError) }

  func ask(_ prompt: String) { Self.write(prompt, to: .standardError) }

  private static func write(_ text: String, to handle: FileHandle) { handle.write(Data(text.utf8)) }
}
