package import Foundation

/// The lines of a stored record: a heading, one field a line (`name length value`, the length in bytes), a checksum.
///
/// Parsed by hand, since the first use of JSONDecoder alone would take a launching process longer than all the rest;
/// with a checksum, since a token with one wrong bit still looks like a token.
package enum StoredFields {
  package struct Writer {
    private var text: String

    package init(heading: String) { text = "\(heading)\n" }

    package mutating func add(_ name: String, _ value: String?) {
      guard let value else { return }
      text += "\(name) \(value.utf8.count) \(value)\n"
    }

    package func finished() -> Data {
      let body = Array(text.utf8)
      return Data(body + checksum(of: body))
    }
  }

  /// Nil unless the data has this heading and is complete.
  package static func read(_ data: Data, heading: String) -> [(name: String, value: String)]? {
    let bytes = [UInt8](data)
    let end = bytes.count - checksumLength
    var position = heading.utf8.count + 1
    guard position <= end, bytes.starts(with: "\(heading)\n".utf8),
      bytes[end...].elementsEqual(checksum(of: bytes[..<end]))
    else { return nil }
    func word() -> String? {
      guard let space = bytes[position..<end].firstIndex(of: UInt8(ascii: " ")) else { return nil }
      defer { position = space + 1 }
      return String(decoding: bytes[position..<space], as: UTF8.self)
    }
    var fields: [(name: String, value: String)] = []
    while position < end {
      guard let name = word(), let length = word().flatMap({ Int($0) }), length >= 0, length < end - position,
        bytes[position + length] == UInt8(ascii: "\n")
      else { return nil }
      fields.append((name, String(decoding: bytes[position..<position + length], as: UTF8.self)))
      position += length + 1
    }
    return fields
  }

  private static let checksumLength = 17

  private static func checksum(of bytes: some Sequence<UInt8>) -> [UInt8] { bytes.fnv1aDigits + [UInt8(ascii: "\n")] }
}

extension Sequence<UInt8> {
  /// The 64-bit FNV-1a hash in 16 hexadecimal digits: it detects accidental changes, not attacks.
  var fnv1aDigits: [UInt8] {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in self { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }.hexadecimalDigits
  }
}
