import Synchronization

/// Many callers that all need the one refresh.
struct Storm: Sendable {
  let callers: Int
  let shape: Shape
  let server: TokenServer

  /// Returns whether it succeeded.
  typealias Call = @Sendable () async -> Bool

  struct Outcome: Sendable {
    /// Beyond the server's time.
    let milliseconds: Double
    let errors: Int
    let tally: TokenServer.Tally

    var isClean: Bool { errors == 0 && tally.refreshes == 1 && tally.replays == 0 }
  }

  /// Lets everybody call.
  ///
  /// Each caller is a separate task: a task group searches a list for each child that ends out of turn, which would
  /// be measured instead.
  func run(_ call: @escaping Call) async -> Outcome {
    _ = server.takeTally()
    let counts = Counts()
    let (firstAnswer, lastAnswer) = (OneShot(), OneShot())
    let awaited = shape == .leaderCancelled ? callers - 1 : callers
    let caller: @Sendable () async -> Void = {
      if await !call() { counts.errors.add(1, ordering: .relaxed) }
      let answers = counts.answers.add(1, ordering: .relaxed).newValue
      if answers == 1 { firstAnswer.announce() }
      if answers == awaited { lastAnswer.announce() }
    }
    let add = { (count: Int) in
      for _ in 0..<count { Task.detached { await caller() } }
    }
    let start = ContinuousClock.now
    switch shape {
    case .simultaneous, .refused:
      add(callers)
    case .staggered:
      add(callers / 2)
      await firstAnswer.wait()
      add(callers - callers / 2)
    case .leaderCancelled:
      let leader = Task.detached { await call() }
      await server.request()
      add(callers - 1)
      leader.cancel()
      _ = await leader.value
    }
    await lastAnswer.wait()
    let time = start.duration(to: .now) - TokenServer.delay
    return Outcome(
      milliseconds: time / .milliseconds(1), errors: counts.errors.load(ordering: .relaxed), tally: server.takeTally())
  }

  /// The allocations of one storm, by the number of its callers: with its task, its share of the request, and all other
  /// work of this process meanwhile, the server's included.
  func allocations(_ call: @escaping Call) async -> Double? {
    await Allocations.during { _ = await run(call) }.map { $0 / Double(callers) }
  }

  private final class Counts: Sendable {
    let answers = Atomic(0)
    let errors = Atomic(0)
  }
}
