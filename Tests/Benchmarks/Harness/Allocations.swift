import Counters

/// Counts allocations of the whole process; nil where the platform cannot.
enum Allocations {
  static func perOperation(_ operations: Int, _ body: (Int) async throws -> Void) async rethrows -> Double? {
    try await body(operations)
    return try await during { try await body(operations) }.map { $0 / Double(operations) }
  }

  /// Of a body that is run once.
  static func during(_ body: () async throws -> Void) async rethrows -> Double? {
    guard allocation_counter_is_available() else { return nil }
    allocation_counter_start()
    try await body()
    return Double(allocation_counter_stop())
  }

  private final class Block {}

  /// Whether a known number of class instances is seen as exactly that.
  static func selfTest() async -> Bool {
    let counted = await perOperation(1_000) { count in
      for _ in 0..<count { blackHole(Block()) }
    }
    return counted == nil || counted == 1
  }
}
