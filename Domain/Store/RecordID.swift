/// Names one write or one sign-in of a stored record. Random, and no secret.
package struct RecordID: Sendable, Hashable, CustomStringConvertible {
  /// 1 to 64 visible ASCII characters.
  package let description: String

  /// Nil if the text is not 1 to 64 visible ASCII characters.
  package init?(_ text: String) {
    guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    description = text
  }

  /// An identifier of 128 random bits.
  package static func random() -> Self {
    var generator = SystemRandomNumberGenerator()
    return Self(generator.next(), generator.next())
  }

  /// An identifier of these bits, in hexadecimal.
  package init(_ high: UInt64, _ low: UInt64) {
    description = String(high, radix: 16) + "-" + String(low, radix: 16)
  }
}

/// Names writes and sign-ins. Two sources count as equal: the names that matter stand in the record.
struct RecordIDSource: Sendable, Equatable {
  let make: @Sendable () -> RecordID
  /// Those of the latest event.
  private(set) var latest: [RecordID] = []

  init(make: @escaping @Sendable () -> RecordID) { self.make = make }

  mutating func beginEvent() { latest = [] }

  mutating func next() -> RecordID {
    let id = make()
    latest.append(id)
    return id
  }

  static func == (first: Self, second: Self) -> Bool { true }
}
