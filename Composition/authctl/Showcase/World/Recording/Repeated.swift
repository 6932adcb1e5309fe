/// The last of what happened; what happened several times in a row is one entry.
struct Repeated<Element: Equatable & Sendable>: Sendable {
  private static var limit: Int { 60 }

  struct Entry: Sendable {
    let element: Element
    var count = 1
  }

  private(set) var entries: [Entry] = []

  /// Looks a few entries back, since what happens at once comes in no order.
  mutating func append(_ element: Element) {
    if let known = entries.indices.suffix(4).last(where: { entries[$0].element == element }) {
      entries[known].count += 1
    } else {
      entries.append(Entry(element: element))
      if entries.count > Self.limit { entries.removeFirst() }
    }
  }
}
