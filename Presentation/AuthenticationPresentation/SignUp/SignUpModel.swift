public import AuthenticationDomain

/// Creates an account, has an address confirmed where the provider asks for it, and signs in.
///
/// ```swift
/// let model = SignUpModel(needs: [.userName, .password, .inviteCode], in: flows)
/// model[.userName] = "ada@example.com"
/// model[.password] = typed
/// model.submit()
/// ```
public final class SignUpModel: Flow<SignUpModel.State>, FormModel, StepModel {
  /// Where it stands.
  public enum State: Sendable, StepState {
    /// The user fills it in; the failure says why the last submit failed.
    case editing(EntryForm, FlowFailure?)
    /// Sent, and the response is awaited; the password is in here no more.
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

  private let method: SignInMethod
  /// What was submitted last, for a return.
  private var sent: EntryForm

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
    self.method = method
    sent = EntryForm(needs ?? method.needs, filled: filled, locked: locked)
    super.init(.editing(sent, nil), in: flows)
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
      form.type(newValue, into: need, rules)
      state = .editing(form, failure)
    }
  }

  public var status: FlowStatus {
    switch state {
    case .editing(let form, let failure): FlowStatus("sign_up.form.title", in: words, failure: failure, form: form)
    case .submitting(let form, _):
      FlowStatus("sign_up.form.title", in: words, activity: "sign_up.submit.working", form: form)
    case .confirming(let model): model.status
    case .waiting(let model): model.status
    case .alreadyExists: FlowStatus("sign_up.exists.title", in: words, focus: .heading)
    case .next, .done: FlowStatus("sign_up.form.title", in: words)
    }
  }

  /// Shows the form again, with what was typed but the password.
  public func goBack() {
    if case .alreadyExists(let form) = state { state = .editing(form, nil) }
  }

  public func submit(_ input: SignInInput = SignInInput()) {
    guard case .editing(var form, _) = state else { return }
    guard let fields = form.submit(rules) else { return state = .editing(form, nil) }
    sent = form.withoutSecrets()
    begin(method) {
      .submitting(sent, attempt: $0)
    } orElse: {
      .editing(sent, flows.failure($0))
    } send: {
      $0.signUp(input.with(fields, for: method))
    }
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .collecting, .submitting, .externalInteraction: break
    case .challenged(let challenge, _): ask(challenge, of: attempt)
    case .failed(let error): fail(error)
    case .ended(.signedIn(let user)): if !finish(user, of: attempt) { state = .editing(sent, nil) }
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
      goOn(to: .next(challenge, attempt: attempt.id), with: attempt)
    }
  }

  /// The confirmation ends by itself; what comes after it is told by the attempt.
  private func goOn(_ end: StepEnd) {
    if case .next(let attempt) = end, let challenge = attempt.state.challenge {
      goOn(to: .next(challenge, attempt: attempt.id), with: attempt)
    }
  }

  private func fail(_ error: AuthenticationError) {
    guard case .submitting(let form, _) = state else { return }
    state = error == .accountExists ? .alreadyExists(form) : .editing(form, flows.visibleFailure(error))
  }
}
