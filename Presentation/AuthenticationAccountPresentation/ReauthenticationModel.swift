public import AuthenticationPresentation
public import AuthenticationAccount
public import AuthenticationDomain

/// Has the user sign in again, or prove their presence otherwise, then continues the interrupted action, once.
/// The session stays: a sign-in that is a proof stores nothing for another user
/// (``AuthenticationUseCase/reauthenticate(as:with:)``).
///
/// ```swift
/// do throws(AuthenticationError) {
///   try await root.manager.account.perform(.deleteAccount)
/// } catch where ReauthenticationModel.isRequired(by: error) {
///   let model = ReauthenticationModel(error, of: user, by: root.manager.account, in: flows, takesProof: true) {
///     proof async throws(AuthenticationError) in try await root.manager.account.perform(.deleteAccount, proof: proof)
///   }
/// }
/// ```
///
/// Where the service takes the proof with its request, a wrong password asks again.
public final class ReauthenticationModel: Flow<ReauthenticationModel.State> {
  /// The interrupted action, which takes the proof with its request where the service asks for that; nil otherwise.
  public typealias Intent = @Sendable (_ proof: ChallengeAnswer?) async throws(AuthenticationError) -> AccountOutcome

  /// Where it stands.
  public enum State: Sendable {
    /// The user is told why, and chooses a method, or declines.
    case required(AuthenticationError, methods: [SignInMethod], FlowFailure?)
    /// The password that the account has is asked for.
    case askingPassword(EntryForm, Challenge, FlowFailure?)
    /// A code is asked for.
    case askingCode(CodeEntry)
    /// The password or the code is verified.
    case checking
    /// The user signs in again.
    case proving(SignInStep)
    /// The interrupted action continues.
    case resuming
    /// It is done.
    case done
    /// The interrupted action failed, although the user has proved their identity.
    case failed(FlowFailure)
    /// The user declined: nothing has changed.
    case declined
  }

  private let reason: AuthenticationError
  private let user: User
  private let challenges: (any AccountUseCase)?
  /// The action that continues; nil once it has ended.
  private var intent: Intent?
  /// Whether that action takes a proof.
  private let takesProof: Bool
  /// Whether the challenge is answered with that action.
  private var isAskedByService = false
  /// Is told how it ended.
  var onOutcome: (@MainActor (Result<AccountOutcome, AuthenticationError>) -> Void)?
  /// Is told that the user declined.
  var onDecline: (@MainActor () -> Void)?
  private lazy var steps = StepSequence(in: flows) { [weak self] step in
    self?.state = .proving(step)
  } end: { [weak self] in
    self?.proved($0)
  }

  /// Whether an error asks for this flow.
  nonisolated public static func isRequired(by error: AuthenticationError) -> Bool {
    [.recentSignInRequired, .insufficientUserAuthentication, .challengeRequired].contains(error)
  }

  /// Asks for the proof that the error wants: its challenge, or a new sign-in.
  ///
  /// - Parameters:
  ///   - error: why the intent was interrupted.
  ///   - user: the signed-in user; no other one can continue.
  ///   - challenges: answers the error's challenge, where that is not answered with the request.
  ///   - flows: the shared parts of an app's models.
  ///   - takesProof: whether the intent takes the proof with its request
  ///     (``AccountUseCase/perform(_:proof:attributes:)``). It is then called again for each proof, until one is right.
  ///     By default it is called once, after the proof.
  ///   - intent: the action that continues.
  public init(
    _ error: AuthenticationError, of user: User, by challenges: (any AccountUseCase)? = nil,
    in flows: FlowEnvironment, takesProof: Bool = false, intent: @escaping Intent
  ) {
    self.user = user
    self.challenges = challenges
    self.intent = intent
    self.takesProof = takesProof
    reason = error
    let flows = flows.reauthenticating(user)
    super.init(.required(error, methods: flows.attempts.methods, nil), in: flows)
    guard let challenge = error.challenge else { return }
    isAskedByService = error == .challengeRequired
    if isAskedByService ? takesProof : challenges != nil { ask(challenge) }
  }

  /// The password, as typed.
  public var password: String {
    get { if case .askingPassword(let form, _, _) = state { form[.password] } else { "" } }
    set {
      guard case .askingPassword(var form, let challenge, let failure) = state else { return }
      form.type(newValue, into: .password, rules)
      state = .askingPassword(form, challenge, failure)
    }
  }

  /// The code, as typed or pasted.
  public var code: String {
    get { if case .askingCode(let entry) = state { entry.text } else { "" } }
    set {
      guard case .askingCode(var entry) = state else { return }
      entry.text = newValue
      state = .askingCode(entry)
    }
  }

  public override var nested: FlowModel? { if case .proving(let step) = state { step.model } else { nil } }

  public override var status: FlowStatus {
    if let nested { return nested.status }
    var status = question
    status.explanations.insert(words("reauthentication.ask.explanation"), at: 0)
    return status
  }

  private var question: FlowStatus {
    let title: WordKey = "reauthentication.ask.title"
    return switch state {
    case .required(_, _, let failure): FlowStatus(title, in: words, failure: failure)
    case .askingPassword(let form, _, let failure): FlowStatus(title, in: words, failure: failure, form: form)
    case .askingCode(let entry): entry.status(title, in: words)
    case .checking: FlowStatus(title, in: words, activity: "form.submit.working")
    case .resuming: FlowStatus(title, in: words, activity: "account.change.working")
    case .failed(let failure): FlowStatus(title, in: words, failure: failure)
    case .proving, .done, .declined: FlowStatus(title, in: words)
    }
  }
}

