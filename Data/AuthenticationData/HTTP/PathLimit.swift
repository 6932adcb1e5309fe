import AuthenticationDomain
package import Foundation

/// Where a token may be sent at some origins: one path, and the paths below it. Other origins are not its concern.
package struct PathLimit: Sendable {
  private let path: String
  private let origins: Set<Origin>

  /// - Parameter path: as in a URL, percent-encoded; empty for all.
  package init(_ path: String, at origins: Set<Origin>) { (self.path, self.origins) = (path, origins) }

  package func allows(_ url: URL) -> Bool {
    guard !path.isEmpty, let origin = Origin(url), origins.contains(origin) else { return true }
    let asked = url.path(percentEncoded: true)
    guard asked == path || asked.hasPrefix(path.hasSuffix("/") ? path : path + "/") else { return false }
    // As the most lenient server may read it: decoded more than once, and compatibility characters replaced by their
    // equivalents.
    var bytes = Array(asked.utf8)
    for _ in 0..<8 where bytes.contains(UInt8(ascii: "%")) { bytes = Self.unescaped(bytes) }
    let hasOverlong = zip(bytes, bytes.dropFirst()).contains { (lead: UInt8, next: UInt8) in
      [0xC000...0xC1FF, 0xE080...0xE09F, 0xF080...0xF08F].contains { $0.contains(Int(lead) << 8 | Int(next)) }
    }
    let path = String(decoding: bytes, as: UTF8.self).precomposedStringWithCompatibilityMapping.unicodeScalars
    return !hasOverlong
      && !path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains { segment in
        // Some servers cut a parameter off (RFC 3986 §3.3), and characters without a shape or bytes that are no UTF-8.
        let name = segment.prefix { $0 != ";" }.filter {
          $0 > " " && $0 != "\u{7F}" && $0 != "\u{FFFD}" && !$0.properties.isDefaultIgnorableCodePoint
        }
        return !name.isEmpty && name.allSatisfy { $0 == "." }
      }
  }

  /// Without its escapes (RFC 3986 §2.1), for any bytes.
  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var found: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let digits = bytes.dropFirst(index + 1).prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      let isEscape = bytes[index] == UInt8(ascii: "%") && digits.count == 2
      found.append(isEscape ? UInt8(digits[0] << 4 | digits[1]) : bytes[index])
      index += isEscape ? 3 : 1
    }
    return found
  }
}
