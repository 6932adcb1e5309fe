import Synchronization

/// Many callers who all need the one renewal.
struct Storm: Sendable {
  let callers: Int
  let shape: Shape
  let server: TokenServer

  struct Outcome: Sendable {
    /// Beyond what the server took.
    let milliseconds: Double
    let errors: Int
    let tally: TokenServer.Tally

    var isClean: Bool { errors == 0 && tally.refreshes == 1 && tally.replays == 0 }
  }

  /// Lets everybody call; a call answers whether it got what it wanted.
  func run(_ call: @escaping @Sendable () async -> Bool) async -> Outcome {
    _ = server.takeTally()
    let errors = Errors()
    let firstAnswer = OneShot()
    let caller: @Sendable () async -> Void = {
      if await !call() { errors.count.add(1, ordering: .relaxed) }
      if shape == .staggered { firstAnswer.announce() }
    }
    let start = ContinuousClock.now
    await withDiscardingTaskGroup { group in
      func add(_ count: Int) {
        for _ in 0..<count { group.addTask { await caller() } }
      }
      switch shape {
      case .simultaneous, .refused:
        add(callers)
      case .staggered:
        add(callers / 2)
        await firstAnswer.wait()
        add(callers - callers / 2)
      case .leaderCancelled:
        let leader = Task { await call() }
        await server.request()
        add(callers - 1)
        leader.cancel()
        _ = await leader.value
      }
    }
    let time = start.duration(to: .now) - TokenServer.delay
    return Outcome(
      milliseconds: time / .milliseconds(1), errors: errors.count.load(ordering: .relaxed), tally: server.takeTally())
  }

  private final class Errors: Sendable {
    let count = Atomic(0)
  }
}
