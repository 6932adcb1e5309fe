public import AuthenticationDomain

/// Takes the input of a user, to sign in or to create an account: a user name and a password, a phone number, the
/// e-mail address that a link goes to.
///
/// ```swift
/// let form = SignInFormModel(.password, in: flows)
/// form[.userName] = "ada"
/// form[.password] = typed
/// form.submit()
/// ```
public final class SignInFormModel: Flow<SignInFormModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// The user fills it in; the failure says why the last submit failed.
    case editing(EntryForm, FlowFailure?)
    /// Sent, and the response is awaited; the password is in here no more.
    case submitting(EntryForm)
    /// Too many tries: no further one before the deadline.
    case lockedOut(EntryForm, until: Deadline)
    /// There is such an account: sign in to it, or choose another password. Only of a provider that says so.
    case alreadyExists(EntryForm)
    /// The provider asks for a step, which is no failure.
    case next(Challenge)
    /// Signed in.
    case done(AuthSession)
  }

  /// Which method it signs in with.
  public let method: SignInMethod
  /// Whether it creates an account.
  public let createsAccount: Bool
  /// The last submitted input, for a return.
  private var sent: EntryForm
  /// Whether a link was opened that no attempt here asked for: it takes the address as well.
  package var hasLink = false

  /// An empty form. No attempt begins before the first submit.
  ///
  /// - Parameters:
  ///   - method: one of the attempts' methods, whose needs are typed.
  ///   - createsAccount: whether it creates an account. By default not.
  ///   - needs: the inputs; by default those that the method needs. An app's own fields are sent as attributes, and
  ///     their rules are in ``FlowEnvironment/rules``.
  ///   - flows: the shared parts of an app's models.
  ///   - filled: the inputs that are known already.
  ///   - locked: which of it the user cannot change.
  public init(
    _ method: SignInMethod, createsAccount: Bool = false, needs: [SignInMethod.Need]? = nil, in flows: FlowEnvironment,
    filled: [SignInMethod.Need: String] = [:], locked: Set<SignInMethod.Need> = []
  ) {
    self.method = method
    self.createsAccount = createsAccount
    sent = EntryForm(
      needs ?? method.needs, filled: filled, locked: locked, terms: createsAccount ? flows.terms : [])
    super.init(.editing(sent, nil), in: flows)
  }

  /// The form; nil while none is shown.
  public var form: EntryForm? {
    switch state {
    case .editing(let form, _), .submitting(let form), .lockedOut(let form, _), .alreadyExists(let form): form
    case .next, .done: nil
    }
  }

  /// The typed text for a need. Input during a request in flight is dropped.
  public subscript(need: SignInMethod.Need) -> String {
    get { form?[need] ?? "" }
    set {
      guard case .editing(var form, let failure) = state else { return }
      form.type(newValue, into: need, rules)
      state = .editing(form, failure)
    }
  }

  override var currentStatus: FlowStatus {
    switch state {
    case .editing(let form, let failure): return FlowStatus(keys.title, in: words, failure: failure, form: form)
    case .submitting(let form): return FlowStatus(keys.title, in: words, activity: keys.activity, form: form)
    case .lockedOut(let form, let until):
      let left = until.secondsLeft(by: flows.clock)
      var screen = FlowStatus("form.locked_out.title", in: words, form: form, announcement: announcement(of: left))
      screen.secondsLeft = left
      return screen
    case .alreadyExists: return FlowStatus("sign_up.exists.title", in: words, focus: .heading)
    case .next, .done: return FlowStatus(keys.title, in: words)
    }
  }

  /// The names of its sentences, by its purpose.
  package var keys: (title: WordKey, button: WordKey, activity: WordKey) {
    if createsAccount {
      ("sign_up.form.title", "sign_up.submit.button", "sign_up.submit.working")
    } else if hasLink {
      ("link.elsewhere.title", "link.ask.button", "form.submit.working")
    } else if method == .emailLink {
      ("link.ask.title", "link.ask.button", "link.ask.working")
    } else {
      ("form.sign_in.title", "form.submit.button", "form.submit.working")
    }
  }

  /// How long the account is locked, in whole minutes, then at 30 and at 10 seconds.
  private func announcement(of left: Int) -> Announcement {
    let said = left > 30 ? (left + 59) / 60 * 60 : left > 10 ? 30 : 10
    let wait = words.duration(.seconds(said))
    return Announcement(words("error.too_many_attempts.wait", .words(wait)), .assertive, turn: said)
  }

  /// Sends it, or shows the missing parts. Does nothing while a request is in flight.
  ///
  /// - Parameter input: the additions of the app: attributes, hints, the window. Its fields are not used.
  public func submit(_ input: SignInInput = SignInInput()) { submit(input, createsAccount: createsAccount) }

  /// As ``submit(_:)``, to create an account.
  func submit(_ input: SignInInput, createsAccount: Bool) {
    guard case .editing(var form, _) = state else { return }
    guard let fields = form.submit(rules) else { return state = .editing(form, nil) }
    // The one that failed continues, if it is still the latest.
    let failed = followed.flatMap { $0 === flows.attempts.current && !$0.state.isEnded ? $0 : nil }
    if failed == nil { hasLink = false }
    sent = form.withoutSecrets()
    begin(method, reusing: failed, .submitting(sent)) {
      .editing(sent, $0)
    } send: {
      $0.submit(input.with(fields, for: method), createsAccount: createsAccount)
    }
  }

  /// Takes a link that the system passed to the app, although no attempt here asked for it, perhaps on another device:
  /// it takes the address as well. One that leads elsewhere is refused in words.
  public func open(_ link: Secret) async {
    guard case .editing(let form, _) = state else { return }
    do throws(AuthenticationError) {
      guard method == .emailLink else { throw .invalidLink }
      advance(with: try await flows.attempts.open(link))
    } catch {
      state = .editing(form, flows.failure(error))
    }
  }

  /// Continues the attempt that a link has begun, or that waits for it.
  func advance(with attempt: SignInAttempt) {
    hasLink = attempt.state == .collecting
    state = hasLink ? .editing(EntryForm(method.needs), nil) : .submitting(sent)
    follow(attempt)
  }

  /// Cancels the request in flight, or leaves the offer to sign in to the account that exists: the form is shown as it
  /// was, without a failure.
  public func cancel() {
    switch state {
    case .submitting: if cancelAttempt() { editAgain() }
    case .alreadyExists: editAgain()
    case .editing, .lockedOut, .next, .done: break
    }
  }

  /// Shows the form again instead of the step that was asked; the password was sent, and is not in it.
  func reopen() {
    guard case .next = state else { return }
    stopFollowing()
    editAgain()
  }

  private func editAgain() {
    hasLink = false
    state = .editing(sent, nil)
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    guard case .submitting = state else { return }
    if case .failed(let error) = attemptState { return fail(error) }
    advance(attemptState, of: attempt) { editAgain() }
  }

  private func fail(_ error: AuthenticationError) {
    let failure = flows.visibleFailure(error)
    if error == .accountExists, createsAccount { return state = .alreadyExists(sent) }
    guard error == .tooManyAttempts, let until = failure?.retryAt else { return state = .editing(sent, failure) }
    state = .lockedOut(sent, until: until)
    alarm.set(until) { [weak self] in
      if case .lockedOut(let form, until: until) = self?.state { self?.state = .editing(form, nil) }
    }
  }
}

extension SignInInput {
  /// With the typed texts, in place of its fields: the needs of the method as fields, all else as attributes.
  fileprivate func with(_ typed: [SignInMethod.Need: String], for method: SignInMethod) -> SignInInput {
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
