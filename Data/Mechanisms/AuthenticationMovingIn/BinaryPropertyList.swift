import Foundation

/// Not a property list, or not one that is expected here.
struct MalformedArchive: Error {}

/// Reads Apple's binary property list, version 00, object by object: nothing is followed until it is asked for, so that
/// an object that contains itself costs nothing.
///
/// `PropertyListSerialization` is not in FoundationEssentials, and does not return the references of a keyed archive.
struct BinaryPropertyList: Sendable {
  enum Value: Equatable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001 (UTC).
    case date(Double)
    case data([UInt8])
    case text(String)
    /// A reference of a keyed archive: an index of its `$objects`.
    case reference(Int)
    /// The objects, by their numbers.
    case array([Int])
    /// The objects, by their numbers: keys and values.
    case dictionary([Int], [Int])
  }

  /// An app's item in a keychain has a few kilobytes.
  static let longest = 1 << 20
  private static let trailerLength = 32

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let numberSize: Int
  private let count: Int
  private let table: Int
  /// The number of the outermost object.
  let top: Int

  init(_ data: Data) throws(MalformedArchive) {
    guard data.count <= Self.longest, data.count > 8 + Self.trailerLength, data.starts(with: "bplist00".utf8) else {
      throw MalformedArchive()
    }
    bytes = [UInt8](data)
    let trailer = bytes.count - Self.trailerLength
    offsetSize = Int(bytes[trailer + 6])
    numberSize = Int(bytes[trailer + 7])
    count = try Self.number(bytes[(trailer + 8)..<(trailer + 16)])
    top = try Self.number(bytes[(trailer + 16)..<(trailer + 24)])
    table = try Self.number(bytes[(trailer + 24)..<(trailer + 32)])
    guard (1...8).contains(offsetSize), (1...8).contains(numberSize), (8..<trailer).contains(table),
      count <= (trailer - table) / offsetSize
    else { throw MalformedArchive() }
  }

  /// Whether the object of this number is this text in ASCII. No other object is read: each of a million keys may be
  /// the same long text.
  func isText(_ number: Int, _ text: String) throws(MalformedArchive) -> Bool {
    let offset = try offset(of: number)
    guard bytes[offset] >> 4 == 0x5 else { return false }
    let (start, length) = try extent(at: offset)
    guard length == text.utf8.count else { return false }
    return try slice(start, length).elementsEqual(text.utf8)
  }

  /// The object of this number.
  func value(_ number: Int) throws(MalformedArchive) -> Value {
    let offset = try offset(of: number)
    let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0F))
    switch kind {
    case 0x0: return try simple(low)
    case 0x1: return .integer(try integer(at: offset))
    case 0x2: return .real(try real(at: offset, size: 1 << low))
    case 0x3: return .date(try real(at: offset, size: 8))
    case 0x8: return .reference(try Self.number(try slice(offset + 1, low + 1)))
    default: break
    }
    let (start, length) = try extent(at: offset)
    switch kind {
    case 0x4: return .data(Array(try slice(start, length)))
    case 0x5: return .text(String(decoding: try slice(start, length), as: UTF8.self))
    case 0x6:
      let units = Array(try slice(start, try Self.product(length, 2)))
      return .text(
        String(decoding: (0..<length).map { UInt16(units[2 * $0]) << 8 | UInt16(units[2 * $0 + 1]) }, as: UTF16.self))
    case 0xA: return .array(try numbers(start, length))
    case 0xD:
      let both = try numbers(start, try Self.product(length, 2))
      return .dictionary(Array(both[..<length]), Array(both[length...]))
    default: throw MalformedArchive()
    }
  }

  private func offset(of number: Int) throws(MalformedArchive) -> Int {
    guard (0..<count).contains(number) else { throw MalformedArchive() }
    let entry = table + number * offsetSize
    let offset = try Self.number(bytes[entry..<(entry + offsetSize)])
    guard (8..<table).contains(offset) else { throw MalformedArchive() }
    return offset
  }

  private func simple(_ low: Int) throws(MalformedArchive) -> Value {
    switch low {
    case 0x0: return .null
    case 0x8: return .flag(false)
    case 0x9: return .flag(true)
    default: throw MalformedArchive()
    }
  }

  private func integer(at offset: Int) throws(MalformedArchive) -> Int64 {
    let size = 1 << Int(bytes[offset] & 0x0F)
    guard size <= 8 else { throw MalformedArchive() }
    // Eight bytes are signed, fewer are not.
    return Int64(bitPattern: try slice(offset + 1, size).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }

  private func real(at offset: Int, size: Int) throws(MalformedArchive) -> Double {
    let bits = try slice(offset + 1, size).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    switch size {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default: throw MalformedArchive()
    }
  }

  /// Where the contents of an object begin, and how many there are.
  private func extent(at offset: Int) throws(MalformedArchive) -> (start: Int, length: Int) {
    let low = Int(bytes[offset] & 0x0F)
    if low < 0xF { return (offset + 1, low) }
    guard offset + 1 < table, bytes[offset + 1] >> 4 == 0x1 else { throw MalformedArchive() }
    guard let length = Int(exactly: try integer(at: offset + 1)), length >= 0 else { throw MalformedArchive() }
    return (offset + 2 + 1 << Int(bytes[offset + 1] & 0x0F), length)
  }

  private func numbers(_ start: Int, _ length: Int) throws(MalformedArchive) -> [Int] {
    let all = Array(try slice(start, try Self.product(length, numberSize)))
    var numbers: [Int] = []
    for entry in stride(from: 0, to: all.count, by: numberSize) {
      numbers.append(try Self.number(all[entry..<(entry + numberSize)]))
    }
    return numbers
  }

  private func slice(_ start: Int, _ length: Int) throws(MalformedArchive) -> ArraySlice<UInt8> {
    guard length <= table, start <= table - length else { throw MalformedArchive() }
    return bytes[start..<(start + length)]
  }

  private static func product(_ count: Int, _ size: Int) throws(MalformedArchive) -> Int {
    guard count <= longest else { throw MalformedArchive() }
    return count * size
  }

  private static func number(_ bytes: ArraySlice<UInt8>) throws(MalformedArchive) -> Int {
    let number = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: number), bytes.count <= 8 else { throw MalformedArchive() }
    return number
  }
}
