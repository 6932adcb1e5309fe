public import AuthenticationDomain

/// Signs in with what a user fills in: a user name and a password, a phone number, an e-mail address.
///
/// ```swift
/// let form = SignInFormModel(.password, in: flows)
/// form[.userName] = "ada"
/// form[.password] = typed
/// form.submit()
/// ```
public final class SignInFormModel: Flow<SignInFormModel.State>, FormModel, StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// The user fills it in; the failure says why the last submit failed.
    case editing(EntryForm, FlowFailure?)
    /// Sent, and the response is awaited; the password is in here no more.
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
    super.init(.editing(EntryForm(method.needs, filled: filled, locked: locked), nil), in: flows)
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
      form.type(newValue, into: need, rules)
      state = .editing(form, failure)
    }
  }

  public var status: FlowStatus {
    switch state {
    case .editing(let form, let failure): FlowStatus("form.sign_in.title", in: words, failure: failure, form: form)
    case .submitting(let form, _):
      FlowStatus("form.sign_in.title", in: words, activity: "form.submit.working", form: form)
    case .lockedOut(let form, _):
      FlowStatus("form.locked_out.title", in: words, form: form, announcement: lockAnnouncement)
    case .challenged, .done: FlowStatus("form.sign_in.title", in: words)
    }
  }

  /// How long the account is locked, in whole minutes, then at 30 and at 10 seconds.
  private var lockAnnouncement: Announcement {
    let left = secondsLeft
    let said = left > 30 ? (left + 59) / 60 * 60 : left > 10 ? 30 : 10
    let wait = words.duration(.seconds(said))
    return Announcement(words("error.too_many_attempts.wait", .words(wait)), .assertive, turn: said)
  }

  /// Seconds until the next try; zero if it may be made now.
  public var secondsLeft: Int {
    if case .lockedOut(_, let until) = state { until.secondsLeft(by: flows.clock) } else { 0 }
  }

  public func submit(_ input: SignInInput = SignInInput()) { send(input) { $0.submit($1) } }

  /// As ``submit(_:)``, to create an account.
  package func signUp(_ input: SignInInput = SignInInput()) { send(input) { $0.signUp($1) } }

  private func send(_ input: SignInInput, _ send: (SignInAttempt, SignInInput) -> Void) {
    guard case .editing(var form, _) = state else { return }
    guard let fields = form.submit(rules) else { return state = .editing(form, nil) }
    // The one that failed goes on, if it is still the latest.
    let open = followed.flatMap { $0 === flows.attempts.current && !$0.state.isEnded ? $0 : nil }
    let sent = form.withoutSecrets()
    begin(method, reusing: open) {
      .submitting(sent, attempt: $0)
    } orElse: {
      .editing(sent, flows.failure($0))
    } send: {
      send($0, input.with(fields, for: method))
    }
  }

  /// Cancels the request in flight; the form stays as it is, without a failure.
  public func cancel() {
    guard case .submitting(let form, _) = state, cancelAttempt() else { return }
    state = .editing(form, nil)
  }

  /// Shows the form again instead of the step that was asked; the password was sent, and is not in it.
  func reopen() {
    guard case .challenged(let form, _, _) = state else { return }
    stopFollowing()
    state = .editing(form, nil)
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    guard case .submitting(let form, attempt.id) = state else { return }
    switch attemptState {
    case .collecting, .submitting, .externalInteraction: break
    case .challenged(let challenge, _): goOn(to: .challenged(form, challenge, attempt: attempt.id), with: attempt)
    case .failed(let error): fail(error, form)
    case .ended(.signedIn(let user)): if !finish(user, of: attempt) { state = .editing(form, nil) }
    case .ended(.cancelled), .ended(.replaced): state = .editing(form, nil)
    }
  }

  private func fail(_ error: AuthenticationError, _ form: EntryForm) {
    let failure = flows.visibleFailure(error)
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
