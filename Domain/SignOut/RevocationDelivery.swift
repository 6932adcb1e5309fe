import Synchronization

/// The delivery of revocations to the provider: the one in progress, the sessions of other devices that end before it,
/// and the failures.
///
/// The queue of revocations is its owner's, which names the next item.
final class RevocationDelivery: Sendable {
  enum Item: Sendable {
    /// The sessions of other devices than this one's end before its tokens are revoked.
    case others(than: AuthSession, round: Int)
    case revocation(PendingRevocation)
  }

  /// The owner of the queue.
  struct Queue: Sendable {
    /// The next item, given the tried tokens and the failures until then. It returns nil after it has called
    /// ``RevocationDelivery/end(_:)``, with nothing queued in between.
    let next: @Sendable ([SessionTokens], [AuthenticationError]) async -> Item?
    /// Has the provider revoke these tokens, and takes note of the result.
    let send: @Sendable (PendingRevocation) async throws(AuthenticationError) -> Void
    /// Tokens came that will not be used: they are revoked as well.
    let orphaned: @Sendable (AuthSession) async -> Void
  }

  private struct Contents {
    var task: Task<[AuthenticationError], Never>?
    var others: [Item] = []
    /// Why the sign-out on all devices, the latest sign-out, left sessions on other ones. Each delivery returns it until
    /// the next sign-in or sign-out: it stays true.
    var othersRemain: AuthenticationError?
    /// Counts the sign-ins and sign-outs: a failure of an earlier one is no news of the latest.
    var round = 0
    /// Of the latest delivery that has ended.
    var failures: [AuthenticationError] = []

    func result(_ failures: [AuthenticationError]) -> [AuthenticationError] {
      [othersRemain].compactMap { $0 } + failures
    }
  }

  private let contents = Mutex(Contents())
  private let provider: any RemoteAuthProvider
  private let limit: Duration
  private let clock: any AuthenticationClock
  private let executor: (any TaskExecutor)?

  /// - Parameter limit: how long one request may delay those after it.
  init(
    provider: any RemoteAuthProvider, limit: Duration, clock: any AuthenticationClock, executor: (any TaskExecutor)?
  ) {
    (self.provider, self.limit, self.clock, self.executor) = (provider, limit, clock, executor)
  }

  /// A user signs in or out: whether sessions of other devices remain is not known any more.
  func beginRound() {
    contents.withLock { contents in
      contents.othersRemain = nil
      contents.round += 1
    }
  }

  /// Ends the sessions of other devices with the next delivery.
  func endOthers(than session: AuthSession) {
    contents.withLock { $0.others.append(.others(than: session, round: $0.round)) }
  }

  /// The next sessions of other devices to be ended.
  func takeOther() -> Item? { contents.withLock { $0.others.isEmpty ? nil : $0.others.removeFirst() } }

  /// Starts a delivery, unless one is in progress.
  ///
  /// - Parameter queue: returns the queue, whose owner stays until an item is sent; nil if there is no owner any more.
  func start(_ queue: @escaping @Sendable () -> Queue?) {
    contents.withLock { contents in
      guard contents.task == nil else { return }
      contents.task = Task(executorPreference: executor) { await self.run(queue) }
    }
  }

  /// Ends the delivery in progress: nothing is left to deliver. The next start begins another one.
  func end(_ failures: [AuthenticationError]) {
    contents.withLock { ($0.task, $0.failures) = (nil, failures) }
  }

  /// The failures of the delivery in progress, after its end, or of the latest one.
  func result() async -> [AuthenticationError] {
    let (task, result) = contents.withLock { ($0.task, $0.result($0.failures)) }
    return await task?.value ?? result
  }

  private func run(_ queue: @Sendable () -> Queue?) async -> [AuthenticationError] {
    var (tried, failures): ([SessionTokens], [AuthenticationError]) = ([], [])
    while let queue = queue(), let item = await queue.next(tried, failures) {
      if case .revocation(let revocation) = item { tried.append(revocation.tokens) }
      do throws(AuthenticationError) {
        try await send(item, of: queue)
      } catch {
        switch item {
        case .revocation: failures.append(error)
        case .others(_, let round):
          contents.withLock { if $0.round == round { $0.othersRemain = .othersRemain(because: error) } }
        }
      }
    }
    return contents.withLock { $0.result(failures) }
  }

  /// A request that hangs does not delay those after it; its response counts even if it comes after the limit.
  private func send(_ item: Item, of queue: Queue) async throws(AuthenticationError) {
    try await AbandonableCall().run(within: limit, by: clock, on: executor) { _ throws(AuthenticationError) in
      switch item {
      case .others(let session, _): try await self.endOthers(than: session, queue)
      case .revocation(let revocation): try await queue.send(revocation)
      }
    }
  }

  /// Tokens that an expired one is refreshed to are revoked as well.
  private func endOthers(than session: AuthSession, _ queue: Queue) async throws(AuthenticationError) {
    do throws(AuthenticationError) {
      try await provider.endSessions(otherThan: session)
    } catch {
      guard error == .accessTokenRefused, session.tokens.refresh != nil else { throw error }
      let refreshed = session.refreshed(with: try await provider.refresh(session))
      await queue.orphaned(refreshed)
      try await provider.endSessions(otherThan: refreshed)
    }
  }
}

extension AuthenticationError {
  static func othersRemain(because error: AuthenticationError) -> Self {
    Self(
      .otherSessionsRemain, "The session has ended here; those on other devices could not be ended (\(error.code)).",
      suggestion: "Tell the user, who can sign in again and end them one by one.", cause: error.cause)
  }
}
