import Synchronization

/// A call whose caller may leave before it ends: if the caller leaves first, the call's result is discarded.
///
/// The work runs in a task of its own. A caller whose task is cancelled returns immediately, whatever the work does;
/// the work's task is cancelled too, and may end later.
package final class AbandonableCall<Value: Sendable>: Sendable {
  package typealias Answer = Result<Value, AuthenticationError>

  private struct Contents {
    var caller: CheckedContinuation<Answer, Never>?
    var work: Task<Void, Never>?
    var departure: AuthenticationError?
    var isSettled = false
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// Starts the work and returns its result.
  ///
  /// - Throws: the work's error, ``AuthenticationError/cancelled`` as soon as the caller's task is cancelled, or
  ///   the error that ``leave(_:)`` was given.
  package func run(
    on executor: (any TaskExecutor)? = nil, _ work: @escaping @Sendable (AbandonableCall) async -> Answer
  ) async throws(AuthenticationError) -> Value {
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { start(work, on: executor, for: $0) }
    } onCancel: {
      leave(.cancelled)
    }
    return try answer.get()
  }

  /// As ``run(on:_:)``; the caller leaves with ``AuthenticationError/timedOut`` after `limit`.
  ///
  /// If the process was suspended meanwhile, the caller waits on for as long as the timer was late, at most 5 seconds:
  /// the response may have come already.
  package func run(
    within limit: Duration, by clock: any AuthenticationClock, on executor: (any TaskExecutor)? = nil,
    _ work: @escaping @Sendable (AbandonableCall) async -> Answer
  ) async throws(AuthenticationError) -> Value {
    let deadline = Task.detached(executorPreference: executor) {
      let end = clock.uptime + limit
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      let late = clock.uptime - end
      if late > .zero, (try? await clock.sleep(for: min(late, .seconds(5)))) == nil { return }
      self.leave(.timedOut)
    }
    defer { deadline.cancel() }
    return try await run(on: executor, work)
  }

  /// Whether the caller has left, so that the result will be discarded.
  package var isAbandoned: Bool { contents.withLock { $0.departure != nil } }

  /// Makes the caller stay until the work has ended.
  ///
  /// - Returns: false if the caller has left: the result is to be discarded.
  package func settle() -> Bool {
    contents.withLock { contents in
      if contents.departure == nil { contents.isSettled = true }
      return contents.isSettled
    }
  }

  /// Ends the caller's wait with this error, and cancels the work; does nothing once the call is settled.
  package func leave(_ error: AuthenticationError) {
    let (caller, work) = contents.withLock { contents in
      guard !contents.isSettled, contents.departure == nil else {
        return (nil as CheckedContinuation<Answer, Never>?, nil as Task<Void, Never>?)
      }
      contents.departure = error
      defer { contents.caller = nil }
      return (contents.caller, contents.work)
    }
    work?.cancel()
    caller?.resume(returning: .failure(error))
  }

  private func start(
    _ work: @escaping @Sendable (AbandonableCall) async -> Answer, on executor: (any TaskExecutor)?,
    for caller: CheckedContinuation<Answer, Never>
  ) {
    let departure = contents.withLock { contents in
      if contents.departure == nil { contents.caller = caller }
      return contents.departure
    }
    if let departure { caller.resume(returning: .failure(departure)) }
    let task = Task(executorPreference: executor) { self.end(await work(self)) }
    let isAbandoned = contents.withLock { contents in
      contents.work = task
      return contents.departure != nil
    }
    if isAbandoned { task.cancel() }
  }

  private func end(_ answer: Answer) {
    let caller = contents.withLock { contents in
      contents.isSettled = contents.departure == nil
      defer { contents.caller = nil }
      return contents.caller
    }
    caller?.resume(returning: answer)
  }
}

extension AbandonableCall {
  /// As ``run(on:_:)``, for work that does not depend on whether its caller stays.
  package static func run(
    on executor: (any TaskExecutor)? = nil, _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    try await AbandonableCall().run(on: executor) { _ in
      do throws(AuthenticationError) { return .success(try await work()) } catch { return .failure(error) }
    }
  }
}
