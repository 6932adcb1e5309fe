import Synchronization

/// The delivery of revocations to the provider: the one in progress, the sessions of other devices that end before it,
/// and what failed.
///
/// Whoever starts a delivery tells it which revocations are queued, and queues and sends them itself.
final class RevocationDelivery: Sendable {
  private struct Contents {
    var task: Task<[AuthenticationError], Never>?
    /// Sessions that were signed out everywhere: those of other devices end before the tokens of these are revoked.
    var endingOthers: [AuthSession] = []
    /// Why the sign-out on all devices, the latest sign-out, left sessions on other ones. Each delivery returns it until
    /// the next sign-in or sign-out: it stays true.
    var othersRemain: AuthenticationError?
    /// Counts the sign-ins and sign-outs: a failure of an earlier one is no news of the latest.
    var round = 0
    /// Of the delivery in progress, or of the latest one.
    var failures: [AuthenticationError] = []

    var result: [AuthenticationError] { [othersRemain].compactMap { $0 } + failures }
  }

  /// What a delivery does for each thing to be delivered. A call that hangs must not delay those after it for ever.
  struct Steps: Sendable {
    let endOthers: @Sendable (AuthSession) async throws(AuthenticationError) -> Void
    /// The next queued revocation; nil if none is left that is not among those that were tried. In that case, before any
    /// other revocation can be queued, it calls ``RevocationDelivery/end()``.
    let next: @Sendable (_ tried: [SessionTokens]) async -> PendingRevocation?
    let send: @Sendable (PendingRevocation) async throws(AuthenticationError) -> Void
  }

  private let contents = Mutex(Contents())
  private let executor: (any TaskExecutor)?

  init(executor: (any TaskExecutor)?) { self.executor = executor }

  /// A user signs in or out: what is known of the sessions of other devices is no longer true.
  func beginRound() {
    contents.withLock { contents in
      contents.othersRemain = nil
      contents.round += 1
    }
  }

  /// Ends the sessions of other devices with the next delivery.
  func endOthers(than session: AuthSession) { contents.withLock { $0.endingOthers.append(session) } }

  /// Starts a delivery, unless one is in progress.
  func start(_ steps: Steps) {
    contents.withLock { contents in
      guard contents.task == nil else { return }
      contents.failures = []
      contents.task = Task(executorPreference: executor) { await self.run(steps) }
    }
  }

  /// What failed in the delivery in progress, or in the latest one.
  func result() async -> [AuthenticationError] {
    let (task, result) = contents.withLock { ($0.task, $0.result) }
    return await task?.value ?? result
  }

  /// Ends the delivery in progress: nothing is left to deliver. The next start begins another one.
  ///
  /// - Returns: false while sessions of other devices are to be ended.
  func end() -> Bool {
    contents.withLock { contents in
      guard contents.endingOthers.isEmpty else { return false }
      contents.task = nil
      return true
    }
  }

  private func run(_ steps: Steps) async -> [AuthenticationError] {
    var tried: [SessionTokens] = []
    while true {
      let other = contents.withLock { contents in
        contents.endingOthers.isEmpty ? nil : (contents.endingOthers.removeFirst(), contents.round)
      }
      if let (session, round) = other {
        do throws(AuthenticationError) {
          try await steps.endOthers(session)
        } catch {
          contents.withLock { if $0.round == round { $0.othersRemain = .othersRemain(because: error) } }
        }
        continue
      }
      guard let revocation = await steps.next(tried) else {
        if contents.withLock({ $0.endingOthers.isEmpty }) { break }
        continue
      }
      tried.append(revocation.tokens)
      do throws(AuthenticationError) {
        try await steps.send(revocation)
      } catch {
        contents.withLock { $0.failures.append(error) }
      }
    }
    return contents.withLock { $0.result }
  }
}

extension AuthenticationError {
  static func othersRemain(because error: AuthenticationError) -> Self {
    Self(
      .otherSessionsRemain, "The session has ended here; those on other devices could not be ended (\(error.code)).",
      suggestion: "Tell the user, who can sign in again and end them one by one.", cause: error.cause)
  }
}
