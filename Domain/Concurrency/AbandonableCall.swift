import Synchronization

/// A call whose caller may leave before it ends: if the caller leaves first, the call's result is discarded.
///
/// The work runs in a separate task. A caller whose task is cancelled returns immediately, at any stage of the work;
/// the work's task is cancelled too, and may end later.
package final class AbandonableCall<Value: Sendable>: Sendable {
  package typealias Work = @Sendable (AbandonableCall) async throws(AuthenticationError) -> Value
  private typealias Outcome = Result<Value, AuthenticationError>

  private struct Contents {
    var caller: CheckedContinuation<Outcome, Never>?
    var work: Task<Void, Never>?
    var departure: AuthenticationError?
    var isCommitted = false
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// Starts the work and returns its result.
  ///
  /// If the process was suspended before the end of `limit`, the caller waits on for as long as the timer was late, at
  /// most 5 seconds: the response may have come already.
  ///
  /// - Parameters:
  ///   - limit: after this time the caller leaves with ``AuthenticationError/timedOut``; by default never.
  ///   - clock: measures it.
  ///   - executor: where the work runs; by default the system's pool.
  /// - Throws: the work's error, ``AuthenticationError/cancelled`` as soon as the caller's task is cancelled, or
  ///   the error that ``leave(_:)`` was given.
  package func run(
    within limit: Duration? = nil, by clock: any AuthenticationClock = SystemClock(),
    on executor: (any TaskExecutor)? = nil, _ work: @escaping Work
  ) async throws(AuthenticationError) -> Value {
    let deadline = limit.map { limit in
      Task.detached(executorPreference: executor) {
        let end = clock.uptime + limit
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        let late = clock.uptime - end
        if late > .zero, (try? await clock.sleep(for: min(late, .seconds(5)))) == nil { return }
        self.leave(.timedOut)
      }
    }
    defer { deadline?.cancel() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { start(work, on: executor, for: $0) }
    } onCancel: {
      leave(.cancelled)
    }
    return try outcome.get()
  }

  /// Whether the caller has left, so that the result will be discarded.
  package var isAbandoned: Bool { contents.withLock { $0.departure != nil } }

  /// Makes the caller stay until the work has ended.
  ///
  /// - Returns: false if the caller has left: the result is to be discarded.
  package func commit() -> Bool {
    contents.withLock { contents in
      if contents.departure == nil { contents.isCommitted = true }
      return contents.isCommitted
    }
  }

  /// Ends the caller's wait with this error, and cancels the work; does nothing once the call has returned.
  package func leave(_ error: AuthenticationError) {
    let (caller, work): (CheckedContinuation<Outcome, Never>?, Task<Void, Never>?) = contents.withLock { contents in
      guard !contents.isCommitted, contents.departure == nil else { return (nil, nil) }
      contents.departure = error
      defer { contents.caller = nil }
      return (contents.caller, contents.work)
    }
    work?.cancel()
    caller?.resume(returning: .failure(error))
  }

  private func start(
    _ work: @escaping Work, on executor: (any TaskExecutor)?, for caller: CheckedContinuation<Outcome, Never>
  ) {
    let departure = contents.withLock { contents in
      if contents.departure == nil { contents.caller = caller }
      return contents.departure
    }
    if let departure { caller.resume(returning: .failure(departure)) }
    let task = Task(executorPreference: executor) {
      do throws(AuthenticationError) { self.end(.success(try await work(self))) } catch { self.end(.failure(error)) }
    }
    let isAbandoned = contents.withLock { contents in
      contents.work = task
      return contents.departure != nil
    }
    if isAbandoned { task.cancel() }
  }

  private func end(_ outcome: Outcome) {
    let caller = contents.withLock { contents in
      contents.isCommitted = contents.departure == nil
      defer { contents.caller = nil }
      return contents.caller
    }
    caller?.resume(returning: outcome)
  }
}

extension AbandonableCall {
  /// As ``run(within:by:on:_:)``, for work that does not depend on whether its caller stays.
  package static func run(
    on executor: (any TaskExecutor)? = nil, _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    try await AbandonableCall().run(on: executor) { _ throws(AuthenticationError) in try await work() }
  }
}

extension Result where Failure == AuthenticationError {
  /// The result of the work. Not isolated: an actor with a custom executor that calls it continues with the work
  /// without giving way to another call.
  package static func of(_ work: () async throws(AuthenticationError) -> Success) async -> Self {
    do throws(AuthenticationError) { return .success(try await work()) } catch { return .failure(error) }
  }
}
