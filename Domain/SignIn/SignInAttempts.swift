import Synchronization

/// Begins attempts, one at a time, and keeps the one that is in progress: the one way in for every screen of an app.
///
/// Who is signed in is published by ``SessionControl/states()``, whichever method was used.
///
/// ```swift
/// for method in root.attempts.methods { addButton(method) }
/// let attempt = try root.attempts.begin(.password)
/// attempt.submit(SignInInput([.userName: "ada", .password: typed]))
/// ```
public final class SignInAttempts: Sendable {
  private let processes: [SignInProcess]
  private let surroundings: SignInAttempt.Surroundings
  private let links: SignInLink?
  private let contents = Mutex(Contents())

  private struct Contents {
    var current: SignInAttempt?
    var usedLinks: Set<Secret> = []
  }

  /// Composes the ways to sign in.
  ///
  /// - Parameters:
  ///   - processes: one for each method, in the order of the buttons.
  ///   - useCase: what every submit and every answer goes through, its decorators included.
  ///   - pending: keeps a challenge for a relaunch; nil keeps none.
  ///   - links: where links from e-mails lead; nil if there are none.
  ///   - clock: the time; replace it in a test.
  ///   - dropChallenge: runs when an attempt is given up at a challenge, so that the session's state forgets it.
  public convenience init(
    _ processes: [SignInProcess], useCase: any AuthenticationUseCase, pending: (any PendingSignInStore)? = nil,
    links: SignInLink? = nil, clock: any AuthenticationClock = SystemClock(),
    dropChallenge: @escaping @Sendable (Challenge) async -> Void = { _ in }
  ) {
    self.init(
      processes, useCase: useCase, pending: pending, links: links, clock: clock, dropChallenge: dropChallenge,
      makeID: { RecordID.random() })
  }

  /// Composes attempts whose chance and threads a simulation may replace.
  ///
  /// - Parameters:
  ///   - makeID: names attempts.
  ///   - taskExecutor: where they run; by default the system's pool.
  package init(
    _ processes: [SignInProcess], useCase: any AuthenticationUseCase, pending: (any PendingSignInStore)?,
    links: SignInLink?, clock: any AuthenticationClock,
    dropChallenge: @escaping @Sendable (Challenge) async -> Void,
    makeID: @escaping @Sendable () -> RecordID, taskExecutor: (any TaskExecutor)? = nil
  ) {
    self.processes = processes
    self.links = links
    surroundings = .init(
      useCase: useCase, clock: clock, pending: pending, dropChallenge: dropChallenge, makeID: makeID,
      taskExecutor: taskExecutor)
  }

  /// What draws the buttons, in order.
  public var methods: [SignInMethod] { processes.map(\.method) }

  /// The attempt in progress, or the last one; nil before the first.
  public var current: SignInAttempt? { contents.withLock { $0.current } }

  /// Begins an attempt; one that is in progress ends as ``SignInAttempt/End/replaced`` and stores nothing.
  ///
  /// - Parameter method: one of ``methods``.
  /// - Returns: the attempt, which waits for ``SignInAttempt/submit(_:)``.
  /// - Throws: ``AuthenticationError/Code/unsupportedMethod`` for any other method.
  @discardableResult
  public func begin(_ method: SignInMethod) throws(AuthenticationError) -> SignInAttempt {
    replace(with: SignInAttempt(try process(of: method), in: surroundings))
  }

  /// Goes on with the step that was pending when the app was closed. Nothing is sent.
  ///
  /// - Returns: the attempt at its challenge; nil if none is pending, or if it is no longer accepted.
  public func resume() async -> SignInAttempt? {
    guard let pending = await surroundings.pending?.pending() else { return nil }
    guard let age = pending.age(at: surroundings.clock.now),
      let process = processes.first(where: { $0.method.id == pending.method })
    else {
      await surroundings.pending?.remove(pending.attempt)
      return nil
    }
    if let current, current.id == pending.attempt { return current }
    return replace(
      with: SignInAttempt(
        process, in: surroundings, id: pending.attempt, state: .challenged(pending.challenge, nil),
        challengedAt: surroundings.clock.uptime - age))
  }

  /// Removes the step that is kept for a relaunch. Nothing is sent.
  public func forgetPending() async { await surroundings.pending?.removeAll() }

  /// Undoes what the device remembers of a method, after a sign-out: a vendor's credential state, for example.
  ///
  /// - Throws: ``AuthenticationError`` if it could not be undone.
  public func forget(_ user: User, of method: SignInMethod) async throws(AuthenticationError) {
    try await process(of: method).forget(user)
  }

  private func process(of method: SignInMethod) throws(AuthenticationError) -> SignInProcess {
    guard let process = processes.first(where: { $0.method == method }) else { throw .unsupportedMethod(method) }
    return process
  }

  private func replace(with attempt: SignInAttempt) -> SignInAttempt {
    let former = contents.withLock { contents in
      defer { contents.current = attempt }
      return contents.current
    }
    former?.end(.replaced)
    return attempt
  }
}

// MARK: - Links

extension SignInAttempts {
  /// Takes a link that the system passed to the app.
  ///
  /// The attempt that waits for it goes on. If none does, because the link was opened on another device or the pending
  /// step was lost, a new attempt asks for the address: it is never taken from the link.
  ///
  /// - Returns: the attempt that has the link.
  /// - Throws: ``AuthenticationError/Code/invalidLink`` for a link that leads elsewhere or was taken before, and while
  ///   an attempt is busy or waits for something else: that goes on.
  @discardableResult
  public func open(_ link: Secret) async throws(AuthenticationError) -> SignInAttempt {
    guard let url = links?.url(in: link) else { throw .invalidLink }
    if let current, current.state.isWorking { throw .invalidLink }
    let waiting = if let current, current.state.challenge != nil { current } else { await resume() }
    if let challenge = waiting?.state.challenge, challenge.kind != .link { throw .invalidLink }
    let isNew = contents.withLock { $0.usedLinks.insert(link).inserted }
    guard isNew || waiting?.state.failure?.code.disposition == .transient else { throw .invalidLink }
    if let waiting, let challenge = waiting.state.challenge {
      waiting.answer(ChallengeAnswer(to: challenge, .link(url)))
      return waiting
    }
    return replace(with: SignInAttempt(try process(of: .emailLink), in: surroundings, link: link))
  }
}
