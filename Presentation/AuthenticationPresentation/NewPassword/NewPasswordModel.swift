public import AuthenticationDomain
public import Observation

/// Asks for the new password that a provider requires before it signs a person in.
///
/// ```swift
/// if let model = NewPasswordModel(attempt, rules: [.length(15)], in: flows) {
///   model.password = typed
///   model.submit()
/// }
/// ```
@MainActor
@Observable
public final class NewPasswordModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The person types it.
    case editing(NewPasswordEntry)
    /// It was sent, and is in here no more.
    case submitting(NewPasswordEntry, attempt: String)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
    /// The attempt is over without a session.
    case ended
  }

  public package(set) var state: State {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let attempt: SignInAttempt
  @ObservationIgnored private let following = AttemptFollowing()

  /// Nil if the attempt's challenge asks for anything else.
  ///
  /// - Parameters:
  ///   - attempt: the one whose challenge asks for it.
  ///   - rules: from the provider's configuration.
  ///   - flows: what the models of one app share.
  public init?(_ attempt: SignInAttempt, rules: [PasswordRule] = [], in flows: FlowEnvironment) {
    guard let challenge = attempt.state.challenge, [.newPassword, .password].contains(challenge.kind) else {
      return nil
    }
    self.attempt = attempt
    self.flows = flows
    state = .editing(NewPasswordEntry(rules: rules))
    following.follow(attempt) { [weak self] in self?.show($0) }
  }

  /// For a preview: it follows nothing.
  package init(_ state: State, of attempt: SignInAttempt, in flows: FlowEnvironment) {
    self.attempt = attempt
    self.flows = flows
    self.state = state
  }

  /// As typed. What is typed while something is on its way is dropped.
  public var password: String {
    get { if case .editing(let entry) = state { entry.form[.password] } else { "" } }
    set { edit { $0.type(newValue, flows.rules) } }
  }

  /// Whether what is typed can be read.
  public var isRevealed: Bool {
    get { if case .editing(let entry) = state { entry.isRevealed } else { false } }
    set { edit { $0.isRevealed = newValue } }
  }

  /// Sends it, or says what is missing.
  public func submit() {
    guard case .editing(var entry) = state, let challenge = attempt.state.challenge else { return }
    guard let password = entry.submit(flows.rules, by: flows.clock) else { return state = .editing(entry) }
    state = .submitting(entry, attempt: attempt.id)
    attempt.answer(ChallengeAnswer(to: challenge, .newPassword(password)))
    show(attempt.state)
  }

  private var stepEnd: StepEnd? {
    switch state {
    case .next: .next(attempt)
    case .done(let completion): .done(completion)
    case .ended: .left
    default: nil
    }
  }

  public var problems: [AuthenticationError.Code] {
    if case .editing(let entry) = state { entry.form.problems } else { [] }
  }

  public var title: String { words("new_password.form.title") }

  public var activity: String? {
    if case .submitting = state { words("new_password.submit.working") } else { nil }
  }

  public var failure: FlowFailure? {
    if case .editing(let entry) = state { entry.failure } else { nil }
  }

  public var focus: Focus? {
    if case .editing(let entry) = state { entry.focus } else { nil }
  }

  public func finished() async { await following.finished() }

  private func edit(_ change: (inout NewPasswordEntry) -> Void) {
    guard case .editing(var entry) = state else { return }
    change(&entry)
    state = .editing(entry)
  }

  private func show(_ attemptState: SignInAttempt.State) {
    guard case .submitting(var entry, _) = state else {
      if case .ended = attemptState, case .editing = state { state = .ended }
      return
    }
    switch attemptState {
    case .collecting, .submitting, .waitingElsewhere: break
    case .challenged(let challenge, let error):
      if let error {
        entry.fail(error, by: flows.clock)
        state = .editing(entry)
      } else {
        state = .next(challenge, attempt: attempt.id)
      }
    case .failed(let error):
      entry.fail(error, by: flows.clock)
      state = error.code == .signInExpired ? .ended : .editing(entry)
    case .ended(.signedIn(let user)):
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .ended
    case .ended: state = .ended
    }
  }
}
