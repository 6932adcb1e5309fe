import Synchronization

/// Begins attempts, one at a time, and keeps the one that is in progress: the one way in for every screen of an app.
///
/// ``SessionControl/states()`` publishes the user who is signed in, whichever method was used.
///
/// ```swift
/// for method in root.attempts.methods { addButton(method) }
/// let attempt = try root.attempts.begin(.password)
/// attempt.submit(SignInInput([.userName: "ada", .password: typed]))
/// ```
public final class SignInAttempts: Sendable {
  private let processes: [SignInProcess]
  private let dependencies: SignInAttempt.Dependencies
  private let links: SignInLink?
  private let contents = Mutex(Contents())

  private struct Contents {
    var current: SignInAttempt?
    var usedLinks: Set<Secret> = []
    /// The latest attempts of ``SignInAttempts/reauthenticating(_:)``.
    var reauthenticating: SignInAttempts?
  }

  /// Composes the ways to sign in.
  ///
  /// - Parameters:
  ///   - processes: one for each method, in the order of the buttons.
  ///   - useCase: the use case that every submit and every answer goes through, its decorators included.
  ///   - manager: the manager behind the use case: an attempt ends with its session, and each method then forgets the
  ///     user. By default none.
  ///   - pending: keeps a challenge for a relaunch; nil keeps none.
  ///   - links: where links from e-mails lead; nil if there are none.
  ///   - clock: the time; replace it in a test.
  public convenience init(
    _ processes: [SignInProcess], useCase: any AuthenticationUseCase, manager: AuthManager? = nil,
    pending: (any PendingSignInStore)? = nil, links: SignInLink? = nil, clock: any AuthenticationClock = SystemClock()
  ) {
    let dependencies = SignInAttempt.Dependencies(
      useCase: useCase, manager: manager, clock: clock, pending: pending,
      makeID: manager?.idSource ?? RecordID.random, taskExecutor: manager?.taskPreference)
    self.init(processes, links: links, dependencies)
    manager?.add(self)
  }

  private init(_ processes: [SignInProcess], links: SignInLink?, _ dependencies: SignInAttempt.Dependencies) {
    self.processes = processes
    self.links = links
    self.dependencies = dependencies
  }

  /// The methods for the buttons, in order.
  public var methods: [SignInMethod] { processes.map(\.method) }

  /// The attempt in progress, or the last one; nil before the first.
  public var current: SignInAttempt? { contents.withLock { $0.current } }

  /// Begins an attempt; one that is in progress ends as ``SignInAttempt/End/replaced`` and stores nothing.
  ///
  /// - Parameter method: one of ``methods``.
  /// - Returns: the attempt, which waits for ``SignInAttempt/submit(_:createsAccount:)``.
  /// - Throws: ``AuthenticationError/unsupportedMethod`` for any other method.
  @discardableResult
  public func begin(_ method: SignInMethod) throws(AuthenticationError) -> SignInAttempt {
    let attempt = SignInAttempt(try process(of: method), in: dependencies)
    let former = contents.withLock { contents in
      defer { contents.current = attempt }
      return contents.current
    }
    former?.end(.replaced)
    return attempt
  }

  /// Continues with the step that was pending when the app was closed. Nothing is sent.
  ///
  /// - Returns: the attempt at its challenge; nil if none is pending, if it is no longer accepted, or if another
  ///   attempt was begun meanwhile.
  public func resume() async -> SignInAttempt? {
    let before = current
    guard let restored = await restored() else { return nil }
    guard let attempt = place(restored, after: before) else { return nil }
    // The step that is kept may be a later one, which another process has got: the user in front of this one begins
    // again.
    if let left = attempt.timeLeft(), left <= .zero { return nil }
    return attempt
  }

