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
