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
  ///   - locked: which of it the person cannot change.
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
