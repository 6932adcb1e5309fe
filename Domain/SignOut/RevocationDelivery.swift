import Synchronization

/// The delivery of revocations to the provider: the one in progress, the sessions of other devices that end before it,
/// and what failed.
///
/// The queue of revocations is its owner's, who tells what comes next, and sends it.
final class RevocationDelivery: Sendable {
  enum Item: Sendable {
    /// The sessions of other devices than this one's end before its tokens are revoked.
    case others(than: AuthSession, round: Int)
    case revocation(PendingRevocation)
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
  private let executor: (any TaskExecutor)?

  init(executor: (any TaskExecutor)?) { self.executor = executor }

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
  /// - Parameters:
  ///   - next: what comes next, given the tokens that were tried and the failures until then. It returns nil after it has
  ///     called ``end(_:)``, with nothing queued in between.
  ///   - deliver: sends it; it must return in the end.
  func start(
    _ next: @escaping @Sendable ([SessionTokens], [AuthenticationError]) async -> Item?,
    deliver: @escaping @Sendable (Item) async throws(AuthenticationError) -> Void
  ) {
    contents.withLock { contents in
      guard contents.task == nil else { return }
      contents.task = Task(executorPreference: executor) { await self.run(next, deliver) }
    }
  }

  /// Ends the delivery in progress: nothing is left to deliver. The next start begins another one.
  func end(_ failures: [AuthenticationError]) {
    contents.withLock { ($0.task, $0.failures) = (nil, failures) }
  }

  /// What failed in the delivery in progress, after its end, or in the latest one.
  func result() async -> [AuthenticationError] {
    let (task, result) = contents.withLock { ($0.task, $0.result($0.failures)) }
    return await task?.value ?? result
  }

  private func run(
    _ next: @Sendable ([SessionTokens], [AuthenticationError]) async -> Item?,
    _ deliver: @Sendable (Item) async throws(AuthenticationError) -> Void
  ) async -> [AuthenticationError] {
    var (tried, failures): ([SessionTokens], [AuthenticationError]) = ([], [])
    while let item = await next(tried, failures) {
      if case .revocation(let revocation) = item { tried.append(revocation.tokens) }
      do throws(AuthenticationError) {
        try await deliver(item)
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
}

extension AuthenticationError {
  static func othersRemain(because error: AuthenticationError) -> Self {
    Self(
      .otherSessionsRemain, "The session has ended here; those on other devices could not be ended (\(error.code)).",
      suggestion: "Tell the user, who can sign in again and end them one by one.", cause: error.cause)
  }
}
