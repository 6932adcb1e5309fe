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
  let processes: [SignInProcess]
  /// Proves who is signed in; nil if nothing can.
  let reauthentication: (any ReauthenticationUseCase)?
  let surroundings: SignInAttempt.Surroundings
  let links: SignInLink?
  let contents = Mutex(Contents())

  struct Contents {
    var current: SignInAttempt?
    var usedLinks: Set<Secret> = []
    /// The latest attempts of ``SignInAttempts/reauthenticating(_:)``.
    var reauthenticating: SignInAttempts?
  }

  /// Composes the ways to sign in.
  ///
  /// - Parameters:
  ///   - processes: one for each method, in the order of the buttons.
  ///   - useCase: what every submit and every answer goes through, its decorators included; if it is a
  ///     ``ReauthenticationUseCase``, a user can prove that they are present.
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
    reauthentication = useCase as? any ReauthenticationUseCase
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
  /// - Returns: the attempt at its challenge; nil if none is pending, if it is no longer accepted, or if another attempt
  ///   was begun meanwhile.
  public func resume() async -> SignInAttempt? {
    let before = current
    guard let restored = await restored() else { return nil }
    guard let attempt = place(restored, after: before) else { return nil }
    // The step that is kept may be a later one, which another process has got: the person in front of this one begins
    // again.
    if let left = attempt.timeLeft(), left <= .zero { return nil }
    return attempt
  }

  /// The attempt of the step that is kept for a relaunch; it is nobody's yet.
  func restored() async -> SignInAttempt? {
    guard let pending = await surroundings.pending?.pending() else { return nil }
    guard let age = pending.age(at: surroundings.clock.now),
      let process = processes.first(where: { $0.method.id == pending.method })
    else {
      await surroundings.pending?.remove(pending.attempt)
      return nil
    }
    return SignInAttempt(
      process, in: surroundings, id: pending.attempt, state: .challenged(pending.challenge, nil),
      challengedAt: surroundings.clock.uptime - age)
  }

  /// Cancels the attempt in progress, and removes the step that is kept for a relaunch. Nothing is sent.
  public func cancel() async {
    current?.cancel()
    cancelProof()
    await forgetPending()
  }

  private func cancelProof() { contents.withLock { $0.reauthenticating }?.current?.cancel() }

  /// A sign-out begins, which ends the attempt in progress (``SignInAttempt/signOutBegins()``) and a proof, and removes
  /// the step that is kept for a relaunch.
  package func signOutBegins() async {
    current?.signOutBegins()
    cancelProof()
    await forgetPending()
  }

  /// Removes the step that is kept for a relaunch. Nothing is sent.
  public func forgetPending() async { await surroundings.pending?.removeAll() }

  /// Undoes what the device remembers of a method, after a sign-out: a vendor's credential state, for example.
  ///
  /// - Throws: ``AuthenticationError`` if it could not be undone.
  public func forget(_ user: User, of method: SignInMethod) async throws(AuthenticationError) {
    try await process(of: method).forget(user)
  }

  /// As ``forget(_:of:)``, of each method; what one of them cannot undo is left.
  package func forget(_ user: User?) async {
    guard let user else { return }
    for process in processes { try? await process.forget(user) }
  }

  func process(of method: SignInMethod) throws(AuthenticationError) -> SignInProcess {
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

  /// Replaces `before`, unless another attempt was begun since.
  ///
  /// - Returns: the current attempt of this id; nil if there is another one.
  func place(_ attempt: SignInAttempt, after before: SignInAttempt?) -> SignInAttempt? {
    let current = contents.withLock { contents in
      if contents.current === before, before?.id != attempt.id { contents.current = attempt }
      return contents.current
    }
    guard let current, current.id == attempt.id else { return nil }
    if current === attempt, before !== attempt { before?.end(.replaced) }
    return current
  }
}