  /// The attempt of the step that is kept for a relaunch; no caller has it yet.
  private func restored() async -> SignInAttempt? {
    guard let pending = await dependencies.pending?.pending() else { return nil }
    guard let age = pending.age(at: dependencies.clock.now),
      let process = processes.first(where: { $0.method.id == pending.method })
    else {
      await dependencies.pending?.remove(pending.attempt)
      return nil
    }
    return SignInAttempt(
      process, in: dependencies, id: pending.attempt, state: .challenged(pending.challenge, nil),
      challengedAt: dependencies.clock.uptime - age)
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
  ///
  /// - Returns: the attempt in progress.
  func signOutBegins() async -> SignInAttempt? {
    let attempt = current
    attempt?.signOutBegins()
    cancelProof()
    await forgetPending()
    return attempt
  }

  /// Removes the step that is kept for a relaunch. Nothing is sent.
  package func forgetPending() async { await dependencies.pending?.removeAll() }

  /// Clears the state that the device keeps for a method, after a sign-out: a vendor's credential state, for example.
  ///
  /// - Throws: ``AuthenticationError`` if it could not be cleared.
  public func forget(_ user: User, of method: SignInMethod) async throws(AuthenticationError) {
    try await process(of: method).forget(user)
  }

  /// As ``forget(_:of:)``, of each method; the state that one of them cannot clear is left.
  package func forget(_ user: User?) async {
    guard let user else { return }
    for process in processes { try? await process.forget(user) }
  }

  private func process(of method: SignInMethod) throws(AuthenticationError) -> SignInProcess {
    guard let process = processes.first(where: { $0.method == method }) else { throw .unsupportedMethod(method) }
    return process
  }

  /// Replaces `before`, unless another attempt was begun since.
  ///
  /// - Returns: the current attempt of this id; nil if there is another one.
  private func place(_ attempt: SignInAttempt, after before: SignInAttempt?) -> SignInAttempt? {
    let current = contents.withLock { contents in
      if contents.current === before, before?.id != attempt.id { contents.current = attempt }
      return contents.current
    }
    guard let current, current.id == attempt.id else { return nil }
    if current === attempt, before !== attempt { before?.end(.replaced) }
    return current
  }

  /// Takes a link that the system passed to the app.
  ///
  /// The attempt that waits for it continues. If none does, because the link was opened on another device or the
  /// pending step was lost, a new attempt asks for the address: it is never taken from the link.
  ///
  /// - Returns: the attempt that has the link.
  /// - Throws: ``AuthenticationError/invalidLink`` for a link that leads elsewhere or was taken before, and while
  ///   an attempt is busy or waits for something else: that attempt continues.
  @discardableResult
  public func open(_ link: Secret) async throws(AuthenticationError) -> SignInAttempt {
    guard let url = links?.url(in: link) else { throw .invalidLink }
    let isAwaited = current?.state.challenge?.kind == .link
    if !isAwaited, let proof = contents.withLock({ $0.reauthenticating }), proof.current?.state.challenge?.kind == .link
    {
      contents.withLock { _ = $0.usedLinks.insert(link) }
      return try await proof.open(link)
    }
    let before = current
    if let before, before.state.isWorking { throw .invalidLink }
    let waiting = if let before, before.state.challenge != nil { before } else { await restored() }
    if let challenge = waiting?.state.challenge, challenge.kind != .link { throw .invalidLink }
    let isUsed = contents.withLock { $0.usedLinks.contains(link) }
    guard !isUsed || waiting?.state.failure?.disposition == .transient else { throw .invalidLink }
    let opened =
      if let waiting { waiting } else { SignInAttempt(try process(of: .emailLink), in: dependencies, link: link) }
    guard let attempt = place(opened, after: before) else { throw .invalidLink }
    contents.withLock { _ = $0.usedLinks.insert(link) }
    if let challenge = attempt.state.challenge { attempt.answer(ChallengeAnswer(to: challenge, .link(url))) }
    return attempt
  }

  /// Attempts that prove that the signed-in user is present: each ends as signed in only for this user, and stores
  /// nothing for another one.
  ///
  /// They are independent of the attempt in progress, offer only methods that identify a user, keep no step for a
  /// relaunch, and create no account. ``cancel()`` ends them, too.
  ///
  /// - Parameter user: the user of the current session.
  /// - Returns: attempts without methods if the user is anonymous.
  public func reauthenticating(_ user: User) -> SignInAttempts {
    var dependencies = dependencies
    (dependencies.manager, dependencies.pending, dependencies.reauthenticatedUser) = (nil, nil, user)
    let attempts = SignInAttempts(
      user.isAnonymous ? [] : processes.filter(\.identifiesUser), links: links, dependencies)
    let former = contents.withLock { contents in
      defer { contents.reauthenticating = attempts }
      return contents.reauthenticating
    }
    former?.current?.end(.replaced)
    return attempts
  }
}

extension SignInProcess {
  fileprivate var identifiesUser: Bool { method.identifiesUser && presented.identifiesUser }
}
