public import AuthenticationDomain
public import Foundation

/// A clock that moves only when a test says so; sleepers wake when their time has come.
///
/// ```swift
/// let clock = ManualClock()
/// let root = try MainRoot(.mock(.success(.ada))) { $0.clock = clock }
/// clock.advance(by: .seconds(3_600))
/// ```
public final class ManualClock: AuthenticationClock {
  private struct Sleeper {
    let wakesAt: Duration
    let continuation: CheckedContinuation<Result<Void, CancellationError>, Never>
  }

  private struct Contents {
    var now: Date
    var uptime: Duration = .seconds(1_000)
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
  }

  private let contents: AwaitableState<Contents>

  /// Starts at 2026-01-01 00:00:00 UTC unless told otherwise.
  public init(now: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
    contents = AwaitableState(Contents(now: now))
  }

  public var now: Date { contents.value.now }
  public var uptime: Duration { contents.value.uptime }

  /// Lets time pass on both clocks.
  public func advance(by duration: Duration) {
    let due = contents.update { contents in
      contents.uptime += duration
      contents.now.addTimeInterval(duration / .seconds(1))
      let due = contents.sleepers.filter { $0.value.wakesAt <= contents.uptime }
      for id in due.keys { contents.sleepers.removeValue(forKey: id) }
      return due.values.sorted { $0.wakesAt < $1.wakesAt }
    }
    for sleeper in due { sleeper.continuation.resume(returning: .success(())) }
  }

  /// Makes the wall clock jump; the monotonic clock does not notice.
  public func jumpWallClock(by duration: Duration) {
    contents.update { $0.now.addTimeInterval(duration / .seconds(1)) }
  }

  /// Returns as soon as at least `count` callers sleep, or the task is cancelled.
  public func waitForSleepers(_ count: Int = 1) async { await contents.wait { $0.sleepers.count >= count } }

  /// Returns as soon as a caller sleeps that wakes within `limit`, or the task is cancelled. Callers with a longer
  /// limit, such as the timeout of a call in progress, do not count.
  package func waitForSleeper(wakingWithin limit: Duration) async {
    await contents.wait { contents in contents.sleepers.values.contains { $0.wakesAt <= contents.uptime + limit } }
  }

  public func sleep(for duration: Duration) async throws(CancellationError) {
    let id = contents.update { contents in
      contents.nextID += 1
      return contents.nextID
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let answer = add(continuation, as: id, for: duration) { continuation.resume(returning: answer) }
      }
    } onCancel: {
      contents.update { $0.sleepers.removeValue(forKey: id) }?
        .continuation.resume(returning: .failure(CancellationError()))
    }
    try result.get()
  }

  private func add(
    _ continuation: CheckedContinuation<Result<Void, CancellationError>, Never>, as id: Int, for duration: Duration
  ) -> Result<Void, CancellationError>? {
    contents.update { contents in
      if Task.isCancelled { return .failure(CancellationError()) }
      if duration <= .zero { return .success(()) }
      contents.sleepers[id] = Sleeper(wakesAt: contents.uptime + duration, continuation: continuation)
      return nil
    }
  }
}
