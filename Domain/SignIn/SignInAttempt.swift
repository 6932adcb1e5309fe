import Synchronization

/// One try of a user to sign in, from the choice of a method to its end: one state, and the actions on it.
///
/// It does not depend on any screen: releasing one changes nothing. ``SignInAttempts`` keeps it, and begins at most one
/// at a time. Its methods return at once; ``state`` and ``states()`` show their outcome.
///
/// ```swift
/// let attempt = try root.attempts.begin(.phoneCode)
/// attempt.submit(SignInInput([.phoneNumber: "+491701234567"]))
/// for await state in attempt.states() { show(state) }
/// ```
public final class SignInAttempt: Sendable, Identifiable {
  /// Where an attempt stands.
  public enum State: Sendable, Equatable {
    /// The user fills in the form, if there is one; nothing was sent.
    case collecting
    /// Something was sent, and the answer is awaited.
    case submitting
    /// The user is busy in a browser or on another device.
    case externalInteraction(ExternalInteraction)
    /// The provider asks for a step; the failure says why the last answer was rejected.
    case challenged(Challenge, AuthenticationError?)
    /// It did not work; the user's input can be corrected and submitted again.
    case failed(AuthenticationError)
    /// Nothing more happens.
    case ended(End)
  }

  /// How an attempt ended.
  public enum End: Sendable, Equatable {
    /// This user has signed in, and the session is stored or about to be.
    case signedIn(User)
    /// The user, or the app, cancelled.
    case cancelled
    /// Another attempt was begun.
    case replaced
  }

  private struct Contents {
    var state: State
    /// When the challenge came, by uptime.
    var challengedAt: Duration
    var work: Task<Void, Never>?
    /// How it ends as soon as the work has noticed.
    var end: End?
    /// The session that it made.
    var session: AuthSession?
    /// The handle of a step holds a secret that the user typed: no step is kept from then on.
    var keepsNoStep = false
    /// A sign-out has erased the session that the attempt stored, or is about to.
    var isSignedOut = false
  }

  /// Names the attempt: random, and the same after a relaunch.
  public let id: String
  /// The method that the user chose.
  public var method: SignInMethod { process.method }

  private let process: SignInProcess
  private let dependencies: Dependencies
  /// A link that was opened although no attempt waited for it.
  private let link: Secret?
  private let contents: Mutex<Contents>
  /// Sent to under the lock: no listener is left with a state before the latest.
  private let broadcast = Broadcast<State>()

  /// The dependencies of attempts.
  struct Dependencies: Sendable {
    let useCase: any AuthenticationUseCase
    /// Forgets the challenge of an attempt that is given up.
    var manager: AuthManager?
    /// The user who proves that they are present; nil where any user may sign in.
    var reauthenticatedUser: User?
    let clock: any AuthenticationClock
    var pending: (any PendingSignInStore)?
    let makeID: @Sendable () -> RecordID
    let taskExecutor: (any TaskExecutor)?
  }

  init(
    _ process: SignInProcess, in dependencies: Dependencies, id: String? = nil, link: Secret? = nil,
    state: State = .collecting, challengedAt: Duration = .zero
  ) {
    self.id = id ?? dependencies.makeID().description
    self.process = process
    self.dependencies = dependencies
    self.link = link
    contents = Mutex(Contents(state: state, challengedAt: challengedAt))
  }

  /// Where it stands: a snapshot that waits for nothing.
  public var state: State { contents.withLock { $0.state } }

  /// The session that it made, as it was then; nil before that, and if the use case is none of ``AuthManager``.
  package var session: AuthSession? { contents.withLock { $0.session } }

  /// The state now, then each later one; it ends after ``State/ended(_:)``. A slow listener gets the latest, not those
  /// before it.
  public func states() -> AsyncStream<State> {
    // Under the lock: a state that is set meanwhile is sent afterwards.
    contents.withLock { broadcast.values(startingWith: $0.state, keeping: 1) }
  }

  /// Waits until no request is in flight.
  ///
  /// - Returns: the state then.
  @discardableResult
  public func finished() async -> State {
    while let work = contents.withLock({ $0.work }) { await work.value }
    return state
  }

  /// Sends the user's input. Does nothing while a request is in flight, or after the end.
  ///
  /// - Parameters:
  ///   - input: the values that the user entered.
  ///   - createsAccount: whether it creates an account; by default it signs in to one.
  public func submit(_ input: SignInInput = SignInInput(), createsAccount: Bool = false) {
    start { _ in Step(input: input, createsAccount: createsAccount, challenge: nil, credentials: process.credentials) }
  }

  /// Cancels it; a session that existed stays. Nothing is stored afterwards, and tokens that come late are revoked. If
  /// the session of this attempt is stored, or is just being stored, it ends as ``End/signedIn(_:)``: at once if only
  /// work that follows the sign-in is still running.
  public func cancel() { end(.cancelled) }

