import AllocationCounter

/// Counts allocations of the whole process; nil where the platform cannot.
enum Allocations {
  static func perOperation(_ operations: Int, _ body: (Int) async throws -> Void) async rethrows -> Double? {
    guard allocation_counter_is_available() else { return nil }
    try await body(operations)
    allocation_counter_start()
    try await body(operations)
    return Double(allocation_counter_stop()) / Double(operations)
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
