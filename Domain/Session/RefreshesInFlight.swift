import Synchronization

/// Counts the refreshes whose token may have left and whose outcome is not stored, so that a process can wait for them
/// before it ends.
package final class RefreshesInFlight: Sendable {
  private struct Contents {
    var count = 0
    var isDraining = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())

  package init() {}

  package var isSome: Bool { contents.withLock { $0.count > 0 } }

  /// Whether none may begin any more.
  package var isDraining: Bool { contents.withLock { $0.isDraining } }

  /// Returns false if none may begin any more; otherwise ``end()`` must follow.
  package func begin() -> Bool {
    contents.withLock { contents in
      if !contents.isDraining { contents.count += 1 }
      return !contents.isDraining
    }
  }

  package func end() {
    let waiting = contents.withLock { contents in
      contents.count -= 1
      guard contents.count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for caller in waiting { caller.resume() }
  }

  /// Lets none begin, and returns when the last has ended, or after the limit.
  package func drain(
    within limit: Duration, by clock: any AuthenticationClock, on executor: (any TaskExecutor)? = nil
  ) async {
    // In a separate task: a server that stops has often cancelled the one that calls this.
    await Task.detached(executorPreference: executor) {
      try? await AbandonableCall().run(within: limit, by: clock, on: executor) { _ in await self.drain() }
    }.value
  }

  private func drain() async {
    await withCheckedContinuation { caller in
      let isEmpty = contents.withLock { contents in
        contents.isDraining = true
        if contents.count > 0 { contents.waiting.append(caller) }
        return contents.count == 0
      }
      if isEmpty { caller.resume() }
    }
  }
}

extension AuthenticationError {
  /// Nothing was sent.
  package static let processEnds = Self(
    .cancelled, "The process is about to end, and requests no token any more."
  ).with(\.isHeldOff, true)
}
