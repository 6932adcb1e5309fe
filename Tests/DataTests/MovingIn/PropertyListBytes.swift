import AuthenticationMovingIn
import Foundation

/// Writes a binary property list byte by byte, also one that no archiver writes.
struct PropertyListBytes {
  private var objects: [[UInt8]] = []
  var offsetSize = 4
  var top = 0
  var count: Int?

  /// The number of the object that was added.
  @discardableResult
  mutating func add(_ bytes: [UInt8]) -> Int {
    objects.append(bytes)
    return objects.count - 1
  }

  mutating func text(_ text: String) -> Int { add(Self.head(0x50, text.utf8.count) + Array(text.utf8)) }
  mutating func reference(_ index: UInt8) -> Int { add([0x80, index]) }
  mutating func array(_ numbers: [Int]) -> Int { add(Self.head(0xA0, numbers.count) + Self.numbers(numbers)) }

  /// - Parameter others: objects that are keys, each with itself as its value, before the entries.
  mutating func dictionary(_ entries: [(String, Int)], after others: [Int] = []) -> Int {
    let keys = others + entries.map { text($0.0) }
    return add(Self.head(0xD0, keys.count) + Self.numbers(keys) + Self.numbers(others + entries.map(\.1)))
  }

  /// An archive whose root is the object 1 of `$objects`.
  mutating func archive(_ objects: [Int], root: UInt8 = 1) {
    let list = array(objects)
    let root = reference(root)
    let topObject = dictionary([("root", root)])
    let name = text("NSKeyedArchiver")
    top = dictionary([("$archiver", name), ("$objects", list), ("$top", topObject)])
  }

  var data: Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += Self.bigEndian(bytes.count, 4)
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, UInt8(offsetSize), 2]
    for number in [count ?? objects.count, top, table] { bytes += Self.bigEndian(number, 8) }
    return Data(bytes)
  }

  static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0xF, 0x12] + bigEndian(count, 4)
  }

  static func numbers(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { bigEndian($0, 2) } }

  static func bigEndian(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
  }
}
