/// One thing to time: runs the operation as often as it is told.
struct Subject: Sendable {
  let operations: Int
  let body: @Sendable (Int) async throws -> Void

  init(_ operations: Int, _ body: @escaping @Sendable (Int) async throws -> Void) {
    self.operations = operations
    self.body = body
  }

  /// Nanoseconds for one operation.
  func time() async throws -> Double {
    let start = ContinuousClock.now
    try await body(operations)
    return start.duration(to: .now) / .nanoseconds(1) / Double(operations)
  }
}

/// Many rounds of one subject, or of two in turn, so that both see the same weather.
enum Timing {
  /// The median nanoseconds of one operation.
  static func median(rounds: Int = 51, _ subject: Subject) async throws -> Double {
    _ = try await subject.time()
    var times: [Double] = []
    for _ in 0..<rounds { times.append(try await subject.time()) }
    return times.median
  }

  /// The medians of both, and the median of their ratio within a round.
  static func compare(
    rounds: Int = 51, _ ours: Subject, _ other: Subject
  ) async throws -> (ours: Double, other: Double, ratio: Double) {
    _ = try await (ours.time(), other.time())
    var pairs: [(ours: Double, other: Double)] = []
    for _ in 0..<rounds { pairs.append((try await ours.time(), try await other.time())) }
    return (pairs.map(\.ours).median, pairs.map(\.other).median, pairs.map { $0.ours / $0.other }.median)
  }
}

extension [Double] {
  var median: Double {
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
