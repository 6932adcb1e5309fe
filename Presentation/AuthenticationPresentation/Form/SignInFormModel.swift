public import AuthenticationDomain
public import Observation

/// Signs in with what a user fills in: a user name and a password, a phone number, an e-mail address.
///
/// ```swift
/// let form = SignInFormModel(.password, in: flows)
/// form[.userName] = "ada"
/// form[.password] = typed
/// form.submit()
/// ```
@MainActor
@Observable
public final class SignInFormModel: FormModel, StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The user fills it in; the failure says why the last submit did not do.
    case editing(EntryForm, FlowFailure?)
    /// Sent, and the answer is awaited; the password is in here no more.
    case submitting(EntryForm, attempt: String)
    /// Too many tries: no further one before the deadline.
    case lockedOut(EntryForm, until: Deadline)
    /// The provider asks for a step, which is no failure; the form is kept for a return.
    case challenged(EntryForm, Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
  }

  /// Which method it signs in with.
  public let method: SignInMethod
  public package(set) var state: State {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }
  public var rules: FieldRules { flows.rules }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let following = AttemptFollowing()
  /// Set while the account is locked.
  @ObservationIgnored let alarm: Alarm

  /// An empty form. No attempt begins before the first submit.
  ///
  /// - Parameters:
  ///   - method: one of the attempts' methods, whose needs are typed.
  ///   - flows: what the models of one app share.
  ///   - filled: what is known already.
  ///   - locked: which of it the user cannot change.
  public init(
    _ method: SignInMethod, in flows: FlowEnvironment, filled: [SignInMethod.Need: String] = [:],
    locked: Set<SignInMethod.Need> = []
  ) {
    self.method = method
    self.flows = flows
    alarm = Alarm(flows.clock)
    state = .editing(EntryForm(method.needs, filled: filled, locked: locked), nil)
  }

  public var form: EntryForm? {
    switch state {
    case .editing(let form, _), .submitting(let form, _), .lockedOut(let form, _): form
    case .challenged, .done: nil
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

  private var stepEnd: StepEnd? {
    switch state {
    case .challenged: following.attempt.map { .next($0) }
    case .done(let completion): .done(completion)
    default: nil
    }
  }

  public var title: String {
    if case .lockedOut = state { words("form.locked_out.title") } else { words("form.sign_in.title") }
  }

  public var activity: String? { isWorking ? words("form.submit.working") : nil }

  public var failure: FlowFailure? {
    if case .editing(_, let failure) = state { failure } else { nil }
  }

  /// How long the account is locked, in whole minutes, then at 30 and at 10 seconds.
  public var announcement: Announcement? {
    guard case .lockedOut = state else { return activity.map { Announcement($0) } }
    let left = secondsLeft
    let said = left > 30 ? (left + 59) / 60 * 60 : left > 10 ? 30 : 10
    let wait = words.duration(.seconds(said))
    return Announcement(words("error.too_many_attempts.wait", .words(wait)), .assertive, turn: said)
  }

  public var isWorking: Bool {
    if case .submitting = state { true } else { false }
  }

  /// Seconds until the next try; zero if it may be made now.
  public var secondsLeft: Int {
    if case .lockedOut(_, let until) = state { until.secondsLeft(by: flows.clock) } else { 0 }
  }
}

extension SignInFormModel {
  public func submit(_ input: SignInInput = SignInInput()) { send(input) { $0.submit($1) } }

  /// As ``submit(_:)``, to create an account.
  package func signUp(_ input: SignInInput = SignInInput()) { send(input) { $0.signUp($1) } }

  private func send(_ input: SignInInput, _ send: (SignInAttempt, SignInInput) -> Void) {
    guard case .editing(var form, _) = state else { return }
    guard let fields = form.submit(flows.rules) else {
      state = .editing(form, nil)
      return
    }
    do throws(AuthenticationError) {
      let attempt = try openAttempt()
      state = .submitting(form.withoutSecrets(), attempt: attempt.id)
      send(attempt, input.with(fields, for: method))
      following.follow(attempt) { [weak self] in self?.show($0) }
    } catch {
      state = .editing(form.withoutSecrets(), flows.failure(error))
    }
  }

  /// The one that failed goes on, if it is still the latest.
  private func openAttempt() throws(AuthenticationError) -> SignInAttempt {
    if let attempt = following.attempt, attempt === flows.attempts.current, !attempt.state.isEnded { return attempt }
    return try flows.attempts.begin(method)
  }

  /// Cancels what is on its way; the form stays as it is, without a failure.
  public func cancel() {
    guard isWorking, let form, following.cancel() else { return }
    state = .editing(form, nil)
  }

  /// Shows the form again instead of the step that was asked; the password was sent, and is not in it.
  func reopen() {
    guard case .challenged(let form, _, _) = state else { return }
    following.stop()
    state = .editing(form, nil)
  }

  public func finished() async { await following.finished() }

  func show(_ attemptState: SignInAttempt.State) {
    guard case .submitting(let form, let id) = state, let attempt = following.attempt, attempt.id == id else { return }
    switch attemptState {
    case .collecting, .submitting, .externalInteraction: break
    case .challenged(let challenge, _): state = .challenged(form, challenge, attempt: id)
    case .failed(let error): fail(error, form)
    case .ended(.signedIn(let user)):
      flows.lastMethod.write(method.id)
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .editing(form, nil)
    case .ended(.cancelled), .ended(.replaced): state = .editing(form, nil)
    }
  }

  private func fail(_ error: AuthenticationError, _ form: EntryForm) {
    let failure = error.isSilent ? nil : flows.failure(error)
    guard error == .tooManyAttempts, let until = failure?.retryAt else {
      state = .editing(form, failure)
      return
    }
    state = .lockedOut(form, until: until)
    alarm.set(until) { [weak self] in
      if case .lockedOut(let form, until: until) = self?.state { self?.state = .editing(form, nil) }
    }
  }
}

extension SignInInput {
  /// With what was typed, in place of its own fields: what the method needs as fields, all else as attributes.
  func with(_ typed: [SignInMethod.Need: String], for method: SignInMethod) -> SignInInput {
    var input = self
    for (need, text) in typed {
      if method.needs.contains(need) {
        input.fields[need] = Secret(text)
      } else {
        input.attributes[need.id] = Secret(text)
      }
    }
    return input
  }
}
