import Synchronization

extension RuntimeSession {
  /// Waits for the end of one refresh, which the first caller starts. A cancelled caller leaves; the refresh continues.
  ///
  /// - Parameter inAnyCase: whether the caller waits although there is a usable session.
  func renewed(
    at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?, inAnyCase: Bool = false,
    start: @Sendable (_ round: Int) -> Void
  ) async -> Answer {
    let place = Place()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(
          continuation, at: place, on: uptime, rejecting: rejected, lasting: wanted, inAnyCase: inAnyCase, start: start)
      }
    } onCancel: {
      contents.withLock { $0.leave(place) }?.resume(returning: Answer(nil, failure: .cancelled))
    }
  }

  // Not inlined: its temporaries would stay in the frame of each of thousands of waiting callers.
  @inline(never)
  private func enter(
    _ caller: CheckedContinuation<Answer, Never>, at place: Place, on uptime: Duration,
    rejecting rejected: AccessToken?, lasting wanted: Duration?, inAnyCase: Bool, start: (_ round: Int) -> Void
  ) {
    let (answer, round): (Answer?, Int?) = contents.withLock { contents in
      if !inAnyCase, let session = contents.session(at: uptime, rejecting: rejected, lasting: wanted) {
        return (Answer(session, failure: nil), nil)
      }
      if Task.isCancelled { return (Answer(nil, failure: .cancelled), nil) }
      contents.join(caller, at: place)
      if contents.isRenewing { return (nil, nil) }
      contents.isRenewing = true
      contents.round += 1
      return (nil, contents.round)
    }
    if let answer { caller.resume(returning: answer) }
    if let round { start(round) }
  }

  /// Whether a caller waits for a refresh.
  var isAwaited: Bool { contents.withLock { $0.isRenewing } }

  /// Resumes all waiting callers, and lets the next caller start another refresh.
  func settle(_ session: AuthSession?, failure: AuthenticationError?) {
    let (round, times) = contents.withLock { ($0.endRound(), $0.times) }
    round.answer(Answer(session, failure: failure, times: times))
  }

  /// Ends the waiting for this round after a timeout; the refresh continues, and its outcome is published later.
  func limit(
    round: Int, to timeout: Duration, by clock: any AuthenticationClock, on executor: (any TaskExecutor)? = nil
  ) {
    let deadline = Task.detached(executorPreference: executor) { [weak self] in
      guard (try? await clock.sleep(for: timeout)) != nil else { return }
      self?.giveUp(round, at: clock.uptime)
    }
    let isOver = contents.withLock { contents in
      guard contents.isRenewing, contents.round == round else { return true }
      contents.deadline = deadline
      return false
    }
    if isOver { deadline.cancel() }
  }

  /// Resumes the callers after the timeout: with the current token if it is still usable, as during an early refresh.
  private func giveUp(_ round: Int, at uptime: Duration) {
    let ended: (EndedRound, Answer)? = contents.withLock { contents in
      guard contents.isRenewing, contents.round == round else { return nil }
      let answer = Answer(contents.usable, failure: .timedOut, times: contents.times)
      return (contents.endRound(), answer)
    }
    if let (round, answer) = ended { round.answer(answer) }
  }
}

/// Where a caller waits: which queue, and its index there. Written and read under the lock.
private final class Place: Sendable {
  let value = Atomic(-1)
}

extension RuntimeSession.Contents {
  fileprivate mutating func join(_ caller: CheckedContinuation<RuntimeSession.Answer, Never>, at place: Place) {
    place.value.store(queue << 32 | waiters.count, ordering: .relaxed)
    waiters.append(caller)
  }

  /// Nil if the caller does not wait: not yet, or no longer.
  fileprivate mutating func leave(_ place: Place) -> CheckedContinuation<RuntimeSession.Answer, Never>? {
    let value = place.value.load(ordering: .relaxed)
    guard value >= 0, value >> 32 == queue else { return nil }
    let index = value & 0xFFFF_FFFF
    defer { waiters[index] = nil }
    return waiters[index]
  }

  fileprivate mutating func endRound() -> EndedRound {
    defer {
      isRenewing = false
      waiters = []
      queue += 1
      deadline = nil
    }
    return EndedRound(waiters: waiters, deadline: deadline)
  }
}

/// What remains to be done for a round once the lock is released.
private struct EndedRound {
  let waiters: [CheckedContinuation<RuntimeSession.Answer, Never>?]
  let deadline: Task<Void, Never>?

  /// In the order they came: a task group of 10,000 needs 0.2 seconds more if its children end out of order.
  func answer(_ answer: RuntimeSession.Answer) {
    deadline?.cancel()
    for waiter in waiters { waiter?.resume(returning: answer) }
  }
}
