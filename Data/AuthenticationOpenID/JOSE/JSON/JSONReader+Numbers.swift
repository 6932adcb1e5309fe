extension JSONReader {
  /// Checks the number at the current position (RFC 8259 §6).
  mutating func readNumber() throws(MalformedJSON) -> Range<Int> {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try readDigits() }
    if take(UInt8(ascii: ".")) { try readDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try readDigits()
    }
    return start..<position
  }

  private mutating func readDigits() throws(MalformedJSON) {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { skip(to: position + 1) }
    guard position > start else { throw MalformedJSON() }
  }
}
