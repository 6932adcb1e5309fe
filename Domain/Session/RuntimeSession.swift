import Synchronization

/// The session as requests see it: a snapshot behind a lock, and those who wait for it to be renewed.
///
/// Only ``AuthManager`` publishes into it. Nothing is called out of it while the lock is held.
final class RuntimeSession: Sendable {
  typealias Answer = Result<AuthSession, AuthenticationError>

  fileprivate struct Contents {
    var state = AuthenticationState.unknown
    var usable: AuthSession?
    /// The uptime from which ``usable`` is to be renewed, and that at which it ends; `nil` where unknown.
    var renewAt: Duration?
    var endsAt: Duration?
    /// Counts the renewals that were waited for; the current one has a deadline.
    var round = 0
    var isRenewing = false
    var deadline: Task<Void, Never>?
    var ticket = 0
    var waiters: [Int: CheckedContinuation<Answer, Never>] = [:]
    var listeners: [Int: AsyncStream<AuthenticationState>.Continuation] = [:]

    func session(at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?) -> AuthSession? {
      guard let usable else { return nil }
      if let wanted {
        if let endsAt, uptime + wanted >= endsAt { return nil }
      } else if let renewAt, uptime >= renewAt {
        return nil
      }
      if let rejected, rejected == usable.accessToken { return nil }
      return usable
    }
  }

  private let contents = Mutex(Contents())

  var state: AuthenticationState { contents.withLock { $0.state } }

  /// A session that can be used as it is, without waiting.
  func session(at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?) -> AuthSession? {
    contents.withLock { $0.session(at: uptime, rejecting: rejected, lasting: wanted) }
  }

  func publish(_ state: AuthenticationState, usable: AuthSession?, renewAt: Duration?, endsAt: Duration?) {
    let listeners = contents.withLock { contents in
      contents.usable = usable
      contents.renewAt = renewAt
      contents.endsAt = endsAt
      guard contents.state != state else { return [AsyncStream<AuthenticationState>.Continuation]() }
      contents.state = state
      return Array(contents.listeners.values)
    }
    for listener in listeners { listener.yield(state) }
  }
}

// MARK: - Waiting for a renewal

extension RuntimeSession {
  /// Waits for the end of one renewal, which the first to wait starts. A cancelled caller leaves; the renewal goes on.
  func renewed(
    at uptime: Duration, rejecting rejected: AccessToken?, lasting wanted: Duration?,
    start: @Sendable (_ round: Int) -> Void
  ) async -> Answer {
    let ticket = contents.withLock { contents in
      contents.ticket += 1
      return contents.ticket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, round): (Answer?, Int?) = contents.withLock { contents in
          if let session = contents.session(at: uptime, rejecting: rejected, lasting: wanted) {
            return (.success(session), nil)
          }
          if Task.isCancelled { return (.failure(.cancelled), nil) }
          contents.waiters[ticket] = continuation
          if contents.isRenewing { return (nil, nil) }
          contents.isRenewing = true
          contents.round += 1
          return (nil, contents.round)
        }
        if let answer { continuation.resume(returning: answer) }
        if let round { start(round) }
      }
    } onCancel: {
      contents.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume(returning: .failure(.cancelled))
    }
  }

  /// Answers everyone who waits, and lets the next caller start another renewal.
  func settle(_ answer: Answer) {
    contents.withLock { $0.endRound() }.answer(answer)
  }

  /// Ends the waiting for this round after a time; the renewal goes on, and its outcome is published when it comes.
  func limit(round: Int, to patience: Duration, by clock: any AuthenticationClock) {
    let deadline = Task.detached { [weak self] in
      guard (try? await clock.sleep(for: patience)) != nil else { return }
      self?.giveUp(round, at: clock.uptime)
    }
    let isOver = contents.withLock { contents in
      guard contents.isRenewing, contents.round == round else { return true }
      contents.deadline = deadline
      return false
    }
    if isOver { deadline.cancel() }
  }

  /// A token that was renewed early is still good.
  private func giveUp(_ round: Int, at uptime: Duration) {
    let (ended, answer): (EndedRound?, Answer) = contents.withLock { contents in
      guard contents.isRenewing, contents.round == round else { return (nil, .failure(.timedOut)) }
      let isOver = contents.endsAt.map { uptime >= $0 } ?? false
      return (
        contents.endRound(), isOver ? .failure(.timedOut) : contents.usable.map(Answer.success) ?? .failure(.timedOut)
      )
    }
    ended?.answer(answer)
  }
}

extension RuntimeSession.Contents {
  fileprivate mutating func endRound() -> EndedRound {
    defer {
      isRenewing = false
      waiters = [:]
      deadline = nil
    }
    return EndedRound(waiters: waiters, deadline: deadline)
  }
}

/// What a round leaves to do once the lock is released.
private struct EndedRound {
  let waiters: [Int: CheckedContinuation<RuntimeSession.Answer, Never>]
  let deadline: Task<Void, Never>?

  func answer(_ answer: RuntimeSession.Answer) {
    deadline?.cancel()
    for waiter in waiters.values { waiter.resume(returning: answer) }
  }
}

// MARK: - Listening

extension RuntimeSession {
  func states() -> AsyncStream<AuthenticationState> {
    let (stream, continuation) = AsyncStream.makeStream(of: AuthenticationState.self)
    let id = contents.withLock { contents in
      contents.ticket += 1
      contents.listeners[contents.ticket] = continuation
      // Nobody reads this stream yet, so that this calls nothing back.
      continuation.yield(contents.state)
      return contents.ticket
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.contents.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }
}
