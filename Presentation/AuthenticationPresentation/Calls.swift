package import AuthenticationDomain

/// One call at a time. The result of a call that was cancelled or replaced is dropped.
@MainActor
package final class CurrentCall {
  private var task: Task<Void, Never>?
  private var id = 0

  package init() {}

  package var isRunning: Bool { task != nil }

  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value,
    then show: @escaping @MainActor (Result<Value, AuthenticationError>) -> Void
  ) {
    task?.cancel()
    id += 1
    let id = id
    task = Task { [weak self] in
      let result = await Result.of { () async throws(AuthenticationError) in try await AbandonableCall.run(work) }
      guard let self, self.id == id else { return }
      self.task = nil
      show(result)
    }
  }

  package func cancel() {
    id += 1
    task?.cancel()
    task = nil
  }

  /// Returns when no call is in progress.
  package func finished() async {
    while let task { await task.value }
  }
}

/// A moment of the injected clock. It is kept as uptime: setting the wall clock does not move it.
public struct Deadline: Sendable, Hashable {
  private let uptime: Duration

  package init(in duration: Duration, by clock: any AuthenticationClock) { uptime = clock.uptime + duration }

  /// Returns how long it is until then; zero once it has passed.
  package func timeLeft(by clock: any AuthenticationClock) -> Duration { max(.zero, uptime - clock.uptime) }

  /// Returns the whole seconds until then, rounded up: 1 until it has passed.
  package func secondsLeft(by clock: any AuthenticationClock) -> Int { timeLeft(by: clock).roundedUpSeconds }

  package func isOver(by clock: any AuthenticationClock) -> Bool { clock.uptime >= uptime }
}

/// Calls at one deadline; setting another one replaces it.
@MainActor
package final class Alarm {
  private let clock: any AuthenticationClock
  private var deadline: Deadline?
  private var task: Task<Void, Never>?

  package init(_ clock: any AuthenticationClock) { self.clock = clock }

  deinit { task?.cancel() }

  /// Does nothing if it is set to this deadline already.
  package func set(_ deadline: Deadline?, _ ring: @escaping @MainActor () -> Void = {}) {
    guard deadline != self.deadline else { return }
    self.deadline = deadline
    task?.cancel()
    task = nil
    guard let deadline else { return }
    task = Task { [clock, weak self] in
      guard (try? await clock.sleep(for: deadline.timeLeft(by: clock))) != nil, let self, self.deadline == deadline
      else { return }
      self.deadline = nil
      ring()
    }
  }
}
