import AuthenticationDomain
public import Observation

/// The common part of all models: the one state, and the streams that change it.
@MainActor @Observable open class Flow<State: Sendable>: FlowModel {
  /// Where the flow stands: one value, whose payloads exist only where they mean something.
  public package(set) var state: State
  package let call = CurrentCall()
  package let alarm: Alarm
  /// The attempt that is followed; nil if none is.
  @ObservationIgnored private(set) var followed: SignInAttempt?
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private var followingSession: Task<Void, Never>?
  @ObservationIgnored private var isDone = false

  package init(_ state: State, in flows: FlowEnvironment) {
    self.state = state
    alarm = Alarm(flows.clock)
    super.init(in: flows)
  }

  deinit {
    following?.cancel()
    followingSession?.cancel()
  }

  /// How input is cleaned and checked.
  package var rules: FieldRules { flows.rules }

  override func requestsFinished() async {
    while let attempt = followed {
      let state = await attempt.finished()
      guard attempt === followed else { continue }
      show(state, of: attempt)
      if attempt === followed { break }
    }
    await call.finished()
  }

  /// Shows where the followed attempt stands.
  func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {}

  override func catchUp() {
    if let followed { show(followed.state, of: followed) }
  }

  /// Shows the known state of the session, where it is followed.
  func show(_ known: AuthenticationState) {}

  /// Shows the state of an attempt now, then each later one; states of an earlier attempt are dropped.
  func follow(_ attempt: SignInAttempt) {
    stopFollowing()
    followed = attempt
    isDone = false
    let states = attempt.states()
    following = Task { [weak self] in
      // An element only signals that there is a state: it may be outdated by now.
      for await _ in states {
        guard let self, followed === attempt else { return }
        show(attempt.state, of: attempt)
      }
    }
    show(attempt.state, of: attempt)
  }

  func stopFollowing() {
    following?.cancel()
    following = nil
    followed = nil
  }

  /// Cancels the attempt, and shows nothing more of it; one that has signed in already is shown as it ended.
  ///
  /// - Returns: false if it has signed in.
  func cancelAttempt() -> Bool {
    if let followed, !followed.state.isEnded {
      followed.cancel()
      if case .ended(.signedIn) = followed.state {
        show(followed.state, of: followed)
        return false
      }
    }
    stopFollowing()
    return true
  }

  /// Shows the state of the session now, then each later one, until the model is released.
  func followSession() {
    show(flows.control.state)
    let states = flows.control.states()
    followingSession = Task { [weak self, control = flows.control] in
      for await _ in states { self?.show(control.state) }
    }
  }

  /// Begins an attempt, shows the state that waits for it, sends it, and follows it.
  ///
  /// - Parameters:
  ///   - former: an attempt that continues in place of a new one.
  ///   - waiting: the state until the response comes.
  ///   - failed: the state where no attempt can begin.
  func begin(
    _ method: SignInMethod, reusing former: SignInAttempt? = nil, _ waiting: State,
    orElse failed: (FlowFailure) -> State, send: (SignInAttempt) -> Void
  ) {
    do throws(AuthenticationError) {
      let attempt = if let former { former } else { try flows.attempts.begin(method) }
      state = waiting
      send(attempt)
      follow(attempt)
    } catch {
      state = failed(flows.failure(error))
    }
  }

  /// Shows a state that ends the flow without a session.
  func leave(to state: State) {
    self.state = state
    onEnd?(.left)
  }
}

/// The states of a step that ends with a session, or with another step.
protocol StepState {
  static func next(_ challenge: Challenge) -> Self
  static func done(_ session: AuthSession) -> Self
}

extension Flow where State: StepState {
  /// Continues with the provider's next challenge, or with the session.
  ///
  /// - Parameter leave: called where the attempt has ended without a session.
  func advance(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt, orElse leave: () -> Void) {
    switch attemptState {
    case .collecting, .submitting, .externalInteraction, .failed: break
    case .challenged(let challenge, _): advance(to: challenge, of: attempt)
    case .ended(.signedIn(let user)): if !finish(user, of: attempt) { leave() }
    case .ended: leave()
    }
  }

  func advance(to challenge: Challenge, of attempt: SignInAttempt) {
    state = .next(challenge)
    onEnd?(.next(attempt))
  }

  /// Ends with the session that the attempt made, once.
  ///
  /// - Returns: false if another user has signed in since, or none is signed in.
  private func finish(_ user: User, of attempt: SignInAttempt) -> Bool {
    if isDone { return true }
    guard let current = flows.control.state.session, current.user.isSame(as: user) else { return false }
    // A use case of the app's own tells no more than the user.
    let session = attempt.session ?? current
    isDone = true
    flows.lastMethod.write(attempt.method.id)
    state = .done(session)
    onEnd?(.done(session))
    return true
  }
}
