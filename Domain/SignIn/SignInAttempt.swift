import Synchronization

/// One try of a person to sign in, from the choice of a method to its end: one state, and what can be done about it.
///
/// It does not depend on any screen: releasing one changes nothing. ``SignInAttempts`` keeps it, and begins at most one
/// at a time. Its methods return at once; ``state`` and ``states()`` show what comes of them.
///
/// ```swift
/// let attempt = try root.attempts.begin(.phoneCode)
/// attempt.submit(SignInInput([.phoneNumber: "+491701234567"]))
/// for await state in attempt.states() { show(state) }
/// ```
public final class SignInAttempt: Sendable, Identifiable {
  struct Contents {
    var state: State
    /// When the challenge came, by uptime.
    var challengedAt: Duration
    var work: Task<Void, Never>?
    /// How it ends as soon as the work has noticed.
    var end: End?
    /// A sign-out has erased what it stored, or is about to.
    var isSignedOut = false
  }

  /// Names the attempt: random, and the same after a relaunch.
  public let id: String
  /// The method that the person chose.
  public var method: SignInMethod { process.method }

  let process: SignInProcess
  let surroundings: Surroundings
  /// A link that was opened although no attempt waited for it.
  let link: Secret?
  let contents: Mutex<Contents>
  let receipt = SignInReceipt()
  /// Sent to under the lock: no listener is left with a state before the latest.
  let broadcast = Broadcast<State>()

  /// What attempts are composed of.
  struct Surroundings: Sendable {
    let useCase: any AuthenticationUseCase
    let clock: any AuthenticationClock
    let pending: (any PendingSignInStore)?
    let dropChallenge: @Sendable (Challenge) async -> Void
    let makeID: @Sendable () -> RecordID
    let taskExecutor: (any TaskExecutor)?
  }

  init(
    _ process: SignInProcess, in surroundings: Surroundings, id: String? = nil, link: Secret? = nil,
    state: State = .collecting, challengedAt: Duration = .zero
  ) {
    self.id = id ?? surroundings.makeID().description
    self.process = process
    self.surroundings = surroundings
    self.link = link
    contents = Mutex(Contents(state: state, challengedAt: challengedAt))
  }

  /// Where it stands: a snapshot that waits for nothing.
  public var state: State { contents.withLock { $0.state } }

  /// The session that it made, as it was then; nil before that, and if the use case is none of ``AuthManager``.
  package var session: AuthSession? { receipt.session }

  /// The state now, then each later one; it ends after ``State/ended(_:)``. A slow listener gets the latest, not those
  /// before it.
  public func states() -> AsyncStream<State> {
    // Under the lock: a state that is set meanwhile is sent afterwards.
    contents.withLock { broadcast.values(startingWith: $0.state, keeping: 1) }
  }

  /// Waits until nothing is on its way any more.
  ///
  /// - Returns: the state then.
  @discardableResult
  public func settled() async -> State {
    while let work = contents.withLock({ $0.work }) { await work.value }
    return state
  }

  /// Sends what the person entered. Does nothing while something is on its way, or after the end.
  public func submit(_ input: SignInInput = SignInInput()) { submit(input, isSignUp: false) }

  /// Sends what the person entered to create an account; all else is as after ``submit(_:)``.
  public func signUp(_ input: SignInInput = SignInInput()) { submit(input, isSignUp: true) }

  private func submit(_ input: SignInInput, isSignUp: Bool) {
    start { _ in
      Step(input: input, isSignUp: isSignUp, challenge: nil) { [process] context throws(AuthenticationError) in
        try await process.credentials(context)
      }
    }
  }

  /// Cancels it; a session that existed stays. Nothing is stored afterwards, and tokens that come late are revoked. If
  /// the session of this attempt is stored, or is just being stored, it ends as ``End/signedIn(_:)``: at once if only
  /// what runs after the sign-in is still running.
  public func cancel() { end(.cancelled) }

  func end(_ end: End) {
    let work = contents.withLock { contents in
      guard !contents.state.isEnded, contents.end == nil else { return nil as Task<Void, Never>? }
      let signedIn = contents.isSignedOut ? nil : receipt.session.map { End.signedIn($0.user) }
      contents.end = signedIn ?? end
      if let work = contents.work {
        if let signedIn { show(.ended(signedIn), in: &contents) }
        return work
      }
      let challenge = contents.state.challenge
      contents.work = Task(executorPreference: surroundings.taskExecutor) { await self.forget(challenge) }
      show(.ended(end), in: &contents)
      return nil
    }
    work?.cancel()
  }

  /// A sign-out begins. What this attempt has stored is erased by it, so that the attempt ends as ``End/cancelled``;
  /// otherwise it is cancelled.
  package func signOutBegins() {
    contents.withLock { $0.isSignedOut = true }
    if receipt.session == nil { end(.cancelled) }
  }

  /// - Parameter isSignedOut: false if the sign-out changed nothing.
  package func signOutEnded(isSignedOut: Bool) {
    contents.withLock { $0.isSignedOut = isSignedOut }
    if isSignedOut { end(.cancelled) }
  }

  private func show(_ state: State, in contents: inout Contents) {
    contents.state = state
    broadcast.send(state)
    if state.isEnded { broadcast.finish() }
  }

  /// Starts a step unless one is in progress.
  func start(_ makeStep: (State) -> Step?) {
    contents.withLock { contents in
      guard contents.work == nil, contents.end == nil, !contents.state.isEnded,
        let step = makeStep(contents.state)
      else { return }
      contents.work = Task(executorPreference: surroundings.taskExecutor) { await self.run(step) }
      show(.submitting, in: &contents)
    }
  }

  /// Publishes a state; an end that was asked for meanwhile comes first. After an end the work continues until the
  /// pending step is removed.
  func publish(_ state: State, challengedAt: Duration? = nil) {
    contents.withLock { contents in
      if let end = contents.end, !state.isEnded {
        show(.ended(end), in: &contents)
      } else {
        show(state, in: &contents)
      }
      if !contents.state.isEnded { contents.work = nil }
      if let challengedAt { contents.challengedAt = challengedAt }
    }
  }

  /// The person is busy elsewhere; ignored once the step has ended.
  func wait(_ waiting: WaitingElsewhere) {
    contents.withLock { contents in
      guard contents.work != nil, !contents.state.isEnded else { return }
      show(.waitingElsewhere(waiting), in: &contents)
    }
  }
}
