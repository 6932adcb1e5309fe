/// These bytes are not CBOR that an authenticator may write.
struct MalformedCBOR: Error {}

/// Reads one CBOR value after another, of definite length, without tags (CTAP 2.1 §8), nested at most 8 deep.
///
/// No length is used before as many bytes are there, so a value takes no more memory than its text times a constant.
struct CBORReader {
  static let maximumDepth = 8

  private let input: [UInt8]
  private(set) var position: Int

  var isAtEnd: Bool { position == input.count }

  init(_ input: [UInt8], at position: Int = 0) {
    self.input = input
    self.position = position
  }

  mutating func readValue() throws(MalformedCBOR) -> CBORValue { try readValue(depth: 1) }

  private mutating func readValue(depth: Int) throws(MalformedCBOR) -> CBORValue {
    guard depth <= Self.maximumDepth else { throw MalformedCBOR() }
    let head = try take(1)[0]
    let argument = try readArgument(head & 31)
    switch head >> 5 {
    case 0: return Int64(exactly: argument).map { .integer($0) } ?? .other
    case 1: return Int64(exactly: argument).map { .integer(-1 - $0) } ?? .other
    case 2: return .bytes(try take(argument))
    case 3:
      guard let text = String(validating: try take(argument), as: UTF8.self) else { throw MalformedCBOR() }
      return .text(text)
    case 4:
      var elements: [CBORValue] = []
      for _ in 0..<(try count(argument)) { elements.append(try readValue(depth: depth + 1)) }
      return .array(elements)
    case 5: return .map(try readMembers(try count(argument), depth: depth + 1))
    case 7: return .other
    default: throw MalformedCBOR()
    }
  }

  private mutating func readMembers(_ count: Int, depth: Int) throws(MalformedCBOR) -> [CBORValue: CBORValue] {
    var members: [CBORValue: CBORValue] = [:]
    for _ in 0..<count {
      let key = try readValue(depth: depth)
      switch key {
      case .integer, .text: break
      default: throw MalformedCBOR()
      }
      guard members.updateValue(try readValue(depth: depth), forKey: key) == nil else { throw MalformedCBOR() }
    }
    return members
  }

  /// RFC 8949 §3; a length that is not definite is refused.
  private mutating func readArgument(_ information: UInt8) throws(MalformedCBOR) -> UInt64 {
    switch information {
    case 0..<24: return UInt64(information)
    case 24...27: return try take(1 << UInt64(information - 24)).reduce(0) { $0 << 8 | UInt64($1) }
    default: throw MalformedCBOR()
    }
  }

  /// Each element takes at least one byte.
  private func count(_ argument: UInt64) throws(MalformedCBOR) -> Int {
    guard argument <= UInt64(input.count - position) else { throw MalformedCBOR() }
    return Int(argument)
  }

  private mutating func take(_ length: UInt64) throws(MalformedCBOR) -> [UInt8] {
    let end = position + (try count(length))
    defer { position = end }
    return Array(input[position..<end])
  }
}

/// The part of CBOR (RFC 8949) that WebAuthn needs: the values that authenticators write.
enum CBORValue: Hashable {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  case map([CBORValue: CBORValue])
  /// A Boolean, null, a floating-point number, or an integer beyond 64 bits with a sign: nothing here is read from one.
  case other

  subscript(_ key: Int64) -> CBORValue? {
    if case .map(let members) = self { members[.integer(key)] } else { nil }
  }

  subscript(_ key: String) -> CBORValue? {
    if case .map(let members) = self { members[.text(key)] } else { nil }
  }

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var isMap: Bool { if case .map = self { true } else { false } }
}
