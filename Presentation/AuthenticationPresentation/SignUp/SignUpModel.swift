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
public final class SignUpModel: FormModel, StepModel {
  /// Where it stands.
  public enum State: Sendable {
    /// The user fills it in; the failure says why the last submit did not do.
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
  public var rules: FieldRules { flows.rules }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let method: SignInMethod
  @ObservationIgnored let following = AttemptFollowing()
  /// What was submitted last, for a return.
  @ObservationIgnored var sent: EntryForm

  /// An empty form.
  ///
  /// - Parameters:
  ///   - method: one of the attempts' methods.
  ///   - needs: what is asked for; by default what the method needs. An app's own fields are sent as attributes, and
  ///     their rules are in ``FlowEnvironment/rules``.
  ///   - flows: what the models of one app share.
  ///   - filled: what is known already.
  ///   - locked: which of it the user cannot change.
  public init(
    _ method: SignInMethod = .password, needs: [SignInMethod.Need]? = nil, in flows: FlowEnvironment,
    filled: [SignInMethod.Need: String] = [:], locked: Set<SignInMethod.Need> = []
  ) {
    self.flows = flows
    self.method = method
    let form = EntryForm(needs ?? method.needs, filled: filled, locked: locked)
    sent = form
    state = .editing(form, nil)
  }

  public var form: EntryForm? {
    switch state {
    case .editing(let form, _), .submitting(let form, _), .alreadyExists(let form): form
    case .confirming, .waiting, .next, .done: nil
    }
  }

  public subscript(need: SignInMethod.Need) -> String {
    get { form?[need] ?? "" }
    set {
      guard case .editing(var form, let failure) = state else { return }
      form.type(newValue, into: need, flows.rules)
      state = .editing(form, failure)
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
}

extension SignUpModel {
  public func submit(_ input: SignInInput = SignInInput()) {
    guard case .editing(var form, _) = state else { return }
    guard let fields = form.submit(flows.rules) else { return state = .editing(form, nil) }
    do throws(AuthenticationError) {
      let attempt = try flows.attempts.begin(method)
      sent = form.withoutSecrets()
      state = .submitting(sent, attempt: attempt.id)
      attempt.signUp(input.with(fields, for: method))
      following.follow(attempt) { [weak self] in self?.show($0, of: attempt) }
    } catch {
      state = .editing(form.withoutSecrets(), flows.failure(error))
    }
  }

  public func finished() async { await following.finished() }

  private func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .collecting, .submitting, .externalInteraction: break
    case .challenged(let challenge, _): ask(challenge, of: attempt)
    case .failed(let error): fail(error)
    case .ended(.signedIn(let user)):
      if case .done = state { return }
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .editing(sent, nil)
    case .ended: state = .editing(sent, nil)
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
    if error == .accountExists { return state = .alreadyExists(form) }
    state = .editing(form, error.isSilent ? nil : flows.failure(error))
  }
}

extension SignUpModel {
  public var title: String {
    if case .alreadyExists = state { return words("sign_up.exists.title") }
    return confirmation?.title ?? words("sign_up.form.title")
  }

  public var isWorking: Bool {
    switch state {
    case .submitting: true
    case .confirming(let model): model.isWorking
    case .waiting(let model): model.isWorking
    case .editing, .alreadyExists, .next, .done: false
    }
  }

  public var activity: String? {
    if case .submitting = state { words("sign_up.submit.working") } else { confirmation?.activity }
  }

  public var failure: FlowFailure? {
    if case .editing(_, let failure) = state { failure } else { confirmation?.failure }
  }

  public var problems: [AuthenticationError] { form?.problems ?? confirmation?.problems ?? [] }

  public var focus: Focus? {
    if case .alreadyExists = state { return Focus(.heading, turn: 0) }
    return form?.focus ?? confirmation?.focus ?? failure?.focus
  }

  public var announcement: Announcement? { confirmation?.announcement ?? activity.map { Announcement($0) } }

  /// What the user confirms the address with.
  private var confirmation: (any FlowModel)? {
    switch state {
    case .confirming(let model): model
    case .waiting(let model): model
    case .editing, .submitting, .alreadyExists, .next, .done: nil
    }
  }
}
