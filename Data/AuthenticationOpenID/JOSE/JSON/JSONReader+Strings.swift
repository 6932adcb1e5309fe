extension JSONReader {
  /// Unescapes the string at the current position in place; returns the range of its content (RFC 8259 §7).
  mutating func readString() throws(MalformedJSON) -> Range<Int> {
    try expect(UInt8(ascii: "\""))
    let start = position
    try skipPlain()
    var end = position
    while !take(UInt8(ascii: "\"")) {
      if take(UInt8(ascii: "\\")) {
        for byte in UTF8.encode(try readEscape())! {
          put(byte, at: end)
          end += 1
        }
      } else {
        let first = position
        try skipPlain()
        for index in first..<position {
          put(bytes[index], at: end)
          end += 1
        }
      }
    }
    return start..<end
  }

  /// Skips the string at the current position, unchanged.
  mutating func skipString() throws(MalformedJSON) {
    try expect(UInt8(ascii: "\""))
    try skipPlain()
    while !take(UInt8(ascii: "\"")) {
      if take(UInt8(ascii: "\\")) { _ = try readEscape() } else { try skipPlain() }
    }
  }

  /// Skips to the next quotation mark or backslash, which is required.
  private mutating func skipPlain() throws(MalformedJSON) {
    let bytes = bytes
    var index = position
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        skip(to: index)
        return
      }
      guard byte >= 0x20 else { throw MalformedJSON() }
      index += 1
    }
    throw MalformedJSON()
  }

  private mutating func readEscape() throws(MalformedJSON) -> Unicode.Scalar {
    switch try next() {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readScalar()
    default: throw MalformedJSON()
    }
  }

  private mutating func readScalar() throws(MalformedJSON) -> Unicode.Scalar {
    var unit = try readFourDigits()
    if unit & 0xFC00 == 0xD800 {
      try expect(UInt8(ascii: "\\"))
      try expect(UInt8(ascii: "u"))
      let low = try readFourDigits()
      guard low & 0xFC00 == 0xDC00 else { throw MalformedJSON() }
      unit = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
    }
    guard let scalar = Unicode.Scalar(unit) else { throw MalformedJSON() }
    return scalar
  }

  private mutating func readFourDigits() throws(MalformedJSON) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try next()
      guard let digit = Unicode.Scalar(byte).properties.isASCIIHexDigit ? Self.hexValue(byte) : nil else {
        throw MalformedJSON()
      }
      value = value << 4 | digit
    }
    return value
  }

  private static func hexValue(_ byte: UInt8) -> UInt32 {
    byte <= UInt8(ascii: "9") ? UInt32(byte & 15) : UInt32(byte & 15) + 9
  }
}