extension ReauthenticationModel {
  /// Proves by signing in again with a method.
  public func prove(with method: SignInMethod) {
    if case .required(_, let methods, _) = state, methods.contains(method) { steps.start(method) }
  }

  /// Sends the password or the code, or shows the missing part.
  public func submit() {
    switch state {
    case .askingPassword(var form, let challenge, _):
      guard let fields = form.submit(rules) else { return state = .askingPassword(form, challenge, nil) }
      let answer = ChallengeAnswer(to: challenge, .newPassword(Secret(fields[.password] ?? "")))
      check(answer) { [flows, form, weak self] challenge, error in
        self?.state = .askingPassword(form.withoutSecrets(), challenge, flows.visibleFailure(error))
      }
    case .askingCode(var entry):
      let code = entry.codeToSend(by: flows.clock)
      state = .askingCode(entry)
      guard let code else { return }
      check(ChallengeAnswer(to: entry.challenge, .code(code))) { [flows, entry, weak self] challenge, error in
        guard challenge.handle == entry.challenge.handle else {
          self?.ask(challenge, after: error)
          return
        }
        var entry = entry
        if !error.isSilent { entry.fail(error, by: flows.clock) }
        self?.ask(entry)
      }
    default: break
    }
  }

  /// Leaves everything as it is; the interrupted action does not continue.
  public func decline() {
    switch state {
    case .resuming, .done, .failed: return
    case .required, .askingPassword, .askingCode, .checking, .proving, .declined: break
    }
    if case .proving = state { flows.attempts.current?.cancel() }
    call.cancel()
    intent = nil
    state = .declined
    onDecline?()
  }

  /// Leaves the step of the sign-in that is the proof, for the one before or for the choice of methods.
  func leaveStep() { if case .proving = state { steps.leave() } }

  private func ask(_ challenge: Challenge, after error: AuthenticationError? = nil) {
    let failure = error.flatMap(flows.visibleFailure)
    if [.password, .newPassword].contains(challenge.kind) {
      state = .askingPassword(EntryForm([.password]), challenge, failure)
    } else {
      var entry = CodeEntry(challenge, by: flows.clock)
      entry.failure = failure
      ask(entry)
    }
  }

  /// Asks for the code until it expires: a new sign-in is then the proof.
  private func ask(_ entry: CodeEntry) {
    guard !entry.isOver(by: flows.clock) else {
      return state = .required(reason, methods: flows.attempts.methods, flows.failure(.signInExpired))
    }
    state = .askingCode(entry)
    alarm.set(entry.expiresAt) { [weak self] in
      if case .askingCode(let entry) = self?.state { self?.ask(entry) }
    }
  }

  /// - Parameter show: asks again, for the challenge that the provider now takes an answer to.
  private func check(
    _ answer: ChallengeAnswer, orElse show: @escaping @MainActor (Challenge, AuthenticationError) -> Void
  ) {
    if isAskedByService { return resume(with: answer, orElse: show) }
    guard let challenges else { return }
    state = .checking
    call.run { () async throws(AuthenticationError) in
      try await challenges.perform(.answer(answer))
    } then: { [weak self] result in
      switch result {
      case .success(.done), .success(.session): self?.resume()
      case .success(.challenge(let next)): self?.ask(next)
      case .failure(let error): show(answer.challenge, error)
      }
    }
  }

  /// Only the same user continues: for another one the attempt has failed.
  private func proved(_ session: AuthSession?) {
    if session != nil { return resume() }
    state = .required(reason, methods: flows.attempts.methods, nil)
  }

  private func resume(
    with proof: ChallengeAnswer? = nil,
    orElse show: @escaping @MainActor (Challenge, AuthenticationError) -> Void = { _, _ in }
  ) {
    guard let intent else { return }
    if let current = flows.control.state.user, !current.isSame(as: user) { return end(.failure(.otherUserSignedIn)) }
    state = .resuming
    call.run { () async throws(AuthenticationError) in
      try await intent(proof)
    } then: { [weak self] result in
      guard let self else { return }
      guard case .failure(let error) = result else { return end(result) }
      if error == .challengeRequired, takesProof, let next = error.challenge {
        isAskedByService = true
        // Asked the same again: the answer was wrong.
        let isSame = next.handle == proof?.challenge.handle && next.kind == proof?.challenge.kind
        ask(next, after: isSame ? .wrongAnswer(to: next) : nil)
      } else if let proof, error.isAboutProof {
        show(error.challenge ?? error.attemptsLeft.map(proof.challenge.leaving) ?? proof.challenge, error)
      } else {
        end(result)
      }
    }
  }

  private func end(_ result: Result<AccountOutcome, AuthenticationError>) {
    intent = nil
    switch result {
    case .success: state = .done
    case .failure(let error): state = .failed(flows.failure(error))
    }
    onOutcome?(result)
  }
}

extension AuthenticationError {
  static let otherUserSignedIn = Self(
    .insufficientUserAuthentication, "Another user has signed in than the user of the session.",
    suggestion: "Let the same user sign in.")

  /// Whether the user can prove it again: the answer was wrong, or did not reach the provider.
  fileprivate var isAboutProof: Bool {
    let errors: Set<Self> = [
      .invalidCredentials, .wrongCode, .codeExpired, .codeReused, .tooManyAttempts, .malformedCode, .emptyCode,
      .emptyPassword, .challengeReplaced,
    ]
    return errors.contains(self) || disposition == .transient || isSilent
  }

  fileprivate static func wrongAnswer(to challenge: Challenge) -> Self {
    [.password, .newPassword].contains(challenge.kind) ? .invalidCredentials : .wrongCode
  }
}
