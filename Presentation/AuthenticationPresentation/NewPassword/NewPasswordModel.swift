public import AuthenticationDomain

/// Asks for the new password that a provider requires before it signs a user in.
///
/// ```swift
/// if case .newPassword(let model) = SignInStep(attempt, in: flows) {
///   model.password = typed
///   model.submit()
/// }
/// ```
public final class NewPasswordModel: Flow<NewPasswordModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// The user types it.
    case editing(NewPasswordEntry)
    /// It was sent, and is in here no more.
    case submitting(NewPasswordEntry)
    /// The provider asks for another step.
    case next(Challenge)
    /// Signed in.
    case done(AuthSession)
    /// The attempt has ended without a session.
    case ended
  }

  private let attempt: SignInAttempt

  /// Nil if the attempt's challenge asks for anything else.
  package convenience init?(_ attempt: SignInAttempt, in flows: FlowEnvironment) {
    guard let challenge = attempt.state.challenge, [.newPassword, .password].contains(challenge.kind) else {
      return nil
    }
    self.init(.editing(NewPasswordEntry(rules: flows.passwordRules)), of: attempt, in: flows)
    follow(attempt)
  }

  /// Follows nothing.
  package init(_ state: State, of attempt: SignInAttempt, in flows: FlowEnvironment) {
    self.attempt = attempt
    super.init(state, in: flows)
  }

  /// As typed. Input during a request in flight is dropped.
  public var password: String {
    get { if case .editing(let entry) = state { entry.form[.password] } else { "" } }
    set {
      guard case .editing(var entry) = state else { return }
      entry.type(newValue, rules)
      state = .editing(entry)
    }
  }

  /// Sends it, or shows the missing parts.
  public func submit() {
    guard case .editing(var entry) = state, let challenge = attempt.state.challenge else { return }
    guard let password = entry.submit(rules, by: flows.clock) else { return state = .editing(entry) }
    state = .submitting(entry)
    attempt.answer(ChallengeAnswer(to: challenge, .newPassword(password)))
    show(attempt.state, of: attempt)
  }

  override var currentStatus: FlowStatus {
    switch state {
    case .editing(let entry): entry.status(in: words)
    case .submitting: FlowStatus("new_password.form.title", in: words, activity: "new_password.submit.working")
    case .next, .done, .ended: FlowStatus("new_password.form.title", in: words)
    }
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    guard case .submitting(var entry) = state else {
      if case .ended = attemptState, case .editing = state { leave(to: .ended) }
      return
    }
    switch attemptState {
    case .failed(.signInExpired): leave(to: .ended)
    case .challenged(_, let error?), .failed(let error):
      entry.fail(error, by: flows.clock)
      state = .editing(entry)
    default: advance(attemptState, of: attempt) { leave(to: .ended) }
    }
  }
}
