public import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A clock that moves only when a test says so; sleepers wake when their time has come.
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
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let contents: Mutex<Contents>

  /// Starts at 2026-01-01 00:00:00 UTC unless told otherwise.
  public init(now: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
    contents = Mutex(Contents(now: now))
  }

  public var now: Date { contents.withLock { $0.now } }
  public var uptime: Duration { contents.withLock { $0.uptime } }

  /// Lets time pass on both clocks.
  public func advance(by duration: Duration) {
    let due = contents.withLock { contents in
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
    contents.withLock { $0.now.addTimeInterval(duration / .seconds(1)) }
  }

  /// Returns as soon as at least `count` callers sleep.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isMet = contents.withLock { contents in
        if contents.sleepers.count >= count { return true }
        contents.watchers.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  public func sleep(for duration: Duration) async throws(CancellationError) {
    let id = contents.withLock { contents in
      contents.nextID += 1
      return contents.nextID
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, met) = add(continuation, as: id, for: duration)
        if let answer { continuation.resume(returning: answer) }
        for watcher in met { watcher.resume() }
      }
    } onCancel: {
      contents.withLock { $0.sleepers.removeValue(forKey: id) }?
        .continuation.resume(returning: .failure(CancellationError()))
    }
    try result.get()
  }

  private func add(
    _ continuation: CheckedContinuation<Result<Void, CancellationError>, Never>, as id: Int, for duration: Duration
  ) -> (Result<Void, CancellationError>?, [CheckedContinuation<Void, Never>]) {
    contents.withLock { contents in
      if Task.isCancelled { return (.failure(CancellationError()), []) }
      if duration <= .zero { return (.success(()), []) }
      contents.sleepers[id] = Sleeper(wakesAt: contents.uptime + duration, continuation: continuation)
      let count = contents.sleepers.count
      let met = contents.watchers.filter { $0.count <= count }.map(\.continuation)
      contents.watchers.removeAll { $0.count <= count }
      return (nil, met)
    }
  }
}
