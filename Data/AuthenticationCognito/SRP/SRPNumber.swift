/// How Cognito writes the numbers of SRP: unlike RFC 5054 §2.4, not padded to the width of N.
package enum SRPNumber {
  /// Big-endian and as short as possible, with a zero byte in front if the highest bit is set (two's complement).
  ///
  /// The length tells how many leading zeros a number has, of the premaster secret, too: the protocol hashes it so.
  package static func padded(_ bytes: [UInt8]) -> [UInt8] {
    let significant = Array(bytes.drop { $0 == 0 })
    return (significant.first ?? 0x80) & 0x80 == 0 ? significant : [0] + significant
  }

  /// Reads hexadecimal digits, of which zeros in front may have been dropped.
  ///
  /// - Returns: nil for anything else, and for more than 1024 digits.
  package static func bytes(hexadecimal text: String) -> [UInt8]? {
    guard (1...1024).contains(text.utf8.count) else { return nil }
    let digits = text.utf8.compactMap { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
      default: nil
      }
    }
    guard digits.count == text.utf8.count else { return nil }
    let even = digits.count.isMultiple(of: 2) ? digits : [0] + digits
    return stride(from: 0, to: even.count, by: 2).map { even[$0] << 4 | even[$0 + 1] }
  }

  /// Lower-case digits without zeros in front.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }.drop { $0 == UInt8(ascii: "0") }
    return String(decoding: text, as: UTF8.self)
  }
}
