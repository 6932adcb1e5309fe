import Foundation

/// The fields of a form, or of a query (`application/x-www-form-urlencoded`); of a repeated one the first.
struct FormFields: Sendable {
  private let values: [String: String]

  init(_ text: String) {
    let pairs = text.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decoded(sides[0]), sides.count > 1 ? Self.decoded(sides[1]) : "")
    }
    values = Dictionary(pairs) { first, _ in first }
  }

  /// Empty if there is no such field.
  subscript(name: String) -> String { values[name] ?? "" }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
