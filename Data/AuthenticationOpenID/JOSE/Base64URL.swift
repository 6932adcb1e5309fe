#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// base64url without padding (RFC 7515 §2), one text for each sequence of bytes and no other.
enum Base64URL {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let invalid: UInt32 = 1 << 31
  /// The value of each character; ``invalid`` if it is not in the alphabet.
  private static let values: [UInt32] = {
    var values = [UInt32](repeating: invalid, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt32(value) }
    return values
  }()

  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.underestimatedCount * 4 + 2) / 3)
    let digits = digits
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(digits[Int(bits >> count & 63)])
      }
    }
    if count > 0 { text.append(digits[Int(bits << (6 - count) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil unless the text is the one encoding of some bytes.
  static func decode(_ text: some StringProtocol) -> Data? {
    decode(Array(text.utf8)[...]).map { Data($0) }
  }

  /// Nil unless the text is the one encoding of some bytes.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    // An array made without a capacity is the empty one that all threads share, and would be written to.
    if text.isEmpty { return [] }
    let tail = text.count % 4
    guard tail != 1 else { return nil }
    let whole = text.count / 4
    var seen: UInt32 = 0
    var bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { bytes, count in
      unsafe text.withUnsafeBufferPointer { text in
        // No index is out of bounds: the table has a value for each byte, and each whole quad reads four characters
        // and writes three bytes.
        unsafe values.withUnsafeBufferPointer { values in
          for quad in 0..<whole {
            let (read, write) = (quad * 4, quad * 3)
            let (a, b) = unsafe (values[Int(text[read])], values[Int(text[read + 1])])
            let (c, d) = unsafe (values[Int(text[read + 2])], values[Int(text[read + 3])])
            seen |= a | b | c | d
            let bits = a << 18 | b << 12 | c << 6 | d
            unsafe bytes[write] = UInt8(truncatingIfNeeded: bits >> 16)
            unsafe bytes[write + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            unsafe bytes[write + 2] = UInt8(truncatingIfNeeded: bits)
          }
        }
      }
      count = whole * 3
    }
    if tail > 0 {
      var bits: UInt32 = 0
      for digit in text.suffix(tail) {
        seen |= values[Int(digit)]
        bits = bits << 6 | values[Int(digit)] & 63
      }
      let spare = tail == 2 ? 4 : 2
      guard bits & (1 << spare - 1) == 0 else { return nil }
      bits >>= spare
      if tail == 3 { bytes.append(UInt8(truncatingIfNeeded: bits >> 8)) }
      bytes.append(UInt8(truncatingIfNeeded: bits))
    }
    return seen & invalid == 0 ? bytes : nil
  }
}
