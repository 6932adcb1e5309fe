import AuthenticationDomain
package import Foundation

/// Text that is not exactly one JSON value (RFC 8259), or one beyond the limits of ``JSONReader``.
package struct MalformedJSON: Error {
  /// The member whose value is of the wrong type; nil for any other fault.
  package var member: String?
  /// The limit that it is beyond, as in "it ..."; nil for any other fault.
  var limit: String?

  package init(member: String? = nil) { self.member = member }

  init(limit: String) { self.limit = limit }
}

/// Parses JSON in place, each byte once (RFC 8259).
///
/// A string is unescaped in place, which always fits: no escape is shorter than its character. Nested values are
/// only checked and skipped, and stay unchanged. Lone surrogates are refused, as in I-JSON (RFC 7493 §2.1).
struct JSONReader {
  static let maximumDepth = 32
  static let maximumMembers = 4_096

  private(set) var bytes: [UInt8]
  private var position: Int

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
      guard members.count < Self.maximumMembers else { throw MalformedJSON(limit: "has more than 4,096 members") }
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

  mutating func skipSpace() { while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 } }

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
    case UInt8(ascii: "\""): try readString(unescaping: false)
    case UInt8(ascii: "{"):
      guard depth < Self.maximumDepth else { throw MalformedJSON(limit: "nests deeper than 32 levels") }
      try readList(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader throws(MalformedJSON) in
        try reader.readString(unescaping: false)
        try reader.readColon()
        _ = try reader.skip(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      guard depth < Self.maximumDepth else { throw MalformedJSON(limit: "nests deeper than 32 levels") }
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

  // MARK: Single bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func next() throws(MalformedJSON) -> UInt8 {
    guard position < bytes.count else { throw MalformedJSON() }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func expect(_ byte: UInt8) throws(MalformedJSON) {
    guard take(byte) else { throw MalformedJSON() }
  }

  // MARK: Strings

  /// Reads the string at the current position; returns the range of its content (RFC 8259 §7).
  ///
  /// - Parameter unescapes: whether it is unescaped in place; else the text stays unchanged.
  @discardableResult
  private mutating func readString(unescaping unescapes: Bool = true) throws(MalformedJSON) -> Range<Int> {
    try expect(UInt8(ascii: "\""))
    let start = position
    try skipPlain()
    var end = position
    while !take(UInt8(ascii: "\"")) {
      let first = position
      if take(UInt8(ascii: "\\")) {
        let scalar = try readEscape()
        for byte in UTF8.encode(scalar)! where unescapes {
          bytes[end] = byte
          end += 1
        }
      } else {
        try skipPlain()
        for index in first..<position where unescapes {
          bytes[end] = bytes[index]
          end += 1
        }
      }
    }
    return start..<end
  }

  /// Skips to the next quotation mark or backslash, which is required.
  private mutating func skipPlain() throws(MalformedJSON) {
    let bytes = bytes
    var index = position
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        position = index
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
      guard let digit = Character(Unicode.Scalar(try next())).hexDigitValue else { throw MalformedJSON() }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  // MARK: Numbers

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
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw MalformedJSON() }
  }
}

/// A JSON object (RFC 8259 §4) whose values stay in place, and are converted to Swift types only when read.
///
/// No two members have the same name (RFC 7515 §4, RFC 7519 §4): otherwise an attacker could exploit that two parsers
/// use different ones. A value of `null` counts as absent.
package struct JSONObject: Sendable, Redacted {
  enum Kind { case string, number, boolean, null, array, object }

  /// The range is that of the content for a string, and of the unchanged text for anything else.
  struct Value {
    let kind: Kind
    let range: Range<Int>
  }

  struct Member {
    let name: Range<Int>
    let value: Value
  }

  private let bytes: [UInt8]
  private let members: [Member]

  /// Throws unless this is one object and nothing else, in UTF-8, within the limits of ``JSONReader``. A byte order mark
  /// before it is ignored (RFC 8259 §8.1).
  package init(_ text: [UInt8]) throws(MalformedJSON) {
    guard text.allSatisfy({ $0 < 0x80 }) || String(validating: text, as: UTF8.self) != nil else {
      throw MalformedJSON()
    }
    var reader = JSONReader(text, at: text.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0)
    reader.skipSpace()
    members = try reader.readMembers()
    reader.skipSpace()
    guard reader.isAtEnd else { throw MalformedJSON() }
    bytes = reader.bytes
    guard Set(members.map { bytes[$0.name] }).count == members.count else { throw MalformedJSON() }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether there is such a member, even if it is `null`.
  package func contains(_ name: String) -> Bool { member(name) != nil }

  package func string(_ name: String) throws(MalformedJSON) -> String? {
    guard let value = value(name) else { return nil }
    guard value.kind == .string else { throw MalformedJSON(member: name) }
    return text(value.range)
  }

  /// A truth value, or a string that contains one, as some servers send it; nil for anything else.
  func flag(_ name: String) -> Bool? {
    guard let value = value(name), value.kind == .boolean || value.kind == .string else { return nil }
    return switch text(value.range) {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// An array of strings; a single string is an array of one if that is allowed (RFC 7519 §4.1.3).
  package func strings(_ name: String, orOne: Bool = false) throws(MalformedJSON) -> [String]? {
    guard let value = value(name) else { return nil }
    if orOne, value.kind == .string { return [text(value.range)] }
    var reader = JSONReader(bytes, at: value.range.lowerBound)
    guard value.kind == .array, let elements = try? reader.readElements(), elements.allSatisfy({ $0.kind == .string })
    else { throw MalformedJSON(member: name) }
    return elements.map { String(decoding: reader.bytes[$0.range], as: UTF8.self) }
  }

  /// Seconds since 1970, with or without a fraction: a number (RFC 7519 §2), up to the year 9999.
  package func date(_ name: String) throws(MalformedJSON) -> Date? {
    guard let value = value(name) else { return nil }
    guard value.kind == .number, let date = number(value.range).flatMap(Date.init(boundedSecondsSince1970:)) else {
      throw MalformedJSON(member: name)
    }
    return date
  }

  /// An object, as JSON text.
  package func object(_ name: String) throws(MalformedJSON) -> [UInt8]? {
    guard let value = value(name) else { return nil }
    guard value.kind == .object else { throw MalformedJSON(member: name) }
    return Array(bytes[value.range])
  }

  /// The first objects of an array, as JSON text; nil for an element that is no object.
  func objects(_ name: String, atMost limit: Int) throws(MalformedJSON) -> [[UInt8]?]? {
    guard let value = value(name) else { return nil }
    var reader = JSONReader(bytes, at: value.range.lowerBound)
    guard value.kind == .array, let elements = try? reader.readElements() else { throw MalformedJSON(member: name) }
    return elements.prefix(limit).map { $0.kind == .object ? Array(bytes[$0.range]) : nil }
  }

  private func member(_ name: String) -> Member? {
    let name = name.utf8
    return members.first { $0.name.count == name.count && bytes[$0.name].elementsEqual(name) }
  }

  private func value(_ name: String) -> Value? {
    guard let value = member(name)?.value, value.kind != .null else { return nil }
    return value
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func number(_ range: Range<Int>) -> Double? {
    var reader = JSONReader(bytes, at: range.lowerBound)
    guard (try? reader.readNumber()) == range else { return nil }
    // Exact below 2^53, and far cheaper than text.
    if range.count <= 15, bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) {
      return Double(bytes[range].reduce(0) { $0 * 10 + Int($1 & 15) })
    }
    return Double(text(range)).flatMap { $0.isFinite ? $0 : nil }
  }
}
