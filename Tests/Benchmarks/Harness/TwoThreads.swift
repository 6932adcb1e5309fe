import Synchronization

/// The wall time of an operation on two threads at once, against one thread.
///
/// Another process on the machine can take a core away and never gives one, so that the best tenth of the rounds is
/// the figure that the code is answerable for. A round must last far longer than the scheduler takes to spread two
/// threads (some milliseconds).
final class TwoThreads: Sendable {
  private let body: @Sendable (Int) async throws -> Void
  private let arrived = Atomic(0)

  init(_ body: @escaping @Sendable (Int) async throws -> Void) {
    self.body = body
  }

  func times(rounds: Int, operations: Int) async throws -> (bestTenth: Double, median: Double) {
    _ = try await together(operations)
    var ratios: [Double] = []
    for _ in 0..<rounds {
      let alone = try await Subject(operations, body).time()
      let wall = try await together(operations)
      ratios.append(wall / Double(2 * operations) / alone)
    }
    return (ratios.sorted()[rounds / 10], ratios.median)
  }

  /// Nanoseconds from the moment that both run to the end of the later.
  private func together(_ operations: Int) async throws -> Double {
    arrived.store(0, ordering: .sequentiallyConsistent)
    async let first = one(operations)
    async let second = one(operations)
    let (a, b) = try await (first, second)
    return min(a.start, b.start).duration(to: max(a.end, b.end)) / .nanoseconds(1)
  }

  @concurrent
  private func one(_ operations: Int) async throws -> (start: ContinuousClock.Instant, end: ContinuousClock.Instant) {
    arrived.add(1, ordering: .sequentiallyConsistent)
    while arrived.load(ordering: .sequentiallyConsistent) < 2 {}
    let start = ContinuousClock.now
    try await body(operations)
    return (start, .now)
  }
}