  func end(_ end: End) {
    let work = contents.withLock { contents in
      guard !contents.state.isEnded, contents.end == nil else { return nil as Task<Void, Never>? }
      let signedIn = contents.isSignedOut ? nil : contents.session.map { End.signedIn($0.user) }
      contents.end = signedIn ?? end
      if let work = contents.work {
        if let signedIn { show(.ended(signedIn), in: &contents) }
        return work
      }
      let challenge = contents.state.challenge
      contents.work = Task(executorPreference: dependencies.taskExecutor) { await self.forget(challenge) }
      show(.ended(end), in: &contents)
      return nil
    }
    work?.cancel()
  }

  /// A sign-out begins. It erases the session that this attempt has stored, so that the attempt ends as
  /// ``End/cancelled``; an attempt that has stored none is cancelled.
  package func signOutBegins() {
    contents.withLock { $0.isSignedOut = true }
    if session == nil { end(.cancelled) }
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
  private func start(_ makeStep: (State) -> Step?) {
    contents.withLock { contents in
      guard contents.work == nil, contents.end == nil, !contents.state.isEnded, let step = makeStep(contents.state)
      else { return }
      contents.work = Task(executorPreference: dependencies.taskExecutor) { await self.run(step) }
      show(.submitting, in: &contents)
    }
  }

  /// Publishes a state; an end that was asked for meanwhile comes first. After an end the work continues until the
  /// pending step is removed.
  private func publish(_ state: State, challengedAt: Duration? = nil) {
    contents.withLock { contents in
      let ended = state.isEnded ? nil : contents.end.map(State.ended)
      show(ended ?? state, in: &contents)
      if !contents.state.isEnded { contents.work = nil }
      if let challengedAt { contents.challengedAt = challengedAt }
    }
  }

  /// The user is busy elsewhere; ignored once the step has ended.
  private func wait(_ waiting: ExternalInteraction) {
    contents.withLock { contents in
      guard contents.work != nil, !contents.state.isEnded else { return }
      show(.externalInteraction(waiting), in: &contents)
    }
  }

  /// One thing that is sent: credentials, or the answer to a challenge.
  private struct Step: Sendable {
    let input: SignInInput
    /// Whether the credentials create an account.
    var createsAccount = false
    /// The challenge that is answered; nil at the beginning.
    let challenge: Challenge?
    let credentials: @Sendable (SignInProcess.Context) async throws(AuthenticationError) -> any Credentials
  }

  private func run(_ step: Step) async {
    let context = SignInProcess.Context(step.input, link: link) { [weak self] in self?.wait($0) }
    let (challenge, outcome) = await perform(step, context)
    await conclude(outcome, at: challenge, step)
  }

  /// A process may answer the challenges of its method by itself, a passkey's for example. Where the attempt is
  /// ended, the use case says whether the session was stored: no caller leaves it before that.
  ///
  /// - Returns: the challenge that was answered last, and the outcome.
  private func perform(
    _ step: Step, _ context: SignInProcess.Context
  ) async -> (Challenge?, Result<SignInOutcome, AuthenticationError>) {
    var challenge = step.challenge
    let outcome = await Result.of { () async throws(AuthenticationError) in
      if step.challenge == nil, step.input.hints.organization != nil, !process.showsPage { throw .organizationIgnored }
      let presented = try await unlessEnded { () async throws(AuthenticationError) in
        try await step.credentials(context)
      }
      var credentials = presented
      while true {
        var request = SignInRequest(
          credentials, attributes: step.input.attributes, createsAccount: step.createsAccount && challenge == nil,
          reauthenticating: dependencies.reauthenticatedUser)
        request.onSession = { session in self.contents.withLock { $0.session = session } }
        let outcome: SignInOutcome
        do throws(AuthenticationError) { outcome = try await request.send(to: dependencies.useCase) } catch {
          await process.failed(credentials, error, context)
          throw error
        }
        switch outcome {
        case .session(let session):
          await process.accepted(presented, session.user)
          return outcome
        case .challenge(let asked):
          if asked.holdsSecret(of: credentials) { contents.withLock { $0.keepsNoStep = true } }
          guard asked != challenge,
            let content = try await unlessEnded({ [process] () async throws(AuthenticationError) in
              try await process.challengeAnswer(asked, context)
            })
          else { return outcome }
          challenge = asked
          credentials = ChallengeAnswer(to: asked, content)
        }
      }
    }
    return (challenge, outcome)
  }

  /// A process may not notice that the attempt was ended, while a sheet of the system is open for example.
  private func unlessEnded<Value: Sendable>(
    _ obtain: @escaping @Sendable () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    try await AbandonableCall.run(on: dependencies.taskExecutor, obtain)
  }

  private func conclude(
    _ outcome: Result<SignInOutcome, AuthenticationError>, at challenge: Challenge?, _ step: Step
  ) async {
    switch outcome {
    case .success(.session(let session)): return await finish(.signedIn(session.user), at: challenge)
    case .failure(let error) where error == .cancelled: return await finish(at: challenge)
    case .failure(let error) where error == .superseded: return await finish(.replaced, at: challenge)
    case .success(.challenge(let asked)): await ask(asked, isNew: !asked.isSameStep(as: step.challenge))
    case .failure(let error):
      if let challenge, error != .signInExpired, !error.spendsStep {
        publish(.challenged(error.attemptsLeft.map(challenge.leaving) ?? challenge, error))
      } else {
        await dependencies.pending?.remove(id)
        publish(.failed(error))
      }
    }
    // The app ended the attempt while its response came.
    if state.isEnded { await forget(challenge) }
  }

  /// It is kept for a relaunch before it is shown; if it cannot be kept, a relaunch begins anew. A password or a code
  /// is in no storage, whatever a provider writes into a handle.
  private func ask(_ challenge: Challenge, isNew: Bool) async {
    let (isOpen, isKept) = contents.withLock { ($0.end == nil, !$0.keepsNoStep) }
    if isNew, isOpen, isKept {
      let record = PendingSignIn(
        attempt: id, method: method.id, challenge: challenge, receivedAt: dependencies.clock.now)
      await dependencies.pending?.save(record)
    } else if !isKept {
      await dependencies.pending?.remove(id)
    }
    publish(.challenged(challenge, nil), challengedAt: isNew ? dependencies.clock.uptime : nil)
    if state.isEnded { await forget(challenge) }
  }

  /// Ends it: as the result says, or else as the app asked. After the session was stored that is
  /// ``End/signedIn(_:)``, unless a sign-out has erased it since.
  private func finish(_ result: End? = nil, at challenge: Challenge?) async {
    let (end, isSignedOut) = contents.withLock { ($0.end, $0.isSignedOut) }
    let signedIn = session.map { End.signedIn($0.user) }
    publish(.ended(isSignedOut ? .cancelled : result ?? signedIn ?? end ?? .cancelled))
    await forget(challenge)
  }

  private func forget(_ challenge: Challenge?) async {
    await dependencies.pending?.remove(id)
    if let challenge { await dependencies.manager?.dropChallenge(challenge) }
    contents.withLock { $0.work = nil }
  }

  /// Answers the challenge that is asked. Does nothing while a request is in flight, or after the end.
  ///
  /// An answer to another challenge than the current one is not sent; the state then says
  /// ``AuthenticationError/challengeReplaced``. An answer that cannot be right is not sent either.
  public func answer(_ answer: ChallengeAnswer, _ input: SignInInput = SignInInput()) {
    guard let challenge = state.challenge else { return }
    guard answer.challenge.handle == challenge.handle else { return fail(.challengeReplaced) }
    do throws(AuthenticationError) { try answer.validate() } catch { return fail(error) }
    start { state in
      guard state.challenge?.handle == challenge.handle else { return nil }
      return Step(input: input, challenge: challenge) { _ in answer }
    }
  }

  /// Answers with a code that the user typed or pasted.
  public func answer(code: Secret) {
    if let challenge = state.challenge { answer(ChallengeAnswer(to: challenge, code: code)) }
  }

  /// Has another code or link sent. Before ``timeToResend()`` has passed nothing is sent, and the state says
  /// ``AuthenticationError/rateLimited``.
  public func resend() {
    guard let challenge = state.challenge else { return }
    guard let left = timeToResend() else { return fail(.noResend) }
    if left > .zero { return fail(.rateLimited.with(\.retryAfter, left)) }
    answer(ChallengeAnswer(to: challenge, .resend))
  }

  /// Continues with another factor among the challenge's choices.
  public func choose(_ factor: Challenge.Factor) {
    if let challenge = state.challenge { answer(ChallengeAnswer(to: challenge, .choice(factor.id))) }
  }

  /// How long the provider still accepts an answer; negative if it has expired, nil if that is not known.
  public func timeLeft() -> Duration? { sinceChallenge { $0.lifetime } }

  /// How long to wait before another code may be sent; zero or less if it may be sent now, nil if none can be sent.
  public func timeToResend() -> Duration? { sinceChallenge { $0.resendDelay } }

  private func sinceChallenge(_ limit: (Challenge) -> Duration?) -> Duration? {
    let uptime = dependencies.clock.uptime
    return contents.withLock { contents in
      contents.state.challenge.flatMap(limit).map { $0 - (uptime - contents.challengedAt) }
    }
  }

  /// Shows why an answer was not sent.
  private func fail(_ error: AuthenticationError) {
    contents.withLock { contents in
      guard contents.work == nil, contents.end == nil, let challenge = contents.state.challenge else { return }
      show(.challenged(challenge, error), in: &contents)
    }
  }
}

extension SignInAttempt.State {
  /// The challenge that is asked now; nil if none is.
  public var challenge: Challenge? {
    if case .challenged(let challenge, _) = self { challenge } else { nil }
  }

  /// Why the last submit or answer failed; nil if none did.
  public var failure: AuthenticationError? {
    switch self {
    case .failed(let error): error
    case .challenged(_, let error): error
    default: nil
    }
  }

  /// Whether a request is in flight.
  public var isWorking: Bool {
    switch self {
    case .submitting, .externalInteraction: true
    default: false
    }
  }

  /// Whether nothing more happens.
  public var isEnded: Bool {
    if case .ended = self { true } else { false }
  }
}

extension AuthenticationError {
  fileprivate static let noResend = Self(
    .unsupportedMethod, "This challenge cannot be sent again.", suggestion: "Begin the attempt again.")
}
