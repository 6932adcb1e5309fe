/// A JSON object (RFC 8259 §4) whose values stay in place, and are converted to Swift types only when read.
///
/// No two members have the same name (RFC 7515 §4, RFC 7519 §4): otherwise an attacker could exploit that two parsers
/// use different ones. A value of `null` counts as absent.
struct JSONObject: Sendable, Redacted {
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

  /// A member is present, but its value has the wrong type.
  struct WrongKind: Error {
    let name: String
  }

  private let bytes: [UInt8]
  private let members: [Member]

  /// Throws unless this is one object and nothing else, in UTF-8, within the limits of ``JSONReader``.
  init(_ text: [UInt8]) throws(MalformedJSON) {
    guard text.allSatisfy({ $0 < 0x80 }) || String(validating: text, as: UTF8.self) != nil else {
      throw MalformedJSON()
    }
    var reader = JSONReader(text)
    reader.skipSpace()
    members = try reader.readMembers()
    reader.skipSpace()
    guard reader.isAtEnd else { throw MalformedJSON() }
    bytes = reader.bytes
    for (index, member) in members.enumerated() {
      for other in members[..<index] where isSame(member.name, other.name) { throw MalformedJSON() }
    }
  }

  /// Whether there is such a member, even if it is `null`.
  func contains(_ name: String) -> Bool { member(name) != nil }

  func string(_ name: String) throws(WrongKind) -> String? {
    guard let value = value(name) else { return nil }
    guard value.kind == .string else { throw WrongKind(name: name) }
    return text(value.range)
  }

  /// A number, or a string that contains one, as some servers send it.
  func number(_ name: String) throws(WrongKind) -> Double? {
    guard let value = value(name) else { return nil }
    guard value.kind == .number || value.kind == .string, let number = number(value.range) else {
      throw WrongKind(name: name)
    }
    return number
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
  func strings(_ name: String, orOne: Bool = false) throws(WrongKind) -> [String]? {
    guard let value = value(name) else { return nil }
    if orOne, value.kind == .string { return [text(value.range)] }
    var reader = JSONReader(bytes, at: value.range.lowerBound)
    guard value.kind == .array, let elements = try? reader.readElements(),
      elements.allSatisfy({ $0.kind == .string })
    else { throw WrongKind(name: name) }
    return elements.map { String(decoding: reader.bytes[$0.range], as: UTF8.self) }
  }

  /// The first objects of an array, as JSON text; nil for an element that is no object.
  func objects(_ name: String, atMost limit: Int) throws(WrongKind) -> [[UInt8]?]? {
    guard let value = value(name) else { return nil }
    var reader = JSONReader(bytes, at: value.range.lowerBound)
    guard value.kind == .array, let elements = try? reader.readElements() else { throw WrongKind(name: name) }
    return elements.prefix(limit).map { $0.kind == .object ? Array(bytes[$0.range]) : nil }
  }
}

extension JSONObject {
  private func member(_ name: String) -> Member? {
    let length = name.utf8.count
    return members.first { $0.name.count == length && isSame($0.name, name.utf8) }
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
    if range.count <= 15, let integer = integer(range) { return Double(integer) }
    return Double(text(range)).flatMap { $0.isFinite ? $0 : nil }
  }

  private func integer(_ range: Range<Int>) -> Int? {
    var integer = 0
    for byte in bytes[range] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      integer = integer * 10 + Int(byte & 15)
    }
    return integer
  }

  private func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    one.count == other.count && bytes[one] == bytes[other]
  }

  private func isSame(_ range: Range<Int>, _ name: String.UTF8View) -> Bool {
    var index = range.lowerBound
    for byte in name {
      guard bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }
}
