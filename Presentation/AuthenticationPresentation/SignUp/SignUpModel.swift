public import AuthenticationDomain
public import Observation

/// Creates an account, has an address confirmed where the provider asks for it, and signs in.
///
/// ```swift
/// let model = SignUpModel(needs: [.userName, .password, .inviteCode], in: flows)
/// model[.userName] = "ada@example.com"
/// model[.password] = typed
/// model.submit()
/// ```
@MainActor
@Observable
public final class SignUpModel: FlowModel {
  /// Where it stands.
  public enum State: Sendable {
    /// The person fills it in; the failure says why the last submit did not do.
    case editing(EntryForm, FlowFailure?)
    /// Sent, and the answer is awaited; the password is in here no more.
    case submitting(EntryForm, attempt: String)
    /// The code that came is asked for.
    case confirming(CodeEntryModel)
    /// The link that came is waited for.
    case waiting(EmailLinkModel)
    /// There is such an account: sign in to it, or choose another password. Only of a provider that says so.
    case alreadyExists(EntryForm)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
  }

  public package(set) var state: State {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let method: SignInMethod
  @ObservationIgnored private let following = AttemptFollowing()

  /// An empty form.
  ///
  /// - Parameters:
  ///   - method: one of the attempts' methods.
  ///   - needs: what is asked for; by default what the method needs. An app's own fields are sent as attributes, and
  ///     their rules are in ``FlowEnvironment/rules``.
  ///   - flows: what the models of one app share.
  ///   - filled: what is known already.
  ///   - locked: which of it the person cannot change.
  public init(
    _ method: SignInMethod = .password, needs: [SignInMethod.Need]? = nil, in flows: FlowEnvironment,
    filled: [SignInMethod.Need: String] = [:], locked: Set<SignInMethod.Need> = []
  ) {
    self.flows = flows
    self.method = method
    state = .editing(EntryForm(needs ?? method.needs, filled: filled, locked: locked), nil)
  }

  /// The form; nil after it was answered.
  public var form: EntryForm? {
    switch state {
    case .editing(let form, _), .submitting(let form, _), .alreadyExists(let form): form
    case .confirming, .waiting, .next, .done: nil
    }
  }

  /// What was typed for a need. What is typed while something is on its way is dropped.
  public subscript(need: SignInMethod.Need) -> String {
    get { form?[need] ?? "" }
    set {
      guard case .editing(var form, let failure) = state else { return }
      form.type(newValue, into: need, flows.rules)
      state = .editing(form, failure)
    }
  }

  /// What keeps a submit from being sent: what the button says, which is never disabled.
  public var missing: [AuthenticationError.Code] { form?.missing(flows.rules) ?? [] }

  /// Sends it, or says what is missing. Does nothing while something is on its way.
  public func submit(_ input: SignInInput = SignInInput()) {
    guard case .editing(var form, let failure) = state else { return }
    guard let fields = form.submit(flows.rules) else { return state = .editing(form, nil) }
    var input = input
    for (need, text) in fields {
      if method.needs.contains(need) {
        input.fields[need] = Secret(text)
      } else {
        input.attributes[need.id] = Secret(text)
      }
    }
    do throws(AuthenticationError) {
      let attempt = try flows.attempts.begin(method)
      state = .submitting(form.withoutSecrets(), attempt: attempt.id)
      attempt.signUp(input)
      following.follow(attempt) { [weak self] in self?.show($0, of: attempt) }
    } catch {
      state = .editing(form.withoutSecrets(), FlowFailure(error, after: failure, by: flows.clock))
    }
  }

  /// Shows the form again, with what was typed but the password.
  public func goBack() {
    if case .alreadyExists(let form) = state { state = .editing(form, nil) }
  }

  private var stepEnd: StepEnd? {
    switch state {
    case .next: following.attempt.map { .next($0) }
    case .done(let completion): .done(completion)
    default: nil
    }
  }

  public var problems: [AuthenticationError.Code] { form?.problems ?? [] }

  public var failure: FlowFailure? {
    if case .editing(_, let failure) = state { failure } else { nil }
  }

  public var focus: Focus? {
    switch state {
    case .editing(let form, let failure): form.focus ?? failure.map { Focus(.message, turn: $0.turn) }
    case .alreadyExists: Focus(.heading, turn: 0)
    case .confirming(let model): model.focus
    case .waiting(let model): model.focus
    case .submitting, .next, .done: nil
    }
  }

  /// Returns when nothing is on its way: for tests and scripts.
  public func finished() async {
    await following.finished { if let attempt = following.attempt { show($0, of: attempt) } }
  }

  private func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .collecting, .submitting, .waitingElsewhere: break
    case .challenged(let challenge, _): ask(challenge, of: attempt)
    case .failed(let error): fail(error)
    case .ended(.signedIn(let user)):
      if case .done = state { return }
      state =
        SignInCompletion(user, of: attempt.id, by: flows.control).map(State.done)
        ?? .editing(form ?? EntryForm(method.needs), nil)
    case .ended: state = .editing(form ?? EntryForm(method.needs), nil)
    }
  }

  private func ask(_ challenge: Challenge, of attempt: SignInAttempt) {
    guard case .submitting = state else { return }
    if challenge.kind == .link, let model = EmailLinkModel(attempt, in: flows) {
      model.onEnd = { [weak self] in self?.goOn($0) }
      state = .waiting(model)
    } else if [.confirmation, .emailCode, .smsCode].contains(challenge.kind),
      let model = CodeEntryModel(attempt, in: flows)
    {
      model.onEnd = { [weak self] in self?.goOn($0) }
      state = .confirming(model)
    } else {
      state = .next(challenge, attempt: attempt.id)
    }
  }

  /// The confirmation ends by itself; what comes after it is told by the attempt.
  private func goOn(_ end: StepEnd) {
    if case .next(let attempt) = end, let challenge = attempt.state.challenge {
      state = .next(challenge, attempt: attempt.id)
    }
  }

  private func fail(_ error: AuthenticationError) {
    guard case .submitting(let form, _) = state else { return }
    if error.code == .accountExists { return state = .alreadyExists(form) }
    state = .editing(form, error.isSilent ? nil : FlowFailure(error, by: flows.clock))
  }
}
