/// Text that is not exactly one JSON value (RFC 8259), or one beyond the limits of ``JSONReader``.
struct MalformedJSON: Error {}

/// Parses JSON in place, each byte once (RFC 8259).
///
/// A string is unescaped in place, which always fits: no escape is shorter than what it stands for. Nested values are
/// only checked and skipped, and stay unchanged. Lone surrogates are refused, as in I-JSON (RFC 7493 §2.1).
struct JSONReader {
  static let maximumDepth = 32
  static let maximumMembers = 256

  private(set) var bytes: [UInt8]
  private(set) var position: Int

  /// Expects valid UTF-8.
  init(_ bytes: [UInt8], at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position == bytes.count }

  /// Returns the members of the object at the current position, in order, with their names.
  mutating func readMembers() throws(MalformedJSON) -> [JSONObject.Member] {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(16)
    try readList(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader throws(MalformedJSON) in
      guard members.count < Self.maximumMembers else { throw MalformedJSON() }
      let name = try reader.readString()
      try reader.readColon()
      members.append(JSONObject.Member(name: name, value: try reader.readValue(depth: 1)))
    }
    return members
  }

  /// Returns the elements of the array at the current position.
  mutating func readElements() throws(MalformedJSON) -> [JSONObject.Value] {
    var elements: [JSONObject.Value] = []
    try readList(from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { reader throws(MalformedJSON) in
      elements.append(try reader.readValue(depth: 1))
    }
    return elements
  }

  mutating func skipSpace() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private mutating func readValue(depth: Int) throws(MalformedJSON) -> JSONObject.Value {
    switch peek {
    case UInt8(ascii: "\""): return .init(kind: .string, range: try readString())
    case UInt8(ascii: "{"): return .init(kind: .object, range: try skip(depth: depth))
    case UInt8(ascii: "["): return .init(kind: .array, range: try skip(depth: depth))
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .init(kind: .boolean, range: try skip(depth: depth))
    case UInt8(ascii: "n"): return .init(kind: .null, range: try skip(depth: depth))
    default: return .init(kind: .number, range: try readNumber())
    }
  }

  /// Skips a value without changing it.
  private mutating func skip(depth: Int) throws(MalformedJSON) -> Range<Int> {
    let start = position
    switch peek {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"):
      guard depth < Self.maximumDepth else { throw MalformedJSON() }
      try readList(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader throws(MalformedJSON) in
        try reader.skipString()
        try reader.readColon()
        _ = try reader.skip(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      guard depth < Self.maximumDepth else { throw MalformedJSON() }
      try readList(from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { reader throws(MalformedJSON) in
        _ = try reader.skip(depth: depth + 1)
      }
    case UInt8(ascii: "t"): try readLiteral("true")
    case UInt8(ascii: "f"): try readLiteral("false")
    case UInt8(ascii: "n"): try readLiteral("null")
    default: _ = try readNumber()
    }
    return start..<position
  }

  private mutating func readList(
    from opening: UInt8, to closing: UInt8, _ readItem: (inout Self) throws(MalformedJSON) -> Void
  ) throws(MalformedJSON) {
    try expect(opening)
    skipSpace()
    if take(closing) { return }
    repeat {
      skipSpace()
      try readItem(&self)
      skipSpace()
    } while take(UInt8(ascii: ","))
    try expect(closing)
  }

  private mutating func readColon() throws(MalformedJSON) {
    skipSpace()
    try expect(UInt8(ascii: ":"))
    skipSpace()
  }

  private mutating func readLiteral(_ literal: StaticString) throws(MalformedJSON) {
    for byte in literal.description.utf8 { try expect(byte) }
  }
}

// Single-byte steps, for all parsing functions.
extension JSONReader {
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  mutating func next() throws(MalformedJSON) -> UInt8 {
    guard position < bytes.count else { throw MalformedJSON() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func expect(_ byte: UInt8) throws(MalformedJSON) {
    guard take(byte) else { throw MalformedJSON() }
  }

  mutating func skip(to index: Int) { position = index }

  mutating func put(_ byte: UInt8, at index: Int) { bytes[index] = byte }
}
